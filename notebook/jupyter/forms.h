// A value's forms as a message or a file has them: JSON is data, where it is any; all else is text.
//
//     {"text/plain": "2", "application/json": "{\"a\": 1}"}
//     ->  {"text/plain": "2", "application/json": {"a": 1}}
#pragma once

#include <string>
#include <utility>

#include "notebook/host.h"

namespace glint::notebook {

/// JSON that is nested deeper is no data: who writes it, or copies it, calls himself for each
/// level.
inline constexpr int kDeepestJson = 100;

/// Discarded where the text is none, or too deep.
template <class Json>
Json parsed_form(const std::string& text) {
  bool is_shallow = true;
  auto keep = [&](int depth, typename Json::parse_event_t, Json&) {
    is_shallow = is_shallow && depth < kDeepestJson;
    return is_shallow;
  };
  Json data = Json::parse(text, keep, false);
  return is_shallow ? data : Json(Json::value_t::discarded);
}

/// `text_of` makes a text what it is there: itself, or a list of lines.
template <class Json, class TextOf>
Json json_of(const Forms& forms, TextOf text_of) {
  Json data = Json::object();
  for (const auto& [type, text] : forms) {
    const bool is_json = type == "application/json" || type.ends_with("+json");
    Json form = is_json ? parsed_form<Json>(text) : Json(text_of(text));
    if (!form.is_discarded()) data[type] = std::move(form);
  }
  return data;
}

}  // namespace glint::notebook
