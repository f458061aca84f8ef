# Keys that are equal to a str, or an int, and are none.
class S(str):
    pass
d = {"a": 3}
print(d[S("a")], S("a") in d, d.get(S("a")))
d[S("a")] = 4
print(d, len(d))
e = {S("a"): 1}
e["a"] = 2
print(e, len(e), e["a"])
class K:
    def __hash__(self): return hash("a")
    def __eq__(self, o): return o == "a"
g = {K(): 1}
g["a"] = 5
print(len(g), list(g.values()))
print({"a": 1}[K()], g["a"], "a" in g)
s={S("q")}
print("q" in s, S("q") in {"q"}, len(s|{"q"}))
class U(str):
    def __eq__(self, o): return True
    __hash__ = str.__hash__
u={"k": 1}
u[U("k")]=3
print(u)
class P:
    def __hash__(self): return 1
    def __eq__(self, o): return o == 1
p={P(): 1}
p[1]=2
print(len(p))
print({1: 4}[P()])
