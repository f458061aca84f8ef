# Ranges whose bounds lie further apart than an int counts up to, or end at the last int.
import sys

greatest = sys.maxsize
lowest = -greatest - 1
ranges = (
    range(lowest + 9, 0),
    range(lowest + 1, greatest - 5, 7),
    range(greatest, 1, -3),
    range(lowest, -5, 3),
    range(greatest - 5, greatest, 4),
    range(lowest + 6, lowest, -4),
)
for r in ranges:
    print(r, len(r), r[1], r[-1], -7 in r, r.count(-7), r.count(greatest - 5), bool(r))
    print(list(r[2:4]), list(r[:3]), list(r[::-1][:2]), list(r[-2:]), len(r[::2]))
    backwards = reversed(r)
    print(next(backwards), next(backwards), r == r[:], r.index(r[1]))
print(list(reversed(range(lowest, lowest + 3))), list(reversed(range(greatest, greatest - 3, -1))))

# More items than an int counts up to.
for r in (range(lowest, greatest), range(lowest, 4), range(greatest, lowest, -1)):
    print(r, r[5], r[-1], r[-5], r[greatest], 7 in r, r.count(7), bool(r), next(reversed(r)), next(iter(r)))
    try:
        print(len(r))
    except OverflowError as error:
        print("OverflowError:", error)
print(range(lowest, 4).index(lowest + 3), range(lowest, 4) == range(lowest, 5))
