# except* is not used here; a bare raise keeps the traceback's origin.
def inner():
    return 1 // 0


def outer():
    try:
        inner()
    except ZeroDivisionError:
        print("cleaning up")
        raise


outer()
