# A traceback quotes each frame's line and points at the expression.
def divide(a, b):
    return a / b


def average(values):
    total = sum(values)
    return divide(total, len(values))


print("before")
print(average([1, 2]))
print(average([]))
