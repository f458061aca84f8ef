# exit: 9
# The code of a SystemExit is an attribute.
class Leave(SystemExit):
    pass


try:
    raise SystemExit(1, 2)
except SystemExit as error:
    print(error.code, error.args)
leave = Leave(7)
print(leave.code)
leave.code = 9
raise leave
