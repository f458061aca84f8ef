#include "ir/program_bytes.h"

#include <bit>
#include <type_traits>
#include <utility>

namespace glint::program {
namespace {

// A type's fields are named once, in `fields`: with a Writer it appends them to the bytes, with a
// Reader it fills them in.

class Writer {
 public:
  static constexpr bool kReads = false;

  template <class Number>
  void number(Number value) {
    auto rest = static_cast<uint64_t>(value);
    for (; rest >= 0x80; rest >>= 7) bytes_.push_back(static_cast<char>(rest | 0x80));
    bytes_.push_back(static_cast<char>(rest));
  }
  void text(const std::string& value) {
    number(value.size());
    bytes_ += value;
  }
  std::string take() { return std::move(bytes_); }

  Span last = {};  ///< the span that was written last

 private:
  std::string bytes_;
};

class Reader {
 public:
  static constexpr bool kReads = true;
  Reader(std::string_view bytes, SourceId source) : last{source}, rest_(bytes) {}

  template <class Number>
  void number(Number& value) {
    uint64_t read = 0;
    for (int shift = 0;; shift += 7) {
      auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      read |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    value = static_cast<Number>(read);
  }
  void text(std::string& value) {
    size_t size = 0;
    number(size);
    value = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }

  Span last;  ///< the span that was read last, in the source that all are in

 private:
  std::string_view rest_;
};

/// A `T` that a Writer leaves as it is and a Reader fills.
template <class Archive, class T>
using Field = std::conditional_t<Archive::kReads, T, const T>;

/// A number as `convert` packs it and `restore` makes it again.
template <class Archive, class T, class Convert, class Restore>
void packed(Archive& archive, T& value, Convert convert, Restore restore) {
  uint64_t bits = 0;
  if constexpr (!Archive::kReads) bits = convert(value);
  archive.number(bits);
  if constexpr (Archive::kReads) value = restore(bits);
}

/// Small numbers of either sign take one byte: 0, -1, 1, -2, ... are written as 0, 1, 2, 3, ...
uint64_t zigzag(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}
int64_t from_zigzag(uint64_t bits) {
  return static_cast<int64_t>(bits >> 1 ^ (~(bits & 1) + 1));
}

/// A line, as how far it is behind `base`.
template <class Archive>
void line(Archive& archive, uint32_t base, Field<Archive, uint32_t>& value) {
  packed(
      archive, value, [&](uint32_t line) { return zigzag(int64_t{line} - base); },
      [&](uint64_t bits) { return static_cast<uint32_t>(base + from_zigzag(bits)); });
}

template <class Archive>
void fields(Archive& archive, Field<Archive, Span>& span) {
  bool known = span.known();
  archive.number(known);
  if (!known) return;
  if constexpr (Archive::kReads) span.source = archive.last.source;
  line(archive, archive.last.line, span.line);
  archive.number(span.column);
  line(archive, span.line, span.end_line);
  archive.number(span.end_column);
  archive.last = span;
}

/// 0 is nothing, then registers and constants take turns.
template <class Archive>
void fields(Archive& archive, Field<Archive, Operand>& operand) {
  packed(
      archive, operand,
      [](Operand value) -> uint64_t {
        return value.none() ? 0 : 1 + 2 * uint64_t{value.index()} + value.is_constant();
      },
      [](uint64_t bits) {
        auto index = static_cast<uint32_t>((bits - 1) / 2);
        if (bits == 0) return Operand();
        return bits % 2 == 0 ? Operand::constant(index) : Operand::in_register(index);
      });
}

template <class Archive>
void fields(Archive& archive, Field<Archive, std::string>& text) {
  archive.text(text);
}

template <class Archive, class Items>
void list(Archive& archive, Items& items) {
  size_t size = items.size();
  archive.number(size);
  if constexpr (Archive::kReads) items.resize(size);
  for (auto& item : items) fields(archive, item);
}

/// Which alternative a variant holds; a Reader makes it hold that one.
template <class Archive, class... Alternatives>
void alternative(Archive& archive, std::variant<Alternatives...>& value) {
  size_t index = 0;
  archive.number(index);
  size_t next = 0;
  ((next++ == index ? void(value.template emplace<Alternatives>()) : void()), ...);
}
template <class... Alternatives>
void alternative(Writer& writer, const std::variant<Alternatives...>& value) {
  writer.number(value.index());
}

template <class Archive>
void number_bits(Archive& archive, Field<Archive, double>& number) {
  packed(
      archive, number, [](double value) { return std::bit_cast<uint64_t>(value); },
      [](uint64_t bits) { return std::bit_cast<double>(bits); });
}

/// Its bytes; a constant is not negative.
template <class Archive>
void fields(Archive& archive, Field<Archive, BigInt>& number) {
  std::string bytes;
  if constexpr (!Archive::kReads)
    bytes = number.to_bytes(number.bit_length() / 8 + 1, false).value();
  archive.text(bytes);
  if constexpr (Archive::kReads) number = BigInt::of_bytes(bytes, false);
}

template <class Archive>
void fields(Archive& archive, Field<Archive, Constant>& constant) {
  alternative(archive, constant.value);
  std::visit(
      [&](auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>) {
          archive.number(value);
        } else if constexpr (std::is_same_v<Value, int64_t>) {
          packed(archive, value, zigzag, from_zigzag);
        } else if constexpr (std::is_same_v<Value, double>) {
          number_bits(archive, value);
        } else if constexpr (std::is_same_v<Value, Imaginary>) {
          number_bits(archive, value.value);
        } else if constexpr (std::is_same_v<Value, BigInt>) {
          fields(archive, value);
        } else if constexpr (std::is_same_v<Value, std::string>) {
          archive.text(value);
        } else if constexpr (std::is_same_v<Value, Bytes>) {
          archive.text(value.data);
        } else if constexpr (std::is_same_v<Value, ConstantTuple>) {
          list(archive, value.items);
        } else {
          static_assert(std::is_same_v<Value, None> || std::is_same_v<Value, Ellipsis>);
        }
      },
      constant.value);
}

template <class Archive>
void fields(Archive& archive, Field<Archive, Parameter>& parameter) {
  archive.text(parameter.name);
  archive.number(parameter.kind);
  archive.number(parameter.has_default);
  archive.text(parameter.annotation);
  fields(archive, parameter.span);
}

template <class Archive>
void fields(Archive& archive, Field<Archive, CellInfo>& cell) {
  archive.text(cell.name);
  archive.number(cell.is_free);
  archive.number(cell.outer_index);
  archive.number(cell.parameter);
}

template <class Archive>
void fields(Archive& archive, Field<Archive, Handler>& handler) {
  archive.number(handler.begin);
  archive.number(handler.end);
  archive.number(handler.target);
  archive.number(handler.exception);
  archive.number(handler.depth);
}

template <class Archive>
void fields(Archive& archive, Field<Archive, Instruction>& instruction) {
  archive.number(instruction.opcode);
  const InstructionInfo& form = info(instruction.opcode);
  if (form.has_result) archive.number(instruction.result);
  if (form.operand_count > 0) fields(archive, instruction.a);
  if (form.operand_count > 1) fields(archive, instruction.b);
  if (form.operand_count > 2) fields(archive, instruction.c);
  if (form.immediate != Immediate::kNone) archive.number(instruction.immediate);
  if (form.tail != Tail::kNone) {
    archive.number(instruction.tail_begin);
    archive.number(instruction.tail_count);
  }
  if (form.tail == Tail::kArguments) {
    archive.number(instruction.keyword_count);
    fields(archive, instruction.keywords);
  }
  fields(archive, instruction.span);
}

template <class Archive>
void fields(Archive& archive, Field<Archive, Code>& code);

template <class Archive>
void fields(Archive& archive, Field<Archive, std::shared_ptr<const Code>>& function) {
  if constexpr (Archive::kReads) {
    auto code = std::make_shared<Code>();
    fields(archive, *code);
    function = std::move(code);
  } else {
    fields(archive, *function);
  }
}

template <class Archive>
void fields(Archive& archive, Field<Archive, Code>& code) {
  archive.text(code.name);
  archive.text(code.qualified_name);
  archive.text(code.doc);
  archive.number(code.has_doc);
  archive.number(code.kind);
  archive.number(code.is_generator);
  fields(archive, code.span);
  list(archive, code.parameters);
  archive.text(code.return_annotation);
  list(archive, code.local_names);
  archive.number(code.register_count);
  list(archive, code.cells);
  list(archive, code.names);
  list(archive, code.constants);
  list(archive, code.operands);
  list(archive, code.instructions);
  list(archive, code.handlers);
  list(archive, code.functions);
}

}  // namespace

std::string write_bytes(const Code& code) {
  Writer writer;
  fields(writer, code);
  return writer.take();
}

std::shared_ptr<const Code> read_bytes(std::string_view bytes, SourceId source) {
  Reader reader(bytes, source);
  auto code = std::make_shared<Code>();
  fields(reader, *code);
  return code;
}

}  // namespace glint::program
