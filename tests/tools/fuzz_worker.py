"""Compiles the texts of a JSON list and prints one line for each: what fuzz.py compares.

Glint and CPython both run this. A line holds the number of the text and `ok`, or the error with its
place. A worker that dies has not printed the line of the text that killed it.
"""

import json
import sys


def verdict(text):
    try:
        compile(text, "text", "exec")
        return "ok"
    except SyntaxError as error:
        return f"{type(error).__name__}: {error.msg} | line {error.lineno} column {error.offset}"
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        return f"{type(error).__name__}: {error}"


with open(sys.argv[1], encoding="utf-8") as file:
    texts = json.loads(file.read())
for number in range(int(sys.argv[2]), len(texts)):
    print(number, json.dumps(verdict(texts[number])), flush=True)
