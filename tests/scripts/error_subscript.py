# A failing subscript within an expression.
table = [[1, 2], [3, 4]]
index = 5
print(table[0][1] + table[1][index] * 2)
