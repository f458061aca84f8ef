FACTOR = 10


def scaled(value):
    return value * FACTOR
