# Where an int outgrows 64 bits, and where it is back within them.
largest = 9223372036854775807
for name, compute in [("add", lambda: largest + 1), ("subtract", lambda: -largest - 2), ("multiply", lambda: largest * 2),
                      ("power", lambda: 2**63), ("shift", lambda: 1 << 63), ("negate", lambda: -(-largest - 1)),
                      ("absolute", lambda: abs(-largest - 1)), ("from text", lambda: int("9223372036854775808")),
                      ("from float", lambda: int(1e19)), ("sum", lambda: sum([largest, 1]))]:
    try:
        print(name, compute())
    except OverflowError as error:
        print(name, type(error).__name__)
print(largest, -largest - 1)
