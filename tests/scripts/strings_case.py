# Case where one character becomes several, or depends on what stands around it.
samples = ["straße", "İstanbul", "ıI", "ﬁn ﬀ", "ŉ", "ǆ ǅ Ǆ", "ὈΔΥΣΣΕΎΣ ΣΑΣ", "ΑΣ'Α ΑΣ.", "ᾳ ᾼ", "ΐ", "ſ", "ẞ", "Ꭰ ꭰ", "ა Ა"]
for text in samples:
    print([text.upper(), text.lower(), text.casefold(), text.title(), text.capitalize(), text.swapcase()])
for first, last in [(0x80, 0x250), (0x370, 0x530), (0x1E00, 0x2000), (0xFB00, 0xFB18)]:
    letters = [chr(c) for c in range(first, last)]
    total = 0
    for i, c in enumerate(letters):
        for mapped in (c.upper(), c.lower(), c.casefold(), c.title()):
            for each in mapped:
                total = (total * 31 + ord(each)) % 1000003
    print(hex(first), total)
print("ß".casefold() == "SS".casefold(), "Σ".lower(), "ΑΣ".lower())
