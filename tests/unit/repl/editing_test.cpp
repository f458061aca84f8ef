#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>

#include "repl/clauses.h"
#include "repl/columns.h"
#include "repl/history.h"
#include "repl/indentation.h"
#include "repl/keys.h"
#include "repl/line_editor.h"
#include "repl/pasted.h"
#include "repl/text_buffer.h"

namespace glint {
namespace {

TEST_CASE("editing keeps the cursor between characters", "[repl]") {
  TextBuffer buffer;
  buffer.insert("x = \xc3\xa9");
  buffer.move_left();
  CHECK(buffer.cursor() == 4);
  buffer.delete_right();
  CHECK(buffer.text() == "x = ");
}

TEST_CASE("words are moved over, killed and yanked", "[repl]") {
  TextBuffer buffer;
  buffer.set("torch.relu(value)");
  buffer.move_word_left();
  CHECK(buffer.cursor() == 11);
  buffer.kill_word_right();
  CHECK(buffer.text() == "torch.relu()");
  buffer.yank();
  CHECK(buffer.text() == "torch.relu(value)");
}

TEST_CASE("up and down keep the column where the line is long enough", "[repl]") {
  TextBuffer buffer;
  buffer.set("def f(x):\n  y\nreturn y");
  CHECK(buffer.move_up());
  CHECK(buffer.line_before_cursor() == "  y");
  CHECK(buffer.move_up());
  CHECK(buffer.line_before_cursor() == "def");
  CHECK_FALSE(buffer.move_up());
}

TEST_CASE("history survives a session and entries of several lines", "[repl]") {
  std::string path = std::string(GLINT_BINARY_DIR) + "/history_test/history";
  std::filesystem::remove_all(std::filesystem::path(path).parent_path());
  {
    History history;
    history.open(path);
    history.add("def f():\n    return '\\n'");
    history.add("f()");
    history.add("f()");
  }
  History history;
  history.open(path);
  REQUIRE(history.size() == 2);
  CHECK(history[0] == "def f():\n    return '\\n'");
  CHECK(history.previous_with_prefix("def", 2) == 0);
  CHECK(history.search("return", 2) == 0);
  CHECK(history.search("nothing", 2) == History::npos);
}

std::vector<Key> keys_of(const std::string& bytes) {
  size_t position = 0;
  KeyReader reader([&](Wait) -> std::optional<unsigned char> {
    if (position == bytes.size()) return std::nullopt;
    return static_cast<unsigned char>(bytes[position++]);
  });
  std::vector<Key> keys;
  while (position < bytes.size()) keys.push_back(reader.read());
  return keys;
}

TEST_CASE("a clause goes back to the statement it belongs to", "[repl]") {
  CHECK(with_clause_placed("if a:\n    b\n    else:") == "if a:\n    b\nelse:");
  CHECK(with_clause_placed("if a:\n    for b in c:\n        d\n        elif e:") ==
        "if a:\n    for b in c:\n        d\nelif e:");
  CHECK(with_clause_placed("if a:\n    for b in c:\n        d\n        else:") ==
        "if a:\n    for b in c:\n        d\n    else:");
  CHECK(with_clause_placed("try:\n    a\n\n    except (B, C):") == "try:\n    a\n\nexcept (B, C):");
  CHECK(with_clause_placed("match a:\n    case 1:\n        b\n        case 2:") ==
        "match a:\n    case 1:\n        b\n    case 2:");
  // Where it stands right, or belongs to nothing, it stays.
  for (const char* text : {"if a:\n    b\nelse:", "if a:\n    if b:\n        c\n    else:",
                           "while a:\n    except:", "else:", "d = {\n    else_:", "x:",
                           "match a:\n    case 1:", "if a:\n    \"\"\"b\n    else:",
                           "match a:\n    case 1:\n        match b:\n            case 2:"})
    CHECK(with_clause_placed(text) == text);
}

TEST_CASE("escape sequences, pastes and UTF-8 become keys", "[repl]") {
  std::vector<Key> keys = keys_of("\x1b[A\x1b[1;5D\x01\xc3\xa9\x1b[200~a\rb\x1b[201~\x7f");
  REQUIRE(keys.size() == 6);
  CHECK(keys[0].kind == KeyKind::kUp);
  CHECK(keys[1].kind == KeyKind::kWordLeft);
  CHECK(keys[2].kind == KeyKind::kControl);
  CHECK(keys[2].text == "a");
  CHECK(keys[3].text == "\xc3\xa9");
  CHECK(keys[4].kind == KeyKind::kPaste);
  CHECK(keys[4].text == "a\nb");
  CHECK(keys[5].kind == KeyKind::kBackspace);
}

TEST_CASE("lines behind Enter at once are a paste, and a key behind them a key", "[repl]") {
  std::vector<Key> keys = keys_of("a\rb\r\n\tc\x04\r");
  REQUIRE(keys.size() == 4);
  CHECK(keys[1].kind == KeyKind::kPaste);
  CHECK(keys[1].text == "\nb\n\tc");
  CHECK(keys[2].kind == KeyKind::kControl);
  CHECK(keys[3].kind == KeyKind::kEnter);
}

/// What stands for Python here: `:` opens a block that an empty line ends, brackets are closed.
bool complete_entry(const std::string& text) {
  bool open = std::ranges::count(text, '(') > std::ranges::count(text, ')');
  return !open && (text.find(':') == std::string::npos || text.ends_with("\n"));
}

TEST_CASE("a paste is taken apart into entries", "[repl]") {
  PastedEntries found =
      split_pasted("\na = 1\n\nif a:\n  b\n\n  c\nelse:\n  d\ne(\n1)\nf", complete_entry);
  CHECK(found.complete ==
        std::vector<std::string>{"a = 1", "if a:\n  b\n\n  c\nelse:\n  d", "e(\n1)"});
  CHECK(found.rest == "f");
  found = split_pasted("def f():\n  a\n", complete_entry);
  CHECK(found.complete.empty());
  CHECK(found.rest == "def f():\n  a\n");
  CHECK(split_pasted("def f():\n  a\n\n", complete_entry).complete.size() == 1);
  CHECK(split_pasted("\n\n", complete_entry).rest.empty());
}

TEST_CASE("prompts of a copied session go, an ellipsis stays", "[repl]") {
  CHECK(without_prompts(">>> def f():\n...     1\n...\n>>> f()") == "def f():\n    1\n\nf()");
  CHECK(without_prompts("a = 1\n...") == "a = 1\n...");
  CHECK(without_prompts("..., 0]") == "..., 0]");
  CHECK(without_prompts("...") == "...");
  CHECK(without_prompts("... x\n... y") == "x\ny");
}

TEST_CASE("of a copied session what was typed is left", "[repl]") {
  CHECK(without_prompts(">>> a = 1\n>>> a\n1\n>>> b\nTraceback\n  x\n") == "a = 1\na\nb\n");
  CHECK(without_prompts(
            "In [3]: def f():\n   ...:     return 1\n   ...: \n\nIn [4]: f()\nOut[4]: 1") ==
        "def f():\n    return 1\n\nf()");
  CHECK(without_prompts("In [12]:\n    ...:x") == "\nx");
  for (const char* plain : {"In [x]: 1", "In []: 1", "In [1] = 2", "x\n>>> y"}) {
    CAPTURE(plain);
    CHECK(without_prompts(plain) == plain);
  }
}

TEST_CASE("a margin that all lines have goes", "[repl]") {
  CHECK(without_margin("    a\n\n      b\n    c\n") == "a\n\n  b\nc\n");
  CHECK(without_margin("    a\n  b") == "    a\n  b");
  CHECK(without_margin("a\n    b") == "a\n    b");
  CHECK(without_margin("\ta\n\tb") == "a\nb");
  CHECK(without_margin("") == "");
}

TEST_CASE("a line moves out, and the cursor with its text", "[repl]") {
  TextBuffer buffer;
  buffer.set("if a:\n      b");
  buffer.move_left();
  buffer.move_line_out(4);
  CHECK(buffer.text() == "if a:\n  b");
  CHECK(buffer.line_before_cursor() == "  ");
  buffer.move_line_out(4);
  CHECK(buffer.text() == "if a:\nb");
  buffer.move_line_start();
  buffer.move_line_out(4);
  CHECK(buffer.text() == "if a:\nb");
}

TEST_CASE("a line begins deeper behind what opens", "[repl]") {
  CHECK(indent_behind("if a:") == 4);
  CHECK(indent_behind("  f(") == 6);
  CHECK(indent_behind("x = [  ") == 4);
  CHECK(indent_behind("    return x") == 0);
  CHECK(indent_behind("    returned = x") == 4);
}

TEST_CASE("a line begins where the statement before it began", "[repl]") {
  // Behind a closed bracket.
  CHECK(indent_behind("def f(x):\n    a = [x,\n         1]") == 4);
  CHECK(indent_behind("def f(x):\n    y = foo(\n        x)") == 4);
  CHECK(indent_behind("def f(a,\n      b):") == 4);
  CHECK(indent_behind("if (a and\n        b):") == 4);
  CHECK(indent_behind("    return foo(\n        x)") == 0);
  // Inside one: below what follows it, or deeper; then as the line before.
  CHECK(indent_behind("    a = [x,") == 9);
  CHECK(indent_behind("    a = foo(  # why") == 8);
  CHECK(indent_behind("a = [x,\n  1,  # first:") == 2);
  CHECK(indent_behind("x = (a[1:") == 7);
  // Strings and comments say nothing.
  CHECK(indent_behind("def f(x):\n    \"\"\"Doc.\n\n    Args:") == 4);
  CHECK(indent_behind("    \"\"\"Doc.\n    Args:\n        x: it\n    \"\"\"") == 4);
  CHECK(indent_behind("    y = 1\n    # note:") == 4);
  CHECK(indent_behind("    y = \"\"\"\n    return") == 4);
  CHECK(indent_behind("    if x:  # (") == 8);
  CHECK(indent_behind("    z = ':'") == 4);
  // A backslash.
  CHECK(indent_behind("    a = 1 + \\") == 8);
  CHECK(indent_behind("    a = 1 + \\\n          2 + \\") == 10);
  CHECK(indent_behind("    a = 1 + \\\n          2") == 4);
  CHECK(indent_behind("") == 0);
}

TEST_CASE("a closer stands where the line of its opener does", "[repl]") {
  CHECK(indent_of_closer("def f(x):\n    a = [\n        x,\n        ") == 4);
  CHECK(indent_of_closer("    a = foo(b(1), {\n        ") == 4);
  CHECK(indent_of_closer("x\n") == 0);
}

TEST_CASE("display width leaves out colours and marks, and counts wide characters twice",
          "[repl]") {
  CHECK(display_width("\x1b[32mabc\x1b[0m") == 3);
  CHECK(display_width("\u65e5") == 2);
  CHECK(display_width("e\u0301e\u0329\u0301") == 2);
  CHECK(display_width("\u2764\ufe0f") == 1);
  CHECK(display_width("\xff\xfe") == 2);
  CHECK(with_tabs_expanded("\ta\t\x1b[32mb\x1b[0m\tc") ==
        "        a       \x1b[32mb\x1b[0m       c");
  CHECK(fitting("a\u65e5b", 2) == "a");
  CHECK(fitting("ae\u0301b", 2) == "ae\u0301");
}

TEST_CASE("a character and its marks are one step", "[repl]") {
  TextBuffer buffer;
  buffer.set("ae\u0301\U0001f469\u200d\U0001f469b");
  buffer.move_left();
  buffer.move_left();
  CHECK(buffer.line_before_cursor() == "ae\u0301");
  buffer.delete_left();
  CHECK(buffer.text() == "a\U0001f469\u200d\U0001f469b");
  buffer.delete_right();
  CHECK(buffer.text() == "ab");
  buffer.set("\u65e5\u672c\nabcdef");
  buffer.move_left();
  buffer.move_left();
  buffer.move_left();
  CHECK(buffer.move_up());
  CHECK(buffer.line_before_cursor() == "\u65e5");
  CHECK(buffer.move_down());
  CHECK(buffer.line_before_cursor() == "ab");
}

TEST_CASE("in front of a line's text, a line is opened above it", "[repl]") {
  TextBuffer buffer;
  buffer.set("if a:\n    b");
  CHECK_FALSE(buffer.stands_before_text());
  buffer.move_line_start();
  CHECK(buffer.stands_before_text());
  buffer.open_line_above();
  CHECK(buffer.text() == "if a:\n\n    b");
  CHECK(buffer.line_before_cursor().empty());
  CHECK(buffer.cursor_line() == 2);
  buffer.set("x");
  buffer.move_line_start();
  CHECK_FALSE(buffer.stands_before_text());
}

}  // namespace
}  // namespace glint
