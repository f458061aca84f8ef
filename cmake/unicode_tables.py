"""Writes the tables of runtime/interpreter/unicode_tables.h: categories, combining classes and
decompositions of characters, as CPython knows them.

    python3 unicode_tables.py OUT.cpp
"""

import sys
import unicodedata

EVERY = range(sys.maxunicode + 1)
HANGUL = range(0xAC00, 0xD7A4)  # these are composed by rule


def runs(value_of):
    """Where a value begins, up to the next one."""
    found = []
    for code in EVERY:
        value = value_of(chr(code))
        if not found or found[-1][1] != value:
            found.append((code, value))
    return found


def decompositions():
    """Code, kind and parts of each character that has some."""
    for code in EVERY:
        text = unicodedata.decomposition(chr(code))
        if not text or code in HANGUL:
            continue
        *tag, parts = text.split("> ") if text.startswith("<") else [text]
        parts = [int(part, 16) for part in parts.split()]
        again = unicodedata.normalize("NFC", chr(code)) == chr(code)
        kind = "kCompatible" if tag else "kComposed" if len(parts) == 2 and again else "kCanonical"
        yield code, kind, parts


with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write('#include "runtime/interpreter/unicode_tables.h"\n\nnamespace glint::runtime {\n\n')
    out.write(f'const std::string_view kUnicodeVersion = "{unicodedata.unidata_version}";\n\n')
    out.write("static constexpr CategoryRun kCategories[] = {\n")
    for code, category in runs(unicodedata.category):
        out.write(f'    {{{code:#x}, "{category}"}},\n')
    out.write("};\nstd::span<const CategoryRun> category_runs() { return kCategories; }\n\n")
    out.write("static constexpr CombiningRun kCombining[] = {\n")
    for code, number in runs(unicodedata.combining):
        out.write(f"    {{{code:#x}, {number}}},\n")
    out.write("};\nstd::span<const CombiningRun> combining_runs() { return kCombining; }\n\n")
    pool = []
    out.write("static constexpr Decomposition kDecompositions[] = {\n")
    for code, kind, parts in decompositions():
        out.write(f"    {{{code:#x}, DecompositionKind::{kind}, {len(parts)}, {len(pool)}}},\n")
        pool += parts
    out.write("};\nstd::span<const Decomposition> decompositions() { return kDecompositions; }\n\n")
    out.write("static constexpr uint32_t kParts[] = {\n    ")
    out.write(",\n    ".join(f"{part:#x}" for part in pool))
    out.write("};\nstd::span<const uint32_t> decomposition_parts() { return kParts; }\n\n")
    out.write("}  // namespace glint::runtime\n")
