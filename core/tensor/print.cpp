#include "core/tensor/print.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "core/tensor/accelerator.h"
#include "core/tensor/copy.h"
#include "core/tensor/views.h"

namespace glint {

namespace {

/// Decides one notation and one width for all elements that will be shown.
class Formatter {
 public:
  Formatter(const std::vector<Scalar>& values, bool floating) : floating_(floating) {
    if (floating) {
      choose_notation(values);
    } else {
      for (const Scalar& value : values) widen(plain(value).size());
    }
  }

  size_t width() const { return width_; }
  std::string format(const Scalar& value) const {
    std::string text = floating_ ? floating(value.as_double()) : plain(value);
    if (text.size() < width_) text.insert(0, width_ - text.size(), ' ');
    return text;
  }

 private:
  static std::string plain(const Scalar& value) {
    if (value.is_bool()) return value.as_bool() ? "True" : "False";
    return fmt::format("{}", value.as_int());
  }

  /// Python spells every NaN `nan`, whatever its sign bit.
  std::string floating(double value) const {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    int precision = print_options().precision;
    if (scientific_) return fmt::format("{:.{}e}", value, precision);
    if (whole_) return fmt::format("{:.0f}.", value);
    return fmt::format("{:.{}f}", value, precision);
  }

  void choose_notation(const std::vector<Scalar>& values) {
    double smallest = HUGE_VAL, largest = 0;
    bool whole = true;
    for (const Scalar& scalar : values) {
      double value = scalar.as_double();
      if (!std::isfinite(value) || value == 0) continue;
      smallest = std::min(smallest, std::abs(value));
      largest = std::max(largest, std::abs(value));
      whole = whole && value == std::ceil(value);
    }
    if (largest == 0) return;  // nothing but zeros and non-finite values: `0.`, no common width
    whole_ = whole;
    using Scientific = PrintOptions::Scientific;
    Scientific wanted = print_options().scientific;
    scientific_ = wanted == Scientific::kAlways ||
                  (wanted == Scientific::kAuto &&
                   (largest / smallest > 1000.0 || largest > 1.0e8 || smallest < 1.0e-4));
    for (const Scalar& scalar : values) {
      double value = scalar.as_double();
      if (std::isfinite(value) && value != 0) widen(floating(value).size());
    }
  }

  void widen(size_t size) { width_ = std::max(width_, size); }

  bool floating_;
  bool whole_ = true;
  bool scientific_ = false;
  size_t width_ = 1;
};

/// The text of a tensor's elements, with brackets; summarised where that is asked for. The elements
/// of `kPairs` are its last dimension, two numbers each.
class ElementsText {
 public:
  ElementsText(const Tensor& tensor, Elements elements, size_t indent)
      : pairs_(elements == Elements::kPairs),
        summarize_(tensor.numel() / (pairs_ ? 2 : 1) > print_options().threshold),
        formatter_(shown_values(pairs_ ? select(tensor, -1, 0) : tensor),
                   is_floating(tensor.dtype())),
        second_(pairs_ ? shown_values(select(tensor, -1, 1)) : std::vector<Scalar>(), true),
        text_(nested(tensor, indent)) {}

  std::string take() && { return std::move(text_); }

 private:
  bool cuts(int64_t size) const { return summarize_ && size > 2 * print_options().edge_items; }

  /// Calls `visit(index)` for each index of the outermost dimension that is shown.
  template <class F>
  void each_shown(int64_t size, F&& visit) const {
    int64_t edge = print_options().edge_items;
    for (int64_t i = 0; i < size; ++i) {
      if (cuts(size) && i == edge) i = std::max(i, size - edge);
      if (i < size) visit(i);
    }
  }

  std::vector<Scalar> shown_values(const Tensor& tensor) const {
    std::vector<Scalar> values;
    collect(tensor, values);
    return values;
  }
  void collect(const Tensor& tensor, std::vector<Scalar>& values) const {
    if (tensor.rank() == 0) return values.push_back(tensor.item());
    each_shown(tensor.size(0), [&](int64_t i) { collect(select(tensor, 0, i), values); });
  }

  size_t rank_of(const Tensor& tensor) const { return tensor.rank() - (pairs_ ? 1 : 0); }

  /// `1.0000-2.0000j`
  std::string element(const Tensor& tensor) const {
    if (!pairs_) return formatter_.format(tensor.item());
    std::string imaginary = second_.format(select(tensor, 0, 1).item()) + "j";
    imaginary.erase(0, imaginary.find_first_not_of(' '));
    const char* sign = imaginary.front() == '-' ? "" : "+";
    return formatter_.format(select(tensor, 0, 0).item()) + sign + imaginary;
  }

  std::string nested(const Tensor& tensor, size_t indent) const {
    if (rank_of(tensor) == 0) return element(tensor);
    if (rank_of(tensor) == 1) return row(tensor, indent);
    std::string separator =
        "," + std::string(rank_of(tensor) - 1, '\n') + std::string(indent + 1, ' ');
    std::vector<std::string> slices;
    each_shown(tensor.size(0),
               [&](int64_t i) { slices.push_back(nested(select(tensor, 0, i), indent + 1)); });
    insert_ellipsis(slices, tensor.size(0), "...");
    return fmt::format("[{}]", fmt::join(slices, separator));
  }

  std::string row(const Tensor& tensor, size_t indent) const {
    std::vector<std::string> items;
    if (summarize_ && print_options().edge_items == 0) {
      items.push_back("...");
    } else {
      each_shown(tensor.size(0),
                 [&](int64_t i) { items.push_back(element(select(tensor, 0, i))); });
      insert_ellipsis(items, tensor.size(0), " ...");
    }
    auto room = int64_t(print_options().line_width) - int64_t(indent);
    const size_t width = formatter_.width() + (pairs_ ? second_.width() + 1 : 0);
    auto fits = size_t(std::max<int64_t>(1, room / int64_t(width + 2)));
    std::string text = "[";
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0) text += i % fits == 0 ? ",\n" + std::string(indent + 1, ' ') : ", ";
      text += items[i];
    }
    return text + "]";
  }

  void insert_ellipsis(std::vector<std::string>& items, int64_t size, const char* dots) const {
    if (cuts(size)) items.insert(items.begin() + print_options().edge_items, dots);
  }

  bool pairs_;
  bool summarize_;
  Formatter formatter_;
  Formatter second_;  ///< of the imaginary parts, which have a notation of their own
  std::string text_;
};

std::string tuple_text(IntSpan sizes) {
  return fmt::format("({}{})", fmt::join(sizes, ", "), sizes.size() == 1 ? "," : "");
}

/// What follows the elements: size, dtype, gradient.
std::vector<std::string> suffixes_of(const Tensor& tensor, Elements elements,
                                     std::string_view suffix) {
  const bool pairs = elements == Elements::kPairs;
  const IntSpan sizes = tensor.sizes().first(tensor.rank() - (pairs ? 1 : 0));
  std::vector<std::string> suffixes;
  if (!tensor.device().is_cpu())
    suffixes.push_back(fmt::format("device='{}'", to_string(tensor.device())));
  bool empty = tensor.numel() == 0;
  if ((empty && sizes.size() != 1) || (!empty && print_options().edge_items == 0))
    suffixes.push_back("size=" + tuple_text(sizes));
  DType dtype = tensor.dtype();
  bool silent = pairs ? !empty && dtype == default_dtype()
                      : dtype == default_dtype() ||
                            (!empty && (dtype == DType::kInt64 || dtype == DType::kBool));
  if (!silent && pairs)
    suffixes.push_back(fmt::format("dtype=torch.complex{}", 16 * dtype_size(dtype)));
  else if (!silent)
    suffixes.push_back(fmt::format("dtype=torch.{}", dtype_name(dtype)));
  if (!suffix.empty())
    suffixes.emplace_back(suffix);
  else if (tensor.requires_grad())
    suffixes.emplace_back("requires_grad=True");
  return suffixes;
}

}  // namespace

PrintOptions& print_options() {
  static PrintOptions options;
  return options;
}

std::string repr(const Tensor& tensor, std::string_view suffix, Elements elements) {
  constexpr std::string_view kPrefix = "tensor(";
  std::string text(kPrefix);
  text += tensor.numel() == 0 ? "[]"
                              : ElementsText(on_processor(tensor), elements, kPrefix.size()).take();
  size_t newline = text.rfind('\n');
  size_t last_line = newline == std::string::npos ? text.size() + 2 : text.size() - newline + 1;
  for (const std::string& next : suffixes_of(tensor, elements, suffix)) {
    if (last_line + next.size() + 2 > size_t(print_options().line_width)) {
      text += ",\n" + std::string(kPrefix.size(), ' ') + next;
      last_line = kPrefix.size() + next.size();
    } else {
      text += ", " + next;
      last_line += next.size() + 2;
    }
  }
  text += ")";
  return tensor->is_parameter ? "Parameter containing:\n" + text : text;
}

std::string elements_text(const Tensor& tensor, size_t indent) {
  return ElementsText(on_processor(tensor), Elements::kNumbers, indent).take();
}

}  // namespace glint
