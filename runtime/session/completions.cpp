// What Tab offers behind a text: modules in an import, attributes behind a dot, names elsewhere.
//
//     import ma          math
//     import torch.n     nn
//     from math import s sin sinh sqrt
//     torch.rel          relu relu_
//     "abc".up           upper
//     rows[0].app        append
//     pri                print
//     f(x, sc            scale=
//     settings["sc       scale
//
// An argument stands before names, and alone where nothing of it is typed yet.
// Nothing is run for it but what an attribute's own code runs: a module of the script's is looked
// into only if it is loaded.

#include <cctype>
#include <functional>

#include "library/library.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/session/operand.h"
#include "runtime/session/parts.h"

namespace glint {
namespace {

bool is_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// The words and commas of the statement at the end of the text.
std::vector<std::string> words_of(std::string_view text) {
  size_t begin = text.find_last_of("\n;");
  if (begin != std::string_view::npos) text.remove_prefix(begin + 1);
  std::vector<std::string> words;
  bool joins = false;
  for (char c : text) {
    bool part = is_part(c);
    if (part && joins)
      words.back() += c;
    else if (c != ' ' && c != '\t')
      words.emplace_back(1, c);
    joins = part;
  }
  if (!joins) words.emplace_back();  // what is to be completed is empty so far
  return words;
}

/// What an import wants at the end of the text.
enum class Wanted : uint8_t { kAnything, kModule, kNameOfModule, kNothing };

Wanted wanted_at(const std::vector<std::string>& words) {
  bool imports = words.size() > 1 && words[0] == "import";
  bool from = words.size() > 1 && words[0] == "from";
  if (!imports && !from) return Wanted::kAnything;
  if (from && words.size() == 2) return Wanted::kModule;
  const std::string& before = words[words.size() - 2];
  bool opens = before == "import" || before == "," || before == "(";
  if (imports) return opens ? Wanted::kModule : Wanted::kNothing;
  if (words.size() > 3 && words[2] == "import" && opens) return Wanted::kNameOfModule;
  return Wanted::kNothing;
}

/// The attributes that `dir` tells of.
std::vector<std::string> attributes_of(runtime::Interpreter& interpreter,
                                       const runtime::Value& object) {
  runtime::Value* dir = interpreter.builtins().table.find("dir");
  runtime::Value told = dir ? interpreter.call(*dir, {object}) : runtime::Value();
  if (told.is_undefined()) {
    interpreter.take_pending();
    return {};
  }
  std::vector<std::string> names;
  if (auto* list = told.try_as<runtime::ListObject>())
    for (const runtime::Value& each : list->items)
      if (auto* name = each.try_as<runtime::StrObject>()) names.emplace_back(name->view());
  return names;
}

/// Where the quoted text or the bracket that ends at `end` begins; npos if it does not.
size_t opening_of(std::string_view text, size_t end) {
  char last = text[end - 1];
  char opening = last == ']' ? '[' : last;
  return end < 2 ? std::string_view::npos : text.rfind(opening, end - 2);
}

/// What stands before a dot at the end of the text: names, literal texts, items: `a.b["c"][0]`.
std::string_view operand_at_end(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0) {
    char c = text[begin - 1];
    if (is_part(c)) {
      --begin;
    } else if (c == ']') {
      size_t opening = opening_of(text, begin);
      if (opening == std::string_view::npos) return {};
      begin = opening;
    } else if ((c == '"' || c == '\'') && begin == text.size()) {
      size_t opening = opening_of(text, begin);
      return opening == std::string_view::npos ? text.substr(0, 0) : text.substr(opening);
    } else {
      break;
    }
  }
  return text.substr(begin);
}

/// The parts that may follow `parent`, which ends with a dot or is empty, in a module's full name.
std::vector<std::string> modules_behind(const std::set<std::string>& all, std::string_view parent) {
  std::vector<std::string> parts;
  for (const std::string& name : all) {
    if (!name.starts_with(parent)) continue;
    std::string part = name.substr(parent.size());
    parts.push_back(part.substr(0, part.find('.')));
  }
  return parts;
}

}  // namespace

std::vector<std::string> Session::completions(const std::string& text, size_t& begin) {
  runtime::Interpreter& interpreter = parts_->interpreter;
  parts_->set_search_folders("");
  std::vector<std::string> words = words_of(text);
  const std::string& path = words.back();
  size_t last = path.rfind('.') + 1;  // 0 where there is no dot
  std::string parent = path.substr(0, last), prefix = path.substr(last);
  begin = text.size() - prefix.size();
  std::vector<std::string> names, arguments;
  switch (wanted_at(words)) {
    case Wanted::kNothing:
      break;
    case Wanted::kModule:
      names = modules_behind(parts_->importer.names(), parent);
      break;
    case Wanted::kNameOfModule: {
      const std::string& name = words[1];
      bool ours = library::find_module(name) || runtime::find_native_module(name);
      runtime::Value* loaded = interpreter.modules().find(name);
      runtime::Value module = loaded ? *loaded : runtime::Value();
      if (!loaded && ours) module = interpreter.import_module(name);
      if (module.defined()) names = attributes_of(interpreter, module);
      for (std::string& each : modules_behind(parts_->importer.names(), name + "."))
        names.push_back(std::move(each));
      break;
    }
    case Wanted::kAnything: {
      runtime::Value object;
      if (last > 0) {
        auto path_of = [&](std::string_view names) { return parts_->attribute_path(names); };
        std::string before = text.substr(0, begin - 1);
        object = operand(interpreter, operand_at_end(before), path_of, Items::kOfBuiltins);
      }
      if (last == 0) {
        arguments = parts_->keyword_names(text.substr(0, begin));
        if (arguments.empty() || !prefix.empty()) names = this->names();
      }
      if (object.defined()) names = attributes_of(interpreter, object);
      break;
    }
  }
  std::set<std::string> found;
  for (std::string& name : names) {
    bool hidden = name.starts_with('_') && prefix.empty();
    if (name.starts_with(prefix) && !hidden) found.insert(std::move(name));
  }
  std::erase_if(arguments, [&](const std::string& each) { return !each.starts_with(prefix); });
  arguments.insert(arguments.end(), found.begin(), found.end());
  return arguments;
}

/// Whether a text stands in quotes, of either kind, as what it is.
static bool is_typed_as_it_is(const runtime::StrObject& key) {
  return std::ranges::none_of(key.view(), [](unsigned char c) {
    return c < 0x20 || c == 0x7f || c == '"' || c == '\'' || c == '\\';
  });
}

std::vector<std::string> Session::keys_beginning(const std::string& text, size_t begin) {
  if (begin < 2 || text[begin - 2] != '[') return {};
  auto path_of = [&](std::string_view names) { return parts_->attribute_path(names); };
  std::string_view before = std::string_view(text).substr(0, begin - 2);
  runtime::Value object =
      operand(parts_->interpreter, operand_at_end(before), path_of, Items::kOfBuiltins);
  auto* dict = object.defined() ? object.try_as<runtime::DictObject>() : nullptr;
  std::vector<std::string> keys;
  if (!dict) return keys;
  for (const auto& entry : dict->table.entries())
    if (auto* key = entry.key.try_as<runtime::StrObject>())
      if (key->view().starts_with(std::string_view(text).substr(begin)) && is_typed_as_it_is(*key))
        keys.emplace_back(key->view());
  return keys;
}

}  // namespace glint
