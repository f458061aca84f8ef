// The arguments of a call in IR text and back: `%x, [2, 3], dim=1, dtype=f32`, in a graph and in a
// schedule alike.
//
//     arguments_text(node.arguments, [&](Value v) { return graph.text(v); })
//     parse_arguments<Value>(in, [&] { return value(); })    up to what no comma follows
//
// What a tensor is called is the owner's business: it gives the one function that prints such a
// reference, or reads it from its `%` on.
#pragma once

#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "ir/argument.h"
#include "ir/text_cursor.h"

namespace glint {

/// `cpu`, `cuda:1`.
Device parse_device(TextCursor& in);

/// `%x, dim=[0, 1]`; `reference_text(V)` prints a tensor.
template <class V, class ReferenceText>
std::string argument_text(const BasicArgument<V>& argument, const ReferenceText& reference_text) {
  struct Visitor {
    const ReferenceText& reference_text;
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool v) const { return v ? "True" : "False"; }
    std::string operator()(SymInt v) const { return v.text(); }
    std::string operator()(double v) const { return number_text(v); }
    std::string operator()(const std::string& v) const { return quoted(v); }
    std::string operator()(DType v) const { return std::string(dtype_short_name(v)); }
    std::string operator()(Device v) const { return to_string(v); }
    std::string operator()(const V& v) const { return reference_text(v); }
    std::string operator()(const BasicArgumentList<V>& items) const {
      std::string text = "[";
      for (size_t i = 0; i < items.size(); ++i)
        text += (i ? ", " : "") + std::visit(*this, items[i].value);
      return text + "]";
    }
  };
  return std::visit(Visitor{reference_text}, argument.value);
}

template <class V, class ReferenceText>
std::string arguments_text(const std::vector<BasicNamedArgument<V>>& arguments,
                           const ReferenceText& reference_text) {
  std::string text;
  for (size_t i = 0; i < arguments.size(); ++i) {
    text += i ? ", " : " ";
    if (!arguments[i].name.empty()) text += arguments[i].name.text() + "=";
    text += argument_text(arguments[i].value, reference_text);
  }
  return text;
}

/// `read_reference()` reads a tensor; it begins with `%`.
template <class V, class ReadReference>
BasicArgument<V> parse_argument(TextCursor& in, const ReadReference& read_reference) {
  using Argument = BasicArgument<V>;
  if (in.peek("%")) return read_reference();
  if (in.accept("[")) {
    BasicArgumentList<V> items;
    while (in.ok() && !in.peek("]")) {
      items.push_back(parse_argument<V>(in, read_reference));
      if (!in.accept(",")) break;
    }
    in.expect("]");
    return items;
  }
  if (in.peek("\"")) return in.string().value_or("");
  std::string_view word = in.peek_word();
  if (word == "None") return in.word(), Argument();
  if (word == "True") return in.word(), Argument(true);
  if (word == "False") return in.word(), Argument(false);
  if (word == "cpu" || word == "cuda") return parse_device(in);
  if (auto dtype = find_dtype(word)) return in.word(), Argument(*dtype);
  TextCursor before = in;
  if (auto number = in.number(); number && number->is_float) return number->real;
  if (!in.ok()) return {};
  in = before;
  return parse_symint(in);
}

/// Arguments, with or without names, up to the one that no comma follows.
template <class V, class ReadReference>
std::vector<BasicNamedArgument<V>> parse_arguments(TextCursor& in,
                                                   const ReadReference& read_reference) {
  std::vector<BasicNamedArgument<V>> arguments;
  do {
    TextCursor before = in;
    std::string_view word = in.word();
    Name name;
    if (!word.empty() && in.accept("="))
      name = Name(word);
    else
      in = before;
    arguments.push_back({name, parse_argument<V>(in, read_reference)});
  } while (in.ok() && in.accept(","));
  return arguments;
}

}  // namespace glint
