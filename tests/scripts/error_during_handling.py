# An error while another one is handled.
def first():
    raise ValueError("first")


try:
    first()
except ValueError:
    int("second")
