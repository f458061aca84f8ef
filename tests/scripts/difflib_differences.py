# How sequences differ.
from difflib import SequenceMatcher, context_diff, get_close_matches, unified_diff

print(get_close_matches("appel", ["ape", "apple", "peach", "puppy"]), get_close_matches("wheel", ["while", "when", "heel", "x"], n=1), get_close_matches("zzz", ["a"]), get_close_matches("ab", ["abc", "ab", "b"], 2, 0.3))
old = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n".splitlines(keepends=True)
new = "zero\none\ntwo\n3\nfour\nfive\nsix\nseven\neight\nten\neleven\n".splitlines(keepends=True)
print("".join(unified_diff(old, new, "old.txt", "new.txt")))
print("".join(unified_diff(old, new, "a", "b", "then", "now", n=0)))
print("".join(context_diff(old, new, "old.txt", "new.txt", n=1)))
print(list(unified_diff(old, old)), list(unified_diff([], ["a"], lineterm="")), list(unified_diff(["a"], [], lineterm="")))
m = SequenceMatcher(None, "private Thread currentThread;", "private volatile Thread currentThread;")
print(round(m.ratio(), 4), round(m.quick_ratio(), 4), round(m.real_quick_ratio(), 4), m.get_matching_blocks(), m.find_longest_match(0, 5, 0, 5))
for tag, i1, i2, j1, j2 in SequenceMatcher(None, "qabxcd", "abycdf").get_opcodes():
    print(tag, i1, i2, j1, j2)
junk = SequenceMatcher(lambda c: c == " ", " abcd", "abcd abcd")
print(junk.find_longest_match(0, 5, 0, 9), junk.get_matching_blocks(), sorted(junk.bjunk))
long = [str(i % 7) for i in range(300)]
print(round(SequenceMatcher(None, long, long[5:]).ratio(), 4), round(SequenceMatcher(None, long, long[5:], autojunk=False).ratio(), 4), sorted(SequenceMatcher(None, long, long).bpopular))
print(list(SequenceMatcher(None, old, new).get_grouped_opcodes(1)), SequenceMatcher(None, "", "").ratio(), SequenceMatcher(None, [1, 2, 3], [2, 3, 4]).ratio())
