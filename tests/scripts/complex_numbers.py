import cmath
z = 1 + 2j
print(z, z*z, z/(3-1j), z**2, z**0.5, abs(3+4j), -z, z.conjugate(), z.real, z.imag, 1j, -1j, 1.5e16j, complex("1-2.5j"), complex(1,2), complex())
print(z == 1+2j, hash(1+0j)==hash(1), {1: 'a'}[1+0j], f"{z:.2f}", f"{z:>20}", "%s" % z, str(z), repr([z]))
print(cmath.sqrt(-1), cmath.exp(1j*cmath.pi), cmath.polar(1+1j), cmath.phase(-1), cmath.rect(2, 1), cmath.log(1j), cmath.sin(z), cmath.cos(z), cmath.tan(z), cmath.tanh(z),cmath.acos(z),cmath.asinh(z),cmath.atanh(z))
print(isinstance(z, complex), type(z), (-8)**(1/3), sum([1j, 2, 3.5]), 2j*3, 1-1j, complex('inf'), complex('nanj'), 0j, -0j, complex(-0.0, 1))
for e in ["1j < 2", "1j // 2", "int(1j)", "1j/0", "0j**-1", "complex('x')", "complex([])", "cmath.log(0)", "cmath.exp(1000)", "round(1j)", "1j % 2", "complex('1', 2)", "f'{z:=10}'","max(1j, 2j)"]:
    try: print(eval(e))
    except Exception as x: print(type(x).__name__, x)
match 1+2j:
    case 3: print('no')
    case 1+2j: print('yes')
print(f"{1.5+2j:g}|{1.5j:.3}|{3+4j:e}|{2+0j}|{z:+.1f}|{z:^20.1f}|{1000000+1j:,}")
