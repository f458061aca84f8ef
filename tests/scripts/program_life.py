# A small program: Conway's life on a dict of cells.
def step(cells):
    counts = {}
    for x, y in cells:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy:
                    key = (x + dx, y + dy)
                    counts[key] = counts.get(key, 0) + 1
    return {cell for cell, n in counts.items() if n == 3 or (n == 2 and cell in cells)}


glider = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
for generation in range(5):
    if generation % 2 == 0:
        for y in range(5):
            print("".join("#" if (x, y) in glider else "." for x in range(5)))
        print()
    glider = step(glider)
print(sorted(glider))
