# try, except, else, finally: every way through.
def way(kind):
    trace = []
    try:
        trace.append("try")
        if kind == "value":
            raise ValueError("bad value")
        if kind == "key":
            {}["missing"]
        if kind == "return":
            return trace
        if kind == "zero":
            1 // 0
    except ValueError as error:
        trace.append(f"value: {error}")
    except (KeyError, IndexError) as error:
        trace.append(f"lookup: {error!r}")
    else:
        trace.append("else")
    finally:
        trace.append("finally")
    trace.append("after")
    return trace


for kind in ["none", "value", "key", "return"]:
    print(kind, way(kind))
try:
    way("zero")
except ZeroDivisionError as error:
    print(error, error.args)


def override():
    try:
        return "try"
    finally:
        return "finally"


print(override())


def loop():
    result = []
    for i in range(5):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            result.append(i)
        finally:
            result.append(-i)
    else:
        result.append("never")
    return result


print(loop())


def nested():
    try:
        try:
            raise KeyError("inner")
        finally:
            print("cleanup")
    except KeyError as error:
        try:
            raise RuntimeError("outer") from error
        except RuntimeError as second:
            return repr(second), repr(second.__cause__), repr(second.__context__)


print(nested())
try:
    try:
        raise ValueError(1, 2)
    except ValueError:
        raise
except ValueError as error:
    print(error.args, str(error), repr(error))
try:
    assert 1 == 2, "one is not two"
except AssertionError as error:
    print("assertion", error)
try:
    error
except NameError as gone:
    print(gone)
