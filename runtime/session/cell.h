// What a notebook's cell is run with: how it went, and values in the forms that a notebook shows.
//
//     1 + 1            {"text/plain": "2"}
//     Picture()        {"text/plain": "<Picture ...>", "image/svg+xml": "<svg ..."}
//     1 / 0            {"ZeroDivisionError", "division by zero", "Traceback ..."}
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace glint {

namespace runtime {
class Interpreter;
class Value;
}  // namespace runtime

/// How what was typed went.
enum class EntryOutcome : uint8_t { kDone, kRaised, kExit };

/// Whether a text can run as it stands, needs more lines, or cannot be mended by any.
enum class TextState : uint8_t { kComplete, kIncomplete, kInvalid };

/// By MIME type, what shows a value; `text/plain` is always there.
using MimeForms = std::map<std::string, std::string>;

struct RaisedException {
  std::string type;
  std::string text;
  std::string traceback;
};

struct CellOutcome {
  EntryOutcome outcome = EntryOutcome::kDone;
  std::optional<RaisedException> raised = {};
};

/// A value's repr, and what its methods `_repr_html_`, `_repr_svg_`, `_repr_mimebundle_` and so on
/// give, as IPython asks for them. One that raises gives nothing; Ctrl-C in one is left pending.
MimeForms forms_of(runtime::Interpreter& interpreter, const runtime::Value& value);
/// Adds those of a dict by MIME type: texts, data of JSON, bytes of pictures. False: raised.
bool add_forms(runtime::Interpreter& interpreter, const runtime::Value& dict, MimeForms& forms);

}  // namespace glint
