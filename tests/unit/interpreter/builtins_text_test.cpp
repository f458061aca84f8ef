// Format specs, number text, string algorithms and templates, against values from CPython 3.11.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "runtime/interpreter/builtins_format_spec.h"
#include "runtime/interpreter/builtins_number_text.h"
#include "runtime/interpreter/builtins_template.h"
#include "runtime/interpreter/builtins_text_algorithms.h"
#include "runtime/interpreter/builtins_utf8.h"

namespace glint::runtime {
namespace {

std::string formatted(double value, std::string_view spec) {
  auto parsed = parse_format_spec(spec, "float");
  if (!parsed) return parsed.error().message;
  auto text = format_float(value, *parsed);
  return text ? *text : text.error().message;
}
std::string formatted(int64_t value, std::string_view spec) {
  auto parsed = parse_format_spec(spec, "int");
  if (!parsed) return parsed.error().message;
  auto text = format_int(value, *parsed);
  return text ? *text : text.error().message;
}
std::string formatted(std::string_view value, std::string_view spec) {
  auto parsed = parse_format_spec(spec, "str");
  if (!parsed) return parsed.error().message;
  auto text = format_text(value, *parsed);
  return text ? *text : text.error().message;
}

TEST_CASE("float_repr gives the shortest text that reads back") {
  CHECK(float_repr(0.1) == "0.1");
  CHECK(float_repr(1.0) == "1.0");
  CHECK(float_repr(-0.0) == "-0.0");
  CHECK(float_repr(1e15) == "1000000000000000.0");
  CHECK(float_repr(1e16) == "1e+16");
  CHECK(float_repr(1e-4) == "0.0001");
  CHECK(float_repr(1e-5) == "1e-05");
  CHECK(float_repr(1.0 / 3) == "0.3333333333333333");
  CHECK(float_repr(5e-324) == "5e-324");
  CHECK(float_repr(HUGE_VAL) == "inf");
}

TEST_CASE("round_to_places rounds the exact value, half to even") {
  CHECK(round_to_places(2.675, 2) == 2.67);
  CHECK(round_to_places(0.5, 0) == 0.0);
  CHECK(round_to_places(1234.5, -2) == 1200.0);
  CHECK(round_to_places(51.0, -2) == 100.0);
  CHECK(round_to_places(50.0, -2) == 0.0);
}

TEST_CASE("format specs of numbers") {
  CHECK(formatted(3.14159, ">10.2f") == "      3.14");
  CHECK(formatted(1234567.891, ",.2f") == "1,234,567.89");
  CHECK(formatted(0.25, ".1%") == "25.0%");
  CHECK(formatted(1e-10, "g") == "1e-10");
  CHECK(formatted(100000.0, "") == "100000.0");
  CHECK(formatted(12345.678, "012.1f") == "0000012345.7");
  CHECK(formatted(3.0, ".3") == "3.0");
  CHECK(formatted(-0.001, "z.1f") == "0.0");
  CHECK(formatted(int64_t{1234567}, ",") == "1,234,567");
  CHECK(formatted(int64_t{255}, "#06x") == "0x00ff");
  CHECK(formatted(int64_t{1234}, "010,") == "00,001,234");
  CHECK(formatted(int64_t{65}, "c") == "A");
  CHECK(formatted(int64_t{5}, "+d") == "+5");
  CHECK(formatted(int64_t{5}, "s") == "Unknown format code 's' for object of type 'int'");
  CHECK(formatted(2.0, "d") == "Unknown format code 'd' for object of type 'float'");
  CHECK(formatted(2.0, "10.2fx") == "Invalid format specifier '10.2fx' for object of type 'float'");
}

TEST_CASE("format specs of text count code points") {
  CHECK(formatted("ab", "*^6") == "**ab**");
  CHECK(formatted("h\u00e9", "4") == "h\u00e9  ");
  CHECK(formatted("abcdef", ".2") == "ab");
  CHECK(formatted("ab", "=6") == "'=' alignment not allowed in string format specifier");
}

TEST_CASE("int and float read text as CPython does") {
  CHECK(parse_int(" 1_000 ").digits == "1000");
  CHECK(parse_int("0xff", 16).digits == "ff");
  CHECK(parse_int("0b101", 0).base == 2);
  CHECK(parse_int("1__0").digits.empty());
  CHECK(parse_int("").digits.empty());
  CHECK(parse_int("12", 2).digits.empty());
  CHECK(parse_int("-9223372036854775808").is_negative);
  CHECK(parse_float(" 1e3 ").value == 1000.0);
  CHECK(parse_float("-inf").value == -HUGE_VAL);
  CHECK_FALSE(parse_float("1e").ok);
  CHECK_FALSE(parse_float("0x10").ok);
}

TEST_CASE("repr of text chooses quotes and escapes") {
  CHECK(text_repr("it's") == "\"it's\"");
  CHECK(text_repr("a'b\"c") == "'a\\'b\"c'");
  CHECK(text_repr("\n\t\x01\u00e9\u200b") == "'\\n\\t\\x01\u00e9\\u200b'");
  CHECK(bytes_repr(std::string("a\0\xff", 3)) == "b'a\\x00\\xff'");
}

TEST_CASE("splitting and stripping") {
  CHECK(split("a,b,,c", ",", -1) == TextPieces{"a", "b", "", "c"});
  CHECK(split("a,b,c", ",", 1) == TextPieces{"a", "b,c"});
  CHECK(split_from_right("a,b,c", ",", 1) == TextPieces{"a,b", "c"});
  CHECK(split_at_spaces("  a  b c ", -1) == TextPieces{"a", "b", "c"});
  CHECK(split_at_spaces("  a  b c ", 1) == TextPieces{"a", "b c "});
  CHECK(split_lines("a\nb\r\nc", false) == TextPieces{"a", "b", "c"});
  CHECK(replace_all("abab", "", "-", 2) == "-a-bab");
  CHECK(title_case("hello wORLD it's") == "Hello World It'S");
  CHECK(center("ab", 5, "*") == "**ab*");
  CHECK(fill_zeros("-5", 4) == "-005");
}

TEST_CASE("format templates") {
  auto pieces = parse_format_template("{{a}} {0.x[k]!r:>{w}} {}");
  REQUIRE(pieces.ok());
  REQUIRE(pieces->size() == 2);
  CHECK((*pieces)[0].literal == "{a} ");
  CHECK((*pieces)[0].name == "0.x[k]");
  CHECK((*pieces)[0].conversion == 'r');
  CHECK((*pieces)[0].spec == ">{w}");
  auto path = parse_field_name("0.x[k][3]");
  REQUIRE(path.ok());
  CHECK(path->first_is_index);
  CHECK(path->steps.size() == 3);
  CHECK(path->steps[2].index == 3);
  CHECK(parse_format_template("}").error().message == "Single '}' encountered in format string");
}

TEST_CASE("percent templates") {
  auto pieces = parse_percent_template("%-5.2f%% %(key)s%*d");
  REQUIRE(pieces.ok());
  CHECK((*pieces)[0].left);
  CHECK((*pieces)[0].width == 5);
  CHECK((*pieces)[0].precision == 2);
  CHECK((*pieces)[1].literal == "% ");
  CHECK((*pieces)[1].key == "key");
  CHECK((*pieces)[2].width_from_argument);
  CHECK_FALSE(parse_percent_template("%y").ok());
}

}  // namespace
}  // namespace glint::runtime
