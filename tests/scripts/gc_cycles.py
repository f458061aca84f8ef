# Cycles of objects are collected, and long chains are freed without deep recursion.
class Node:
    def __init__(self, value):
        self.value = value
        self.next = None


total = 0
for i in range(20000):
    a, b = Node(i), Node(i + 1)
    a.next, b.next = b, a
    total += a.next.value
print(total)
head = None
for i in range(200000):
    node = Node(i)
    node.next = head
    head = node
print(head.value)
head = None
nested = []
for i in range(100000):
    nested = [nested]
nested = None
d = {}
d["self"] = d
closures = []
for i in range(1000):
    def f():
        return f
    closures.append(f)
print(len(closures), closures[5]() is not None)
import gc
print(gc.collect() >= 0)
