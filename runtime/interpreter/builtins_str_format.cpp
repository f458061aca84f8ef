// `str.format` and the `%` operator of str: templates (builtins_template.h) filled with values.
#include <algorithm>
#include <cmath>

#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_format_spec.h"
#include "runtime/interpreter/builtins_number_text.h"
#include "runtime/interpreter/builtins_template.h"
#include "runtime/interpreter/builtins_utf8.h"
#include "runtime/interpreter/number_objects.h"

namespace glint::runtime {
namespace {

// ---- str.format --------------------------------------------------------------------------------

/// One `str.format` at work: the arguments, and which numbering the fields use.
class Formatter {
 public:
  Formatter(Interpreter& in, const std::vector<Value>& positional, const Value& keywords)
      : in_(in), positional_(positional), keywords_(keywords) {}

  bool format(std::string_view text, int depth, std::string& out) {
    if (depth < 0) return fail("Max string recursion exceeded");
    auto pieces = parse_format_template(text);
    if (!pieces) return fail(pieces.error().message);
    for (const FormatPiece& piece : *pieces) {
      out += piece.literal;
      if (piece.has_field && !format_field(piece, depth, out)) return false;
    }
    return true;
  }

 private:
  bool fail(std::string message) {
    in_.raise("ValueError", std::move(message));
    return false;
  }

  bool format_field(const FormatPiece& piece, int depth, std::string& out) {
    Value value;
    std::string spec;
    if (!look_up(piece.name, value) || !convert(piece.conversion, value)) return false;
    if (!piece.spec.empty() && !format(piece.spec, depth - 1, spec)) return false;
    return format_of(in_, value, spec, out);
  }

  bool convert(char conversion, Value& value) {
    if (!conversion) return true;
    std::string text;
    if (conversion != 'r' && conversion != 's' && conversion != 'a')
      return fail(fmt::format("Unknown conversion specifier {}", conversion));
    if (!converted_text(in_, value, conversion, text)) return false;
    value = str_value(std::move(text));
    return true;
  }

  bool look_up(std::string_view name, Value& value) {
    auto path = parse_field_name(name);
    if (!path) return fail(path.error().message);
    if (!first_value(*path, value)) return false;
    for (const FieldPath::Step& step : path->steps) {
      if (step.is_attribute)
        value = get_attribute(in_, value, step.name);
      else if (step.is_index)
        value = get_item(in_, value, Value(step.index));
      else
        value = get_item(in_, value, str_value(step.name));
      if (value.is_undefined()) return false;
    }
    return true;
  }

  bool first_value(const FieldPath& path, Value& value) {
    if (!path.first.empty() && !path.first_is_index) {
      Value* found =
          keywords_.is<DictObject>() ? keywords_.as<DictObject>()->find(path.first) : nullptr;
      if (!found) {
        in_.raise(in_.classes().exceptions["KeyError"], {str_value(path.first)});
        return false;
      }
      value = *found;
      return true;
    }
    bool automatic = path.first.empty();
    if (automatic ? manual_ : next_ > 0)
      return fail(automatic ? "cannot switch from manual field specification to automatic field "
                              "numbering"
                            : "cannot switch from automatic field numbering to manual field "
                              "specification");
    manual_ = manual_ || !automatic;
    int64_t index = automatic ? next_++ : path.first_index;
    if (index >= static_cast<int64_t>(positional_.size())) {
      in_.raise("IndexError",
                fmt::format("Replacement index {} out of range for positional args tuple", index));
      return false;
    }
    value = positional_[static_cast<size_t>(index)];
    return true;
  }

  Interpreter& in_;
  const std::vector<Value>& positional_;
  const Value& keywords_;
  int64_t next_ = 0;
  bool manual_ = false;
};

Value str_format(NativeCall& call) {
  std::string out;
  Formatter formatter(call.interpreter, call[1].as<TupleObject>()->items, call[2]);
  return formatter.format(view_of(call[0]), 2, out) ? str_value(std::move(out)) : Value();
}

Value str_format_map(NativeCall& call) {
  std::string out;
  std::vector<Value> none;
  Formatter formatter(call.interpreter, none, call[1]);
  return formatter.format(view_of(call[0]), 2, out) ? str_value(std::move(out)) : Value();
}

constexpr Effects kFormats{.pure = true, .reads_elements = true, .calls_back = true};
constexpr NativeDefinition kMethods[] = {
    {"format(self, /, *args, **kwargs)", str_format, kFormats, "the fields in braces filled in"},
    {"format_map(self, mapping, /)", str_format_map, kFormats, "likewise, from a dict"},
};

// ---- % -----------------------------------------------------------------------------------------

/// One `text % values` at work.
class Percent {
 public:
  Percent(Interpreter& in, const Value& values, bool of_bytes)
      : in_(in), values_(values), of_bytes_(of_bytes) {
    if (auto* tuple = values.try_as<TupleObject>()) items_ = &tuple->items;
  }

  bool format(const std::vector<PercentPiece>& pieces, std::string& out) {
    for (const PercentPiece& piece : pieces) {
      out += piece.literal;
      if (piece.has_field && !format_piece(piece, out)) return false;
    }
    bool mapping = !items_ && (values_.is<DictObject>() || values_.is(kInstanceKind) ||
                               values_.is<ListObject>());
    bool all_used = items_ ? used_ >= items_->size() : used_ > 0 || mapping;
    if (all_used || used_keys_) return true;
    return fail("TypeError", fmt::format("not all arguments converted during {} formatting",
                                         of_bytes_ ? "bytes" : "string"));
  }

 private:
  bool fail(std::string_view exception, std::string message) {
    in_.raise(exception, std::move(message));
    return false;
  }

  bool next(Value& value) {
    if (items_ ? used_ >= items_->size() : used_ > 0)
      return fail("TypeError", "not enough arguments for format string");
    value = items_ ? (*items_)[used_] : values_;
    ++used_;
    return true;
  }

  bool star(bool from_argument, int64_t& number) {
    if (!from_argument) return true;
    Value value;
    if (!next(value)) return false;
    if (!number_in(value).is_integral()) return fail("TypeError", "* wants int");
    number = number_in(value).as_int();
    return true;
  }

  bool format_piece(PercentPiece piece, std::string& out) {
    if (!star(piece.width_from_argument, piece.width) ||
        !star(piece.precision_from_argument, piece.precision))
      return false;
    if (piece.width < -1) {
      piece.left = true;
      piece.width = -piece.width;
    }
    Value value;
    if (piece.has_key) {
      if (items_ || !values_.is_object()) return fail("TypeError", "format requires a mapping");
      used_keys_ = true;
      Value key = of_bytes_ ? Value(make_ref<BytesObject>(piece.key)) : str_value(piece.key);
      value = get_item(in_, values_, key);
      if (value.is_undefined()) return false;
    } else if (!next(value)) {
      return false;
    }
    return format_value(piece, value, out);
  }

  FormatSpec spec_of(const PercentPiece& piece, bool numeric) {
    FormatSpec spec;
    spec.width = piece.width;
    spec.precision = piece.precision;
    spec.sign = piece.plus ? '+' : piece.space ? ' ' : '\0';
    spec.alternate = piece.alternate;
    spec.align = piece.left ? '<' : '>';
    if (piece.zero && !piece.left && numeric) {
      spec.fill = "0";
      spec.align = '=';
    }
    return spec;
  }

  bool format_value(const PercentPiece& piece, const Value& value, std::string& out) {
    if (of_bytes_ && std::string_view("bsc").find(piece.type) != std::string_view::npos)
      return append_bytes(piece, value, out);
    switch (piece.type) {
      case 's':
      case 'r':
      case 'a': {
        std::string text;
        if (!converted_text(in_, value, of_bytes_ ? 'a' : piece.type, text)) return false;
        return append_text(piece, text, out);
      }
      case 'c':
        if (is_str(value) && value.as<StrObject>()->length == 1)
          return append_text(piece, view_of(value), out);
        return append_code_point_of(piece, number_in(value), out);
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        return append_int(piece, value, out);
      default:
        return append_float(piece, value, out);
    }
  }

  bool append_code_point_of(const PercentPiece& piece, const Value& code, std::string& out) {
    if (is_big_int(code)) return fail("OverflowError", "%c arg not in range(0x110000)");
    if (!code.is_integral()) return fail("TypeError", "%c requires int or char");
    return append_text(piece, encode_code_point(static_cast<uint32_t>(code.as_int())), out);
  }

  bool append_bytes(const PercentPiece& piece, const Value& value, std::string& out) {
    std::string data;
    if (auto* bytes = value.try_as<BytesObject>()) data = bytes->data;
    bool character = piece.type == 'c';
    if (const Value& code = number_in(value); character && code.is_integral()) {
      if (code.as_int() < 0 || code.as_int() > 255)
        return fail("OverflowError", "%c arg not in range(256)");
      data = static_cast<char>(code.as_int());
    } else if (character && data.size() != 1) {
      return fail("TypeError", "%c requires an integer in range(256) or a single byte");
    } else if (!value.is<BytesObject>()) {
      return fail("TypeError", fmt::format("%b requires a bytes-like object, or an object that "
                                           "implements __bytes__, not '{}'",
                                           type_name(value)));
    }
    if (!character && piece.precision >= 0)
      data.resize(std::min(data.size(), static_cast<size_t>(piece.precision)));
    auto width = static_cast<size_t>(std::max<int64_t>(piece.width, 0));
    std::string padding(width > data.size() ? width - data.size() : 0, ' ');
    out += piece.left ? data + padding : padding + data;
    return true;
  }

  bool append_text(const PercentPiece& piece, std::string_view text, std::string& out) {
    FormatSpec spec = spec_of(piece, false);
    spec.sign = 0;
    spec.alternate = false;
    if (piece.type == 'c') spec.precision = -1;
    auto formatted = format_text(text, spec);
    if (!formatted) return fail("ValueError", formatted.error().message);
    out += *formatted;
    return true;
  }

  bool append_int(const PercentPiece& piece, const Value& given, std::string& out) {
    Value number(int64_t{0});
    Value value = is_tensor(given) ? in_.call_method(given, "item") : number_in(given);
    if (value.is_undefined()) return false;
    if (is_any_int(value)) {
      number = value;
    } else if (value.is_float() && (piece.type == 'd' || piece.type == 'i' || piece.type == 'u')) {
      if (!std::isfinite(value.as_float()))
        return fail(std::isnan(value.as_float()) ? "ValueError" : "OverflowError",
                    std::isnan(value.as_float()) ? "cannot convert float NaN to integer"
                                                 : "cannot convert float infinity to integer");
      number = int_of_float(value.as_float());
    } else if (script_special(value, Special::kIndex)) {
      int64_t index = 0;
      if (!index_of(in_, value, index)) return false;
      number = Value(index);
    } else {
      bool decimal = piece.type == 'd' || piece.type == 'i' || piece.type == 'u';
      return fail("TypeError",
                  fmt::format("%{} format: {} is required, not {}", piece.type,
                              decimal ? "a real number" : "an integer", type_name(value)));
    }
    const unsigned base = base_of(piece.type);
    std::optional<std::string> written = digits_of(in_, number, base);
    if (!written) return false;
    std::string digits = std::move(*written);
    if (piece.type == 'X')
      for (char& c : digits) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (piece.precision > static_cast<int64_t>(digits.size()))
      digits.insert(0, static_cast<size_t>(piece.precision) - digits.size(), '0');
    std::string prefix = piece.alternate && base != 10 ? std::string("0") + piece.type : "";
    std::string sign = sign_of(number) < 0 ? "-" : piece.plus ? "+" : piece.space ? " " : "";
    out += pad_number(sign, prefix, digits, "", spec_of(piece, true));
    return true;
  }

  bool append_float(const PercentPiece& piece, const Value& value, std::string& out) {
    double number = 0;
    if (is_any_number(number_in(value))) {
      if (!float_of(in_, number_in(value), number)) return false;
    } else if (is_tensor(value) || script_special(value, Special::kFloat)) {
      Value converted = settled(in_.tracer(), in_.call_method(value, "__float__"));
      if (converted.is_undefined()) return false;
      number = converted.to_double();
    } else {
      return fail("TypeError", fmt::format("must be real number, not {}", type_name(value)));
    }
    FormatSpec spec = spec_of(piece, true);
    spec.type = piece.type;
    auto formatted = format_float(number, spec);
    if (!formatted) return fail("ValueError", formatted.error().message);
    out += *formatted;
    return true;
  }

  Interpreter& in_;
  const Value& values_;
  bool of_bytes_;
  const std::vector<Value>* items_ = nullptr;
  size_t used_ = 0;
  bool used_keys_ = false;
};

}  // namespace

Value percent_format(Interpreter& in, const Value& text, const Value& values) {
  auto* bytes = text.try_as<BytesObject>();
  auto pieces =
      parse_percent_template(bytes ? std::string_view(bytes->data) : view_of(text), bytes);
  if (!pieces) return in.raise("ValueError", pieces.error().message);
  std::string out;
  if (!Percent(in, values, bytes).format(*pieces, out)) return Value();
  return bytes ? Value(make_ref<BytesObject>(std::move(out))) : str_value(std::move(out));
}

void install_str_format(Interpreter& in) {
  in.add_methods(*in.classes().str, kMethods);
}

}  // namespace glint::runtime
