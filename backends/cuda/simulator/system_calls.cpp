#include "backends/cuda/simulator/system_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <optional>

#include "backends/cuda/simulator/program.h"
#include "backends/cuda/simulator/warp.h"

namespace glint::simulator {
namespace {

constexpr size_t kMostWidth = 1024;

/// A thread's view of memory: what its pointers point to, and the parameters of the call.
class ThreadMemory {
 public:
  ThreadMemory(Warp& warp, const Instruction& instruction, uint32_t lane)
      : warp_(warp), instruction_(instruction), lane_(lane) {}

  /// The bytes at a generic address; null where there are none.
  const std::byte* find(uint64_t address, size_t size) const {
    const Block& block = *warp_.block;
    const uint64_t offset = address & 0xffffffffu;
    switch (address >> 32 << 32) {
      case kSharedWindow:
        return inside(offset, size, block.shared.size()) ? block.shared.data() + offset : nullptr;
      case kLocalWindow:
        return inside(offset, size, block.program->local_bytes) ? local() + offset : nullptr;
      default:
        return block.memory->find(address, size);
    }
  }
  template <class T>
  std::optional<T> read(uint64_t address) const {
    T value;
    const std::byte* from = find(address, sizeof(T));
    if (from == nullptr) return std::nullopt;
    std::memcpy(&value, from, sizeof(T));
    return value;
  }
  /// The text at an address, up to its zero; nothing where memory ends before.
  std::optional<std::string> text(uint64_t address) const {
    std::string text;
    for (;; ++address) {
      const std::optional<char> next = read<char>(address);
      if (!next) return std::nullopt;
      if (*next == '\0') return text;
      text += *next;
    }
  }

  uint64_t parameter(size_t which) const {
    uint64_t value = 0;
    std::memcpy(&value, local() + instruction_.operand[which], sizeof(value));
    return value;
  }
  void give_back(uint32_t value) const {
    if (instruction_.mode != 0)
      std::memcpy(local() + instruction_.operand[kResultSlot], &value, sizeof(value));
  }
  void fail(FaultKind kind, std::string message) const {
    warp_.fail(kind, instruction_, lane_, std::move(message));
  }

 private:
  static bool inside(uint64_t offset, size_t size, size_t bytes) {
    return size <= bytes && offset <= bytes - size;
  }
  std::byte* local() const {
    const size_t each = warp_.block->program->local_bytes;
    return warp_.block->local.data() + (size_t{warp_.index} * kLanes + lane_) * each;
  }

  Warp& warp_;
  const Instruction& instruction_;
  uint32_t lane_;
};

/// A format and the values that its conversions take in turn.
class PrintedText {
 public:
  PrintedText(const ThreadMemory& memory, std::string_view format, uint64_t values)
      : memory_(memory), rest_(format), values_(values) {}

  /// Nothing where a value or a text lies in no memory.
  std::optional<std::string> made() {
    while (!rest_.empty() && ok_) {
      const size_t plain = std::min(rest_.find('%'), rest_.size());
      text_ += rest_.substr(0, plain);
      rest_.remove_prefix(plain);
      if (!rest_.empty()) conversion();
    }
    if (!ok_) return std::nullopt;
    return std::move(text_);
  }
  uint32_t taken() const { return taken_; }

 private:
  /// `%-*.3lld`: flags, width and precision go on as they are, the length is that of the value.
  void conversion() {
    const std::string_view whole = rest_;
    rest_.remove_prefix(1);
    std::string spec = "%" + take_all("-+ #0");
    spec += size();
    if (rest_.starts_with('.')) {
      rest_.remove_prefix(1);
      spec += "." + size();
    }
    const std::string length = take_all("hlLqjzt");
    if (rest_.empty()) {
      text_ += whole;
      return;
    }
    const char kind = rest_.front();
    rest_.remove_prefix(1);
    if (kind == '%') {
      text_ += '%';
    } else if (std::string_view("diuoxXc").find(kind) != std::string_view::npos) {
      integer(spec, length, kind);
    } else if (std::string_view("fFeEgGaA").find(kind) != std::string_view::npos) {
      add(spec + kind, next<double>());
    } else if (kind == 's') {
      string(spec);
    } else if (kind == 'p') {
      add(spec + kind, std::bit_cast<void*>(next<uint64_t>()));
    } else {
      text_ += whole.substr(0, whole.size() - rest_.size());
    }
  }

  std::string take_all(std::string_view among) {
    const size_t end = std::min(rest_.find_first_not_of(among), rest_.size());
    std::string taken(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return taken;
  }
  /// A width or a precision: digits, or a `*` that takes a value.
  std::string size() {
    if (rest_.starts_with('*')) {
      rest_.remove_prefix(1);
      const auto most = static_cast<int32_t>(kMostWidth);
      return std::to_string(std::clamp(next<int32_t>(), -most, most));
    }
    const std::string digits = take_all("0123456789");
    return digits.size() > 4 ? std::to_string(kMostWidth) : digits;
  }

  void integer(const std::string& spec, const std::string& length, char kind) {
    const bool is_signed = kind == 'd' || kind == 'i';
    const bool is_wide = length.find_first_of("lqjzt") != std::string::npos;
    if (kind == 'c') return add(spec + kind, next<int32_t>());
    int64_t value = is_wide ? next<int64_t>() : int64_t{next<int32_t>()};
    if (!is_wide && !is_signed) value &= 0xffffffff;
    if (length == "h") value = is_signed ? int64_t{int16_t(value)} : value & 0xffff;
    if (length == "hh") value = is_signed ? int64_t{int8_t(value)} : value & 0xff;
    add(spec + "ll" + kind, static_cast<long long>(value));
  }
  void string(const std::string& spec) {
    const auto found = memory_.text(next<uint64_t>());
    if (!found) {
      ok_ = false;
      return;
    }
    add(spec + "s", found->c_str());
  }

  template <class T>
  void add(const std::string& spec, T value) {
    const int size = std::snprintf(nullptr, 0, spec.c_str(), value);
    std::string made(static_cast<size_t>(std::max(size, 0)) + 1, '\0');
    std::snprintf(made.data(), made.size(), spec.c_str(), value);
    made.pop_back();
    text_ += made;
  }
  template <class T>
  T next() {
    values_ = (values_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const std::optional<T> value = memory_.read<T>(values_);
    values_ += sizeof(T);
    ++taken_;
    ok_ = ok_ && value.has_value();
    return value.value_or(T());
  }

  const ThreadMemory& memory_;
  std::string_view rest_;
  uint64_t values_;
  std::string text_;
  uint32_t taken_ = 0;
  bool ok_ = true;
};

void fail_to_read(const ThreadMemory& memory) {
  memory.fail(FaultKind::kOutOfBounds,
              "out of bounds: printf reads a text or a value that is in no memory");
}

void print(Warp& warp, const Instruction& instruction, uint32_t mask) {
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const ThreadMemory memory(warp, instruction, first_lane(rest));
    const auto format = memory.text(memory.parameter(0));
    if (!format) return fail_to_read(memory);
    PrintedText printed(memory, *format, memory.parameter(1));
    const auto text = printed.made();
    if (!text) return fail_to_read(memory);
    memory.give_back(printed.taken());
    warp.block->printed += *text;
  }
  keep_printed_end(warp.block->printed);
}

/// `(message, file, line, function, bytes of a character)`; the place is the instruction's.
void fail_assertion(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const ThreadMemory memory(warp, instruction, first_lane(mask));
  memory.fail(FaultKind::kAssert, fmt::format("{}: Assertion `{}` failed.",
                                              memory.text(memory.parameter(3)).value_or(""),
                                              memory.text(memory.parameter(0)).value_or("")));
}

constexpr SystemCall kCalls[] = {
    {"vprintf", 2, print},
    {"__assertfail", 5, fail_assertion},
};

}  // namespace

const SystemCall* find_system_call(std::string_view name) {
  const auto* found = std::ranges::find(kCalls, name, &SystemCall::name);
  return found == std::end(kCalls) ? nullptr : found;
}

void keep_printed_end(std::string& text) {
  // Seldom: what is dropped is as much again.
  if (text.size() > 2 * kKeptText) text.erase(0, text.size() - kKeptText);
}

}  // namespace glint::simulator
