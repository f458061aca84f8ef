// `x.to(...)`: a call bound to one of its three forms, then the operator `to_any`.
//
//     x.to("cuda", torch.float64)              a device, a dtype, both by place or by name
//     x.to(torch.float64, non_blocking=True)   a dtype; `non_blocking` and `copy` come right behind
//     x.to(y, True)                            device and dtype of another tensor; the same
//
// The signature is that of the first form. In the others the second and third place mean
// `non_blocking` and `copy`: `bind_conversion` moves them to the parameters of these names.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/torch_operators.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

constexpr std::string_view kForms =
    " * (torch.device device = None, torch.dtype dtype = None, bool non_blocking = False, bool "
    "copy "
    "= False, *, torch.memory_format memory_format = None)\n"
    " * (torch.dtype dtype, bool non_blocking = False, bool copy = False, *, torch.memory_format "
    "memory_format = None)\n"
    " * (Tensor tensor, bool non_blocking = False, bool copy = False, *, torch.memory_format "
    "memory_format = None)\n";

enum Place : size_t { kSelf, kDevice, kDType, kNonBlocking, kCopy, kTensor, kPlaces };
using Row = std::array<Value, kPlaces>;

/// How many arguments, self among them, were given by their place: a call that gives all so may
/// count the parameters that were left out.
size_t given_by_place(const NativeCall& call) {
  size_t count = kDevice;
  while (count < std::min<size_t>(call.positional, kTensor) && call[count].defined()) ++count;
  return count;
}

/// In PyTorch's words, which name what was given by place first, then the names, the last first.
Value refuse(const NativeCall& call) {
  std::vector<std::string> given, named;
  const size_t positional = given_by_place(call);
  for (size_t i = kDevice; i < kPlaces; ++i) {
    if (call[i].is_undefined()) continue;
    if (i < positional)
      given.push_back(plain_type(call[i]));
    else
      named.push_back(
          fmt::format("{}={}", call.function->signature.parameters[i].name, plain_type(call[i])));
  }
  const std::string_view end = given.empty() ? ", " : "";
  given.insert(given.end(), named.rbegin(), named.rend());
  return call.raise("TypeError",
                    fmt::format("to() received an invalid combination of arguments - got ({}{}), "
                                "but expected one of:\n{}",
                                fmt::join(given, ", "), end, kForms));
}

bool is_device(const Value& value) {
  return !given_not_none(value) || value.is(kDeviceKind) || value.is(kStrKind) ||
         number_in(value).is_int();
}
bool is_dtype(const Value& value) {
  return !given_not_none(value) || dtype_of(value).has_value();
}
bool is_flag(const Value& value) {
  return value.is_undefined() || value.is_bool();
}

/// A call that begins with a dtype or a tensor: what stands behind it is for `non_blocking` and
/// `copy`. False: it has too much, or the same twice.
bool bind_behind(const NativeCall& call, Row& row) {
  const size_t positional = given_by_place(call);
  if (positional > kCopy || (positional <= kDType && call[kDType].defined())) return false;
  for (size_t i = positional; i-- > kDType;) {
    if (i + 1 >= positional && call[i + 1].defined()) return false;
    row[i + 1] = call[i];
  }
  const bool is_other = call[kDevice].is(kTensorKind);
  row[kDevice] = row[kDType] = Value();
  if (is_other && call[kTensor].defined()) return false;
  row[is_other ? kTensor : kDType] = call[kDevice];
  return true;
}

/// The arguments at the parameters that they are for; nothing if no form has them so.
std::optional<Row> bind_conversion(const NativeCall& call) {
  Row row;
  std::copy_n(call.arguments, size_t{kPlaces}, row.begin());
  const bool begins_with_device = given_by_place(call) == kDevice || is_device(call[kDevice]);
  if (!begins_with_device && !bind_behind(call, row)) return std::nullopt;
  const bool is_named = row[kDevice].defined() || row[kDType].defined();
  const bool other_fits =
      row[kTensor].is_undefined() || (row[kTensor].is(kTensorKind) && !is_named);
  const bool fits = is_device(row[kDevice]) && is_dtype(row[kDType]) &&
                    is_flag(row[kNonBlocking]) && is_flag(row[kCopy]) && other_fits;
  return fits ? std::optional(std::move(row)) : std::nullopt;
}

}  // namespace

Value call_conversion(NativeCall& call) {
  const std::optional<Row> row = bind_conversion(call);
  if (!row) return refuse(call);
  Value place = number_in((*row)[kTensor].defined() ? (*row)[kTensor] : (*row)[kDevice]);
  if (place.is(kStrKind) || place.is_int()) {
    Device device;
    if (!device_of(call.interpreter, place, device)) return Value();
    place = device_value(device);
  }
  auto or_none = [](const Value& value) { return value.defined() ? value : Value::none(); };
  auto is_set = [](const Value& value) { return Value(value.is_bool() && value.as_bool()); };
  const Value arguments[] = {call[kSelf], or_none(place), or_none((*row)[kDType]),
                             is_set((*row)[kNonBlocking]), is_set((*row)[kCopy])};
  return call.interpreter.call_operator(*ops::find_op("to_any"), arguments);
}

NativeSignature conversion_signature() {
  return parse_signature(
      "to(self, device=..., dtype=..., non_blocking=..., copy=..., *, tensor=...)");
}

}  // namespace glint::runtime
