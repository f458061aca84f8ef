# What `catch_warnings` records, and filters by a message.
import warnings


def old():
    warnings.warn("this is old", DeprecationWarning)
    warnings.warn(UserWarning("and this is new"))


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    old()
    old()
print([(each.category.__name__, str(each.message)) for each in caught])
print(repr(caught[1].message))

with warnings.catch_warnings(record=True) as outer:
    warnings.simplefilter("always")
    with warnings.catch_warnings(record=True) as inner:
        warnings.filterwarnings("ignore", message="THIS is")
        warnings.filterwarnings("ignore", message=".*nowhere")
        old()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        old()
    warnings.warn("last")
print([str(each.message) for each in inner], [str(each.message) for each in outer])

with warnings.catch_warnings(record=True) as none:
    warnings.filterwarnings("error", message=".*new")
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    try:
        old()
    except UserWarning as error:
        print("raised:", error)
print(len(none))
with warnings.catch_warnings(record=False) as nothing:
    print(nothing)
