"""How two sequences differ.

    get_close_matches("appel", ["ape", "apple"])      ['apple', 'ape']
    for line in unified_diff(old, new): ...           the lines that were taken out, and put in
    SequenceMatcher(None, a, b).ratio()               1.0 where both are the same

The longest run that both have in common is taken, then the same on either side of it (Ratcliff and Obershelp).
"""
from collections import namedtuple as _namedtuple
from heapq import nlargest as _nlargest

__all__ = ["get_close_matches", "SequenceMatcher", "context_diff", "unified_diff", "IS_LINE_JUNK",
           "IS_CHARACTER_JUNK", "Match"]

Match = _namedtuple("Match", "a b size")
_FEW, _SHARE = 200, 100  # of so many elements, one that is more than a hundredth of them is popular


def _ratio(matches, length):
    return 2.0 * matches / length if length else 1.0


class SequenceMatcher:
    def __init__(self, isjunk=None, a="", b="", autojunk=True):
        self.isjunk, self.autojunk = isjunk, autojunk
        self.a = self.b = None
        self.set_seqs(a, b)

    def set_seqs(self, a, b):
        self.set_seq1(a)
        self.set_seq2(b)

    def set_seq1(self, a):
        if a is not self.a:
            self.a = a
            self.matching_blocks = self.opcodes = None

    def set_seq2(self, b):
        if b is not self.b:
            self.b = b
            self.matching_blocks = self.opcodes = self.fullbcount = None
            self._find_places()

    def _find_places(self):
        """Where each element of `b` stands, but for junk and what is popular."""
        self.b2j = places = {}
        for index, element in enumerate(self.b):
            places.setdefault(element, []).append(index)
        self.bjunk = {element for element in places if self.isjunk and self.isjunk(element)}
        for element in self.bjunk:
            del places[element]
        self.bpopular = set()
        length = len(self.b)
        if self.autojunk and length >= _FEW:
            most = length // _SHARE + 1
            self.bpopular = {element for element, indices in places.items() if len(indices) > most}
            for element in self.bpopular:
                del places[element]

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        a, b, places, is_junk = self.a, self.b, self.b2j, self.bjunk
        ahi = len(a) if ahi is None else ahi
        bhi = len(b) if bhi is None else bhi
        best_a, best_b, size = alo, blo, 0
        lengths, none = {}, []
        for i in range(alo, ahi):
            longer = {}
            for j in places.get(a[i], none):
                if j < blo:
                    continue
                if j >= bhi:
                    break
                longer[j] = k = lengths.get(j - 1, 0) + 1
                if k > size:
                    best_a, best_b, size = i - k + 1, j - k + 1, k
            lengths = longer
        # It goes on over what is popular, then over junk.
        for wanted in (False, True):
            while (best_a > alo and best_b > blo and (b[best_b - 1] in is_junk) == wanted
                   and a[best_a - 1] == b[best_b - 1]):
                best_a, best_b, size = best_a - 1, best_b - 1, size + 1
            while (best_a + size < ahi and best_b + size < bhi and (b[best_b + size] in is_junk) == wanted
                   and a[best_a + size] == b[best_b + size]):
                size += 1
        return Match(best_a, best_b, size)

    def get_matching_blocks(self):
        if self.matching_blocks is not None:
            return self.matching_blocks
        waiting, found = [(0, len(self.a), 0, len(self.b))], []
        while waiting:
            alo, ahi, blo, bhi = waiting.pop()
            i, j, size = match = self.find_longest_match(alo, ahi, blo, bhi)
            if size:
                found.append(match)
                if alo < i and blo < j:
                    waiting.append((alo, i, blo, j))
                if i + size < ahi and j + size < bhi:
                    waiting.append((i + size, ahi, j + size, bhi))
        found.sort()
        blocks, last = [], (0, 0, 0)
        for i, j, size in found:
            if last[0] + last[2] == i and last[1] + last[2] == j:
                last = last[0], last[1], last[2] + size
            else:
                if last[2]:
                    blocks.append(last)
                last = i, j, size
        if last[2]:
            blocks.append(last)
        blocks.append((len(self.a), len(self.b), 0))
        self.matching_blocks = [Match(*block) for block in blocks]
        return self.matching_blocks

    def get_opcodes(self):
        if self.opcodes is not None:
            return self.opcodes
        i = j = 0
        self.opcodes = codes = []
        for a_start, b_start, size in self.get_matching_blocks():
            if i < a_start or j < b_start:
                tag = "replace" if i < a_start and j < b_start else "delete" if i < a_start else "insert"
                codes.append((tag, i, a_start, j, b_start))
            i, j = a_start + size, b_start + size
            if size:
                codes.append(("equal", a_start, i, b_start, j))
        return codes

    def get_grouped_opcodes(self, n=3):
        codes = self.get_opcodes() or [("equal", 0, 1, 0, 1)]
        if codes[0][0] == "equal":
            tag, i1, i2, j1, j2 = codes[0]
            codes[0] = tag, max(i1, i2 - n), i2, max(j1, j2 - n), j2
        if codes[-1][0] == "equal":
            tag, i1, i2, j1, j2 = codes[-1]
            codes[-1] = tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)
        group = []
        for tag, i1, i2, j1, j2 in codes:
            if tag == "equal" and i2 - i1 > 2 * n:
                group.append((tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)))
                yield group
                group = []
                i1, j1 = max(i1, i2 - n), max(j1, j2 - n)
            group.append((tag, i1, i2, j1, j2))
        if group and not (len(group) == 1 and group[0][0] == "equal"):
            yield group

    def ratio(self):
        return _ratio(sum([match.size for match in self.get_matching_blocks()]), len(self.a) + len(self.b))

    def quick_ratio(self):
        """No less than `ratio()`: how many elements both have, in whatever order."""
        if self.fullbcount is None:
            self.fullbcount = counts = {}
            for element in self.b:
                counts[element] = counts.get(element, 0) + 1
        left, matches = {}, 0
        for element in self.a:
            count = left[element] if element in left else self.fullbcount.get(element, 0)
            left[element] = count - 1
            matches += count > 0
        return _ratio(matches, len(self.a) + len(self.b))

    def real_quick_ratio(self):
        return _ratio(min(len(self.a), len(self.b)), len(self.a) + len(self.b))


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    if not n > 0:
        raise ValueError(f"n must be > 0: {n!r}")
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError(f"cutoff must be in [0.0, 1.0]: {cutoff!r}")
    found = []
    matcher = SequenceMatcher()
    matcher.set_seq2(word)
    for possibility in possibilities:
        matcher.set_seq1(possibility)
        if (matcher.real_quick_ratio() >= cutoff and matcher.quick_ratio() >= cutoff
                and matcher.ratio() >= cutoff):
            found.append((matcher.ratio(), possibility))
    return [possibility for _, possibility in _nlargest(n, found)]


def IS_LINE_JUNK(line, pat=None):
    return line.strip() in ("", "#")


def IS_CHARACTER_JUNK(ch, ws=" \t"):
    return ch in ws


def _check_lines(a, b, texts):
    for lines in (a, b):
        if lines and not isinstance(lines[0], str):
            raise TypeError(f"lines to compare must be str, not {type(lines[0]).__name__} ({lines[0]!r})")
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"all arguments must be str, not: {text!r}")


def _range_of_unified(start, stop):
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def _range_of_context(start, stop):
    length = stop - start
    first = start + 1 if length else start
    return str(first) if length <= 1 else f"{first},{first + length - 1}"


def _date(text):
    return f"\t{text}" if text else ""


def unified_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    _check_lines(a, b, (fromfile, tofile, fromfiledate, tofiledate, lineterm))
    started = False
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not started:
            started = True
            yield f"--- {fromfile}{_date(fromfiledate)}{lineterm}"
            yield f"+++ {tofile}{_date(tofiledate)}{lineterm}"
        first, last = group[0], group[-1]
        yield f"@@ -{_range_of_unified(first[1], last[2])} +{_range_of_unified(first[3], last[4])} @@{lineterm}"
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                for line in a[i1:i2]:
                    yield " " + line
                continue
            if tag in ("replace", "delete"):
                for line in a[i1:i2]:
                    yield "-" + line
            if tag in ("replace", "insert"):
                for line in b[j1:j2]:
                    yield "+" + line


def context_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    _check_lines(a, b, (fromfile, tofile, fromfiledate, tofiledate, lineterm))
    prefix = {"insert": "+ ", "delete": "- ", "replace": "! ", "equal": "  "}
    started = False
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not started:
            started = True
            yield f"*** {fromfile}{_date(fromfiledate)}{lineterm}"
            yield f"--- {tofile}{_date(tofiledate)}{lineterm}"
        first, last = group[0], group[-1]
        yield "***************" + lineterm
        yield f"*** {_range_of_context(first[1], last[2])} ****{lineterm}"
        if any([tag in ("replace", "delete") for tag, *_ in group]):
            for tag, i1, i2, _, _ in group:
                if tag != "insert":
                    for line in a[i1:i2]:
                        yield prefix[tag] + line
        yield f"--- {_range_of_context(first[3], last[4])} ----{lineterm}"
        if any([tag in ("replace", "insert") for tag, *_ in group]):
            for tag, _, _, j1, j2 in group:
                if tag != "delete":
                    for line in b[j1:j2]:
                        yield prefix[tag] + line
