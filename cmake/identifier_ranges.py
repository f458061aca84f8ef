"""Writes the tables of frontend/identifier.h: the characters beyond ASCII that names are made of,
and those that cannot be shown.

    python3 identifier_ranges.py OUT.cpp
"""

import sys


def ranges(holds):
    """The ranges [first, last] of code points from 0x80 on for which `holds`."""
    found = []
    for code in range(0x80, sys.maxunicode + 1):
        if not holds(chr(code)):
            continue
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


def table(name, found):
    rows = "".join(f"    {{{first:#x}, {last:#x}}},\n" for first, last in found)
    return (
        f"static constexpr CodePointRange {name}Table[] = {{\n{rows}}};\n"
        f"std::span<const CodePointRange> {name}() {{ return {name}Table; }}\n"
    )


with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write('#include "frontend/identifier.h"\n\nnamespace glint::frontend {\n\n')
    out.write(table("name_start_ranges", ranges(str.isidentifier)) + "\n")
    out.write(table("name_part_ranges", ranges(lambda character: ("a" + character).isidentifier())))
    out.write(
        "\n" + table("unprintable_ranges", ranges(lambda character: not character.isprintable()))
    )
    out.write("\n}  // namespace glint::frontend\n")
