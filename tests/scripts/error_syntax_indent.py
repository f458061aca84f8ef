# Indentation that fits no block.
def f():
    if True:
        x = 1
      y = 2
    return x
