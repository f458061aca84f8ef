# module
# Imported by error_in_import.py.
def compute():
    return [1, 2, 3][10]


VALUE = compute()
