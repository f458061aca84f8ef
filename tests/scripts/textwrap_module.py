import textwrap

text = ("The quick-witted brown fox -- a well-known one--jumped over e-mail and the 3-4 lazy "
        "dogs, twenty-one-year-old each; see --batch-size and torch.nn.functional.relu_and_more.")
for width in (1, 2, 5, 8, 10, 13, 20, 37, 70, 200):
    print(width, textwrap.wrap(text, width))
print(textwrap.fill(text, 30, initial_indent="* ", subsequent_indent="    "))
print(textwrap.wrap(text, 12, break_on_hyphens=False))
print(textwrap.wrap(text, 12, break_long_words=False))
print(textwrap.wrap("  a   b\tc\n\nd  ", 4))
print(textwrap.wrap("  a   b  c    d  ", 4, drop_whitespace=False))
print(textwrap.wrap("a\nb\n c", 20, replace_whitespace=False))
print(textwrap.wrap("", 10), textwrap.wrap("   ", 10))
for lines in (1, 2, 3):
    print(textwrap.wrap(text, 24, max_lines=lines), textwrap.wrap(text, 24, max_lines=lines, placeholder="~"))
print(textwrap.shorten("  Hello   world, this  is long ", 18))
print(textwrap.shorten("Hello", 18), textwrap.shorten("Helloooooooooooo", 8))
print(textwrap.TextWrapper(width=9, initial_indent=">").wrap("some words here"))
print(repr(textwrap.dedent("""
    one
      two

  \tthree
    """)))
print(repr(textwrap.dedent("\ta\n\t  b\n   \n\tc")), repr(textwrap.dedent("a\n  b")))
print(repr(textwrap.indent("a\n\n  b\nc", "--")), repr(textwrap.indent("a\n\nb", "+ ", lambda line: True)))
for call in (lambda: textwrap.wrap("a", 0), lambda: textwrap.wrap("a b", 3, max_lines=1)):
    try:
        call()
    except ValueError as error:
        print(error)
