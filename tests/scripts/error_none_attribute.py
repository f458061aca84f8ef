# The most frequent error of all.
def find(items, wanted):
    for item in items:
        if item == wanted:
            return item


found = find(["a", "b"], "c")
print(found.upper())
