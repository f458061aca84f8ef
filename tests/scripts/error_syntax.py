# A syntax error is found before anything runs.
print("never printed")
x = (1 +
y = 2
