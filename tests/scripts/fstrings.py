# f-strings: expressions, conversions, formats, nesting, `=`.
name, n, pi, items = "World", 42, 3.14159265, [1, 2]
print(f"Hello {name}! {n + 1} {pi:.2f} {items} {items[0]} {'nested'} {name!r:>10}|{name:<10}|{name:^11}|{name:*^11}")
print(f"{n=} {n = } {pi=:.3f} {name=} {name=!s} {n * 2=} {{literal}} {n:{'>'}{8}}|{pi:{10}.{3}}|")
print(f"{n:d} {n:5d}|{n:<5d}|{n:^5d}|{n:05d} {n:+d} {n: d} {n:x} {n:#x} {n:X} {n:o} {n:#o} {n:b} {n:#b} {n:08b} {n:c} {n:e} {n:,}")
print(f"{1234567:,} {1234567:_} {1234567.891:,.2f} {-5:05} {5:+} {-5:>6}| {255:#06x} {0xffff:_x}")
print(f"{pi:f} {pi:e} {pi:g} {pi:.0f} {pi:10.2f}|{pi:<10.2f}|{pi:+.1f} {pi:010.3f} {0.5:%} {0.1234:.1%} {1e10:g} {1e-10:g} {100000.0:g} {1e6:g}")
print(f"{1e100} {1.0} {0.1 + 0.2} {1e16} {123456789.123} {1e-5} {float('inf')} {float('nan'):>5}| {-0.0} {1.5:}")
print(f"{'text':10}|{'text':>10}|{'text':.2}|{'text':^10.3}|{True} {None} {True:d} {True:>6}|{[1]!s:>5}|")
print(f"{'a' if n > 3 else 'b'} {(lambda x: x * 2)(3)} { {'k': 1}['k'] } {f'{n}' + 'x'} {max(1, 2)}")
print(f"multi " f"part " "string" f" {n}", rf"\d{n}", f"""triple
{name}""")
print("%s is %d years, %.2f%% %5s|%-5s|%05d %x %r %c %+d %e %g" % ("Bob", 30, 12.345, "ab", "cd", 42, 255, "q", "z", 5, 1234.5, 0.0001))
print("%(a)s %(b)03d" % {"a": 1, "b": 2}, "%s" % (1,), "%s" % [1, 2], "%%")
print("{} {} {0}".format if False else "{0} {1} {0} {name} {2[0]} {3.real}".format("a", "b", [7], 5, name="kw"), "{:>5}|{:<5}|{:^5}|".format(1, 2, 3), "{:.3} {!r}".format("abcdef", "x"))
width, precision = 10, 4
print(f"{pi:{width}.{precision}f}|{'x':{'*'}^{width}}|")
print(format(3.5, ".2f"), format(10, "b"), format("s", ">4"), format(True), format(12345.678, ",.1f"))

text = "é€😀"
print(f"{text!a} {text!r} {text!s} {text!a:>40}", "%a %r" % (text, text), "{!a:>30}".format(text), ascii(text))
