# A small program: counting words, formatting a table.
text = """the cat sat on the mat the cat ran
a dog sat on a log and the dog ran"""

counts = {}
for line in text.splitlines():
    for word in line.split():
        counts[word] = counts.get(word, 0) + 1
width = max(map(len, counts))
for word, n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:6]:
    print(f"{word:<{width}} {n:>3} {'*' * n:<5}| {n / sum(counts.values()):6.1%}")
lengths = {}
for word in counts:
    lengths.setdefault(len(word), []).append(word)
for n in sorted(lengths):
    print(n, sorted(lengths[n]))
rotated = "".join(chr((ord(c) - 97 + 13) % 26 + 97) if c.isalpha() else c for c in text[:20])
print(rotated, text.title()[:11], "".join(reversed("level")) == "level")
