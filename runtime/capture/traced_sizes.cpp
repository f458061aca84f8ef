#include "runtime/capture/traced_sizes.h"

#include <algorithm>
#include <cmath>

#include "ir/symbolic_range.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

namespace {

std::optional<Relation::Kind> relation_of(Opcode opcode, bool& mirrored) {
  mirrored = opcode == Opcode::kGreater || opcode == Opcode::kGreaterEqual;
  switch (opcode) {
    case Opcode::kLess:
    case Opcode::kGreater:
      return Relation::Kind::kLess;
    case Opcode::kLessEqual:
    case Opcode::kGreaterEqual:
      return Relation::Kind::kLessEqual;
    case Opcode::kEqual:
      return Relation::Kind::kEqual;
    case Opcode::kNotEqual:
      return Relation::Kind::kNotEqual;
    default:
      return std::nullopt;
  }
}

}  // namespace

Value TracedSizes::value(SymInt size) {
  if (size.is_constant()) return Value(size.constant());
  return Value(make_ref<SymIntObject>(size, shapes.hint(size)));
}

Value TracedSizes::shape(const std::vector<SymInt>& sizes) {
  std::vector<Value> items;
  for (SymInt size : sizes) items.push_back(value(size));
  Ref<TupleObject> tuple = make_tuple(std::move(items));
  tuple->set_flag(Object::kIsSize);
  return Value(tuple);
}

void TracedSizes::specialise(SymInt size) {
  if (size.is_constant()) return;
  ShapeEnvironment::Scope scope(shapes);
  if (known_equal(size, shapes.hint(size)) != true)
    shapes.add_relation({Relation::Kind::kEqual, size, shapes.hint(size)});
}

bool TracedSizes::decide(Relation::Kind kind, SymInt left, SymInt right) {
  std::optional<bool> known;
  switch (kind) {
    case Relation::Kind::kEqual:
      known = known_equal(left, right);
      break;
    case Relation::Kind::kNotEqual:
      known = known_equal(left, right);
      if (known) known = !*known;
      break;
    case Relation::Kind::kLess:
      known = known_less(left, right);
      break;
    case Relation::Kind::kLessEqual:
      known = known_less_equal(left, right);
      break;
  }
  return known ? *known : shapes.decide(kind, left, right);
}

void TracedSizes::note_relations() {
  relation_spans_.resize(shapes.relations().size(), span_);
}

std::optional<SymInt> TracedSizes::fitting(SymInt result) {
  if (result.is_constant()) return result;
  if (!evaluate_exactly(result, shapes.hints())) return std::nullopt;
  if (computed_keys_.insert(result.key()).second) computed_.emplace_back(result, span_);
  return result;
}

std::optional<SymInt> TracedSizes::arithmetic(Opcode opcode, SymInt a, SymInt b) {
  // Coefficients are numbers of 64 bits too.
  constexpr double kGreatestCoefficient = 0x1p60;
  double left = std::max(1.0, greatest_magnitude(a, 1)), right = greatest_magnitude(b, 1);
  if (left * std::max(1.0, right) > kGreatestCoefficient) return std::nullopt;
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kAddInPlace:
      return fitting(a + b);
    case Opcode::kSubtract:
    case Opcode::kSubtractInPlace:
      return fitting(a - b);
    case Opcode::kMultiply:
    case Opcode::kMultiplyInPlace:
      return fitting(a * b);
    case Opcode::kFloorDivide:
    case Opcode::kFloorDivideInPlace:
    case Opcode::kModulo:
    case Opcode::kModuloInPlace: {
      // A divisor that may be zero or negative is rare: its sign becomes a guard, or it is plain.
      if (shapes.hint(b) <= 0 || !decide(Relation::Kind::kLess, 0, b)) return std::nullopt;
      bool divides = opcode == Opcode::kFloorDivide || opcode == Opcode::kFloorDivideInPlace;
      return fitting(divides ? floor_divide(a, b) : remainder(a, b));
    }
    default:
      return std::nullopt;
  }
}

std::optional<bool> TracedSizes::compare(Opcode opcode, const Value& left, const Value& right) {
  bool mirrored = false;
  std::optional<Relation::Kind> kind = relation_of(opcode, mirrored);
  if (!kind) return std::nullopt;
  auto a = as_symbolic(left), b = as_symbolic(right);
  if (a && b) return mirrored ? decide(*kind, *b, *a) : decide(*kind, *a, *b);
  // Shapes are compared item by item, up to the first that differs.
  const auto* first = items_of(left);
  const auto* second = items_of(right);
  bool equality = opcode == Opcode::kEqual || opcode == Opcode::kNotEqual;
  if (!equality || !first || !second || left.kind() != right.kind()) return std::nullopt;
  auto is_size = [](const Value& item) { return as_symbolic(item).has_value(); };
  bool all = std::all_of(first->begin(), first->end(), is_size) &&
             std::all_of(second->begin(), second->end(), is_size);
  if (!all) return std::nullopt;
  bool same = first->size() == second->size();
  for (size_t i = 0; same && i < first->size(); ++i)
    same = decide(Relation::Kind::kEqual, *as_symbolic((*first)[i]), *as_symbolic((*second)[i]));
  return same == (opcode == Opcode::kEqual);
}

std::optional<Value> TracedSizes::combine(std::string_view name, const std::vector<Value>& items) {
  std::vector<SymInt> sizes;
  for (const Value& item : items) {
    auto size = as_symbolic(item);
    if (!size) return std::nullopt;
    sizes.push_back(*size);
  }
  if (sizes.empty()) return std::nullopt;
  SymInt result = sizes.front();
  for (size_t i = 1; i < sizes.size(); ++i) {
    if (name == "min") result = minimum(result, sizes[i]);
    if (name == "max") result = maximum(result, sizes[i]);
    bool adds = name == "sum";
    if (!adds && name != "prod") continue;
    std::optional<SymInt> next =
        arithmetic(adds ? Opcode::kAdd : Opcode::kMultiply, result, sizes[i]);
    if (!next) return std::nullopt;
    result = *next;
  }
  return value(result);
}

void TracedSizes::add_guards(const Graph& graph, std::vector<Guard>& guards) {
  note_relations();
  for (size_t i = 0; i < relation_spans_.size(); ++i) {
    guards.push_back({.kind = GuardKind::kRelation,
                      .relation = shapes.relations()[i],
                      .span = relation_spans_[i]});
  }
  guard_magnitudes(graph, guards);
}

void TracedSizes::guard_magnitudes(const Graph& graph, std::vector<Guard>& guards) {
  constexpr int kAnyInt = 63;
  constexpr double kTooGreat = 0x1p63;
  auto is_size = [&](uint32_t symbol) { return shapes.least(symbol) == 2; };
  auto add = [&](SymInt value) {
    if (!std::ranges::all_of(value.symbols(), is_size)) computed_.emplace_back(value, span_);
  };
  for (const Relation& relation : shapes.relations()) {
    add(relation.left);
    add(relation.right);
  }
  // The memory of a result whose size a script's int decides.
  constexpr int64_t kGreatestElement = 16;
  for (const Node& node : graph.nodes)
    for (const TensorType& type : node.outputs) add(product(type.sizes) * kGreatestElement);
  double greatest_now = 1;
  for (uint32_t symbol = 0; symbol < shapes.symbol_count(); ++symbol) {
    if (!is_size(symbol))
      greatest_now = std::max(greatest_now, std::abs(static_cast<double>(shapes.hints()[symbol])));
  }
  int bits = kAnyInt;
  for (const auto& [value, span] : computed_) {
    if (value.maybe_symbol()) continue;
    auto fits_within = [&](int bits_of_ints) {
      return greatest_magnitude(value, [&](uint32_t symbol) {
               return std::exp2(is_size(symbol) ? kSizeBits : bits_of_ints);
             }) < kTooGreat;
    };
    int enough = bits;
    while (enough >= 0 && !fits_within(enough)) --enough;
    if (enough >= 0 && greatest_now <= std::exp2(enough)) {
      bits = enough;
    } else {
      guards.push_back({.kind = GuardKind::kFits, .size = value, .span = span});
    }
  }
  for (Guard& guard : guards) {
    if (guard.kind == GuardKind::kInteger)
      guard.length = bits == kAnyInt ? std::numeric_limits<int64_t>::max() : int64_t{1} << bits;
  }
}

}  // namespace glint::capture
