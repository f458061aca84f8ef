# if, while, for, else, break, continue, pass, conditional expressions, chained comparison.
for i in range(3):
    if i == 0:
        continue
    elif i == 1:
        print("one")
    else:
        print("more")
else:
    print("for else")
n = 5
while n:
    n -= 1
    if n == 2:
        break
else:
    print("not printed")
print(n)
while n > 0:
    n -= 1
else:
    print("while else", n)
for _ in []:
    pass
else:
    print("empty for else")
for i in range(2):
    for j in range(2):
        if j == 1:
            break
        print(i, j)
    else:
        print("no")
print(1 < 2 < 3, 1 < 3 < 2, 3 > 2 >= 2 != 1, 1 == 1.0 == True, 1 < 2 > 1, not 1 < 2)


def noisy(x):
    print("noisy", x, end=" ")
    return x


print(noisy(1) < noisy(0) < noisy(5))
print(noisy(0) and noisy(1), noisy(0) or noisy("x"), noisy("") or noisy(0) or noisy([]), not noisy(0))
print("yes" if n else "no", 0 or "default", None and 1, [] and 1, "a" and "b", 1 if 0 else 2 if 0 else 3)
i = 10
for i in range(3):
    pass
print(i, [x for x in range(10, 0, -3)], list(range(5, 2)), len(range(0, 10, 3)), range(10)[3], range(10)[2:8:2], 4 in range(0, 10, 2), 5 in range(0, 10, 2))
if (m := len("abc")) > 2:
    print(m)
x = 3
x += 2; x *= 3; x -= 1; x //= 2; x **= 2; x %= 10; x <<= 3; x |= 1; x &= 13; x ^= 7; x >>= 1
print(x)
y = 7.0
y /= 2
print(y, None is None, y is not None, n is None, True + True, -3 // 2, -3 % 2, 3 // -2, 3 % -2, -7 // 2.0, 7.5 % 2, -7.5 % 2)
del x
try:
    x
except NameError as error:
    print(error)
