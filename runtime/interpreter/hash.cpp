// hash(): numbers, tuples, frozensets and ranges have CPython's hashes, so that a set of them is in
// CPython's order and a script that prints a hash prints the same; texts, which CPython hashes
// differently in each process, and what is hashed by its address have others.
//
//     hash(-1)        -2: -1 stands for an error in CPython
//     hash(2.5)       the number modulo 2^61 - 1, where 1/2 is 2^60
//     hash((1, 2))    -3550055125485641917
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <span>

#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/plain_values.h"
#include "runtime/interpreter/recursion.h"
#include "runtime/interpreter/scripted.h"

namespace glint::runtime {

static uint64_t mixed(uint64_t x) {
  x ^= x >> 32;
  x *= 0x9e3779b97f4a7c15u;
  return x ^ (x >> 29);
}
static uint64_t hash_of_double(double value) {
  if (value == std::floor(value) && std::abs(value) < 9.2e18)
    return hash_of_int(static_cast<int64_t>(value));
  if (std::isnan(value)) return mixed(std::bit_cast<uint64_t>(value));
  if (std::isinf(value)) return static_cast<uint64_t>(value > 0 ? 314159 : -314159);
  // As CPython: the number modulo the prime 2**61 - 1, 28 bits of the mantissa at a time.
  constexpr int kBits = 61;
  constexpr uint64_t kPrime = (uint64_t{1} << kBits) - 1;
  auto rotated = [](uint64_t x, int by) { return (x << by & kPrime) | x >> (kBits - by); };
  int exponent = 0;
  double mantissa = std::abs(std::frexp(value, &exponent));
  uint64_t hash = 0;
  while (mantissa != 0) {
    mantissa *= 268435456.0;
    exponent -= 28;
    auto whole = static_cast<uint64_t>(mantissa);
    mantissa -= static_cast<double>(whole);
    hash = rotated(hash, 28) + whole;
    if (hash >= kPrime) hash -= kPrime;
  }
  hash = rotated(hash, exponent >= 0 ? exponent % kBits : kBits - 1 - (-1 - exponent) % kBits);
  if (value >= 0) return hash;
  return hash == 1 ? hash_of_int(-1) : uint64_t{0} - hash;
}
static uint64_t hash_of_address(const void* address) {
  return mixed(reinterpret_cast<uint64_t>(address) >> 4);
}

/// Of a tuple: CPython's, which is xxHash's rounds without its parallel lanes.
static bool hash_items(Interpreter& in, std::span<const Value> items, uint64_t& hash) {
  constexpr uint64_t kPrime1 = 11400714785074694791u;
  constexpr uint64_t kPrime2 = 14029467366897019727u;
  constexpr uint64_t kPrime5 = 2870177450012600261u;
  hash = kPrime5;
  if (!stack_has_room()) {
    in.raise("RecursionError", "maximum recursion depth exceeded");
    return false;
  }
  for (const Value& item : items) {
    uint64_t one;
    if (!hash_of(in, item, one)) return false;
    hash = std::rotl(hash + one * kPrime2, 31) * kPrime1;
  }
  hash += items.size() ^ (kPrime5 ^ 3527539u);
  return true;
}

/// Of a frozenset: CPython's, in which the order of the elements plays no part.
static uint64_t hash_elements(const HashTable& table) {
  uint64_t hash = 0;
  for (const auto& entry : table.entries()) {
    if (entry.key.defined()) hash ^= ((entry.hash ^ 89869747u) ^ (entry.hash << 16)) * 3644798167u;
  }
  hash ^= (table.size() + 1) * 1927868237u;
  hash ^= (hash >> 11) ^ (hash >> 25);
  return hash * 69069u + 907133923u;
}

/// Of a range: that of the tuple of its length, start and step, but for what does not matter.
static bool hash_range(Interpreter& in, const RangeObject& range, uint64_t& hash) {
  Value items[] = {Value(range.length()), Value::none(), Value::none()};
  if (range.length() > 0) items[1] = Value(range.start);
  if (range.length() > 1) items[2] = Value(range.step);
  return hash_items(in, items, hash);
}

static bool unhashable(Interpreter& in, const Value& value) {
  in.raise("TypeError", fmt::format("unhashable type: '{}'", type_name(value)));
  return false;
}

static bool hash_by_method(Interpreter& in, ClassObject& cls, const Value& value, uint64_t& hash) {
  // A class whose body defines __eq__ and not __hash__ has None for it.
  for (ClassObject* at : cls.order) {
    if (at->native && (value.kind() != kNativeDataKind || at == cls.order.back())) break;
    Value* method = at->dict->find("__hash__");
    if (method && method->is_none()) return unhashable(in, value);
    if (method) {
      Value result = settled(in.tracer(), in.call(Value(*method), {value}));
      if (result.is_undefined()) return false;
      if (!result.is_integral()) {
        in.raise("TypeError", "__hash__ method should return an integer");
        return false;
      }
      hash = static_cast<uint64_t>(result.as_int());
      return true;
    }
    if (at->native && at->dict->find("__eq__")) return unhashable(in, value);
  }
  if (value.is<InstanceObject>() || value.is<ExceptionObject>()) {
    hash = hash_of_address(value.object());
    return true;
  }
  return false;
}

static bool hash_of_object(Interpreter& in, const Value& value, uint64_t& hash);

bool hash_of(Interpreter& in, const Value& value, uint64_t& hash) {
  switch (value.tag()) {
    case Tag::kBool:
    case Tag::kInt:
      hash = hash_of_int(value.as_int());
      return true;
    case Tag::kFloat:
      hash = hash_of_double(value.as_float());
      return true;
    case Tag::kObject:
      break;
    default:
      hash = mixed(static_cast<uint64_t>(value.tag()) + 77);
      return true;
  }
  if (plain_text(value)) {
    auto* text = value.as<StrObject>();
    if (text->hash == 0) text->hash = hash_text(text->text);
    hash = text->hash;
    return true;
  }
  // -1 is no hash, as in CPython; a set's table relies on it.
  if (!hash_of_object(in, value, hash)) return false;
  if (hash == ~uint64_t{0}) --hash;
  return true;
}

static bool hash_of_object(Interpreter& in, const Value& value, uint64_t& hash) {
  if (ClassObject* cls = scripted_class(value)) {
    if (hash_by_method(in, *cls, value, hash)) return true;
    if (in.raised()) return false;
  }
  switch (value.kind()) {
    case kSymIntKind:
    case kSymFloatKind:
      return hash_of(in, settled(in.tracer(), value), hash);
    case kNumberKind:
      return hash_of(in, number_in(value), hash);
    case kStrKind:
      hash = hash_text(value.as<StrObject>()->text);
      return true;
    case kBytesKind:
      hash = hash_text(value.as<BytesObject>()->data);
      return true;
    case kBigIntKind: {
      const BigInt& number = value.as<BigIntObject>()->value;
      const auto residue = static_cast<int64_t>(number.hash_residue());
      hash = hash_of_int(number.is_negative() ? -residue : residue);
      return true;
    }
    case kComplexKind: {
      const std::complex<double> number = value.as<ComplexObject>()->number;
      hash = hash_of_double(number.real()) + 1000003 * hash_of_double(number.imag());
      return true;
    }
    case kTupleKind:
      return hash_items(in, value.as<TupleObject>()->items, hash);
    case kFrozenSetKind:
      hash = hash_elements(value.as<SetObject>()->table);
      return true;
    case kRangeKind:
      return hash_range(in, *value.as<RangeObject>(), hash);
    case kDTypeKind:
      hash = mixed(static_cast<uint64_t>(value.as<DTypeObject>()->dtype) + 1234);
      return true;
    case kDeviceKind:
      hash = hash_text(value.as<DeviceObject>()->type) +
             static_cast<uint64_t>(value.as<DeviceObject>()->index);
      return true;
    case kBoundMethodKind:
      hash = hash_of_address(value.as<BoundMethodObject>()->self.object()) * 31 +
             hash_of_address(value.as<BoundMethodObject>()->function.object());
      return true;
    case kListKind:
    case kDictKind:
    case kSetKind:
    case kSliceKind:
    case kDictViewKind:
      return unhashable(in, value);
    default:
      hash = hash_of_address(value.object());
      return true;
  }
}

}  // namespace glint::runtime
