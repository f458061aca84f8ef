# Names: local, enclosing, global, built-in; class bodies; del; shadowing.
x = "global"


def reads():
    return x


def shadows():
    x = "local"
    return x


class Body:
    x = "class"
    seen = x

    def method(self):
        return x


def outer():
    x = "enclosing"

    class Inner:
        y = x

        def get(self):
            return x

    return Inner.y, Inner().get()


print(reads(), shadows(), Body.seen, Body().method(), outer())
len_ = len
len = lambda value: "shadowed"
print(len([1, 2]))
del len
print(len([1, 2]))


def deletes():
    a = 1
    del a
    try:
        return a
    except UnboundLocalError as error:
        return str(error)


print(deletes())


def sets_global():
    global fresh
    fresh = 5

    def inner():
        global fresh
        fresh += 1

    inner()


sets_global()
print(fresh, "fresh" in globals(), "nope" in globals())
for loop_variable in range(3):
    inside = loop_variable
print(loop_variable, inside)


def locals_after():
    for i in range(2):
        z = i
    return i, z


print(locals_after())


def parameters(x, y=x):
    x += "!"
    return x, y


print(parameters("p"), x)


def generator_scope():
    k = 2
    return list(k * v for v in range(3)), [k for k in range(2)], k


print(generator_scope())
