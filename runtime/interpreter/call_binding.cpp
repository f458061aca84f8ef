// How the arguments of a call meet the parameters of a script's function, and what is said where
// they do not.
//
//     def f(a, b=1, *rest, c, **others): ...      f(1, c=2): registers a, b, rest, c, others
#include <fmt/format.h>

#include "runtime/interpreter/machine.h"

namespace glint::runtime {

using program::ParameterKind;

// ---- Messages, worded as CPython's -------------------------------------------------------------

static std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : names.size() > 2 ? ", and " : " and ";
    text += "'" + names[i] + "'";
  }
  return text;
}

static void raise_missing(Interpreter& in, const FunctionObject& function, std::string_view sort,
                          const std::vector<std::string>& names) {
  in.raise("TypeError",
           fmt::format("{}() missing {} required {} argument{}: {}", function.qualified_name->text,
                       names.size(), sort, names.size() == 1 ? "" : "s", quoted_list(names)));
}

static void raise_too_many(Interpreter& in, FunctionCode& code, FunctionObject& function,
                           size_t given, const Value* registers) {
  size_t defaults = function.defaults.size();
  std::string takes =
      defaults > 0 ? fmt::format("from {} to {}", code.positional - defaults, code.positional)
                   : fmt::format("{}", code.positional);
  bool plural = defaults > 0 || code.positional != 1;
  size_t keyword_only = 0;
  const auto& parameters = code.program->parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    keyword_only += parameters[i].kind == ParameterKind::kKeywordOnly && registers[i].defined();
  }
  std::string were =
      keyword_only == 0
          ? fmt::format("{} {}", given, given == 1 ? "was" : "were")
          : fmt::format(
                "{} positional argument{} (and {} keyword-only argument{}) "
                "were",
                given, given == 1 ? "" : "s", keyword_only, keyword_only == 1 ? "" : "s");
  in.raise("TypeError", fmt::format("{}() takes {} positional argument{} but {} given",
                                    function.qualified_name->text, takes, plural ? "s" : "", were));
}

// ---- Binding -----------------------------------------------------------------------------------

/// Where a keyword argument goes: a parameter's index, -1 if none has that name.
static int find_parameter(const FunctionCode& code, const StrObject* name) {
  const auto& parameters = code.program->parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    bool by_name = parameters[i].kind == ParameterKind::kPositional ||
                   parameters[i].kind == ParameterKind::kKeywordOnly;
    if (by_name && (code.parameter_names[i].get() == name || parameters[i].name == name->text)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

/// The keywords that name positional-only parameters, joined: what CPython's message lists.
static std::string positional_only_names(const FunctionCode& code, const Arguments& arguments) {
  std::string names;
  for (const auto& parameter : code.program->parameters) {
    if (parameter.kind != ParameterKind::kPositionalOnly) continue;
    for (size_t i = 0; i < arguments.keyword_count; ++i) {
      if (arguments.names[i]->text != parameter.name) continue;
      names += (names.empty() ? "" : ", ") + parameter.name;
    }
  }
  return names;
}

static bool bind_keywords(Interpreter& in, FunctionCode& code, const FunctionObject& function,
                          const Arguments& arguments, Value* registers, DictObject* rest) {
  const auto& name = function.qualified_name->text;
  for (size_t i = 0; i < arguments.keyword_count; ++i) {
    StrObject* key = arguments.names[i];
    const Value& value = arguments.values[arguments.count + i];
    int parameter = find_parameter(code, key);
    if (parameter >= 0) {
      if (registers[parameter].defined()) {
        in.raise("TypeError",
                 fmt::format("{}() got multiple values for argument '{}'", name, key->text));
        return false;
      }
      registers[parameter] = value;
    } else if (rest) {
      rest->set(Ref<StrObject>(key), value);
    } else {
      if (std::string misplaced = positional_only_names(code, arguments); !misplaced.empty()) {
        in.raise("TypeError",
                 fmt::format("{}() got some positional-only arguments passed as keyword "
                             "arguments: '{}'",
                             name, misplaced));
        return false;
      }
      in.raise("TypeError",
               fmt::format("{}() got an unexpected keyword argument '{}'", name, key->text));
      return false;
    }
  }
  return true;
}

static bool fill_defaults(Interpreter& in, FunctionCode& code, FunctionObject& function,
                          Value* registers) {
  std::vector<std::string> missing;
  size_t first_default =
      code.positional - std::min<size_t>(code.positional, function.defaults.size());
  for (size_t i = 0; i < code.positional; ++i) {
    if (registers[i].defined()) continue;
    if (i >= first_default) {
      registers[i] = function.defaults[i - first_default];
    } else {
      missing.push_back(code.program->parameters[i].name);
    }
  }
  if (!missing.empty()) {
    raise_missing(in, function, "positional", missing);
    return false;
  }
  if (code.keyword_only == 0) return true;
  const auto& parameters = code.program->parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind != ParameterKind::kKeywordOnly || registers[i].defined()) continue;
    Value* value = function.keyword_defaults
                       ? function.keyword_defaults->find(code.parameter_names[i].get())
                       : nullptr;
    if (value) {
      registers[i] = *value;
    } else {
      missing.push_back(parameters[i].name);
    }
  }
  if (missing.empty()) return true;
  raise_missing(in, function, "keyword-only", missing);
  return false;
}

bool Machine::bind(Interpreter& in, FunctionCode& code, FunctionObject& function,
                   const Arguments& arguments, Value* registers) {
  size_t positional = std::min<size_t>(arguments.count, code.positional);
  for (size_t i = 0; i < positional; ++i) registers[i] = arguments.values[i];
  if (code.star_args >= 0) {
    std::vector<Value> rest(arguments.values + positional, arguments.values + arguments.count);
    registers[code.star_args] = Value(make_tuple(std::move(rest)));
  }
  Ref<DictObject> keywords;
  if (code.star_keywords >= 0) {
    keywords = make_dict();
    registers[code.star_keywords] = Value(keywords);
  }
  if (!bind_keywords(in, code, function, arguments, registers, keywords.get())) return false;
  if (arguments.count > code.positional && code.star_args < 0) {
    raise_too_many(in, code, function, arguments.count, registers);
    return false;
  }
  return fill_defaults(in, code, function, registers);
}

}  // namespace glint::runtime
