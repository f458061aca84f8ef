# A keyword in the wrong place.
for i in range(3)
    print(i)
