// Why a call could not use any of the regions that are there: the guard of each that failed, in
// words, the newest first, and which numbers vary from now on.
//
//     entry 2 of f failed: g0 x was float64[8], is float32[9]
//     entry 1 of f failed: g0 x was float32[8], is float32[9]

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/support/control_characters.h"
#include "runtime/capture/runner.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

void Runner::explain_miss(EntryPoint& point, const EntryState& state) {
  if (point.regions.empty()) return;
  Region& newest = *point.regions.back();
  const size_t failed = newest.guards->check(state, newest.symbols);
  if (failed == GuardProgram::kPassed) return;
  last_recompile_ = failure_text(newest, failed);
  note_varying(point, newest);
  older_misses_.clear();
  for (size_t i = point.regions.size() - 1; i-- > 0;) {
    Region& older = *point.regions[i];
    const size_t guard = older.guards->check(state, older.symbols);
    if (guard != GuardProgram::kPassed) older_misses_.push_back(failure_text(older, guard));
  }
}

std::string Runner::misses(std::string_view between) const {
  std::string text = last_recompile_;
  for (const std::string& each : older_misses_) text.append(between).append(each);
  return text;
}

namespace {

/// `x.shape[1] was 4, is 5`: the sizes and ints that a relation is about.
std::string changed_symbols(const Region& region, const Relation& relation) {
  const std::vector<Guard>& guards = region.guards->guards();
  std::vector<uint32_t> wanted = relation.left.symbols();
  for (uint32_t symbol : relation.right.symbols()) wanted.push_back(symbol);
  std::set<uint32_t> told;
  std::string text;
  for (size_t i = 0; i < guards.size(); ++i) {
    const std::string& name = region.guard_sources[i];
    auto tell = [&](const SizeGuard& size, const std::string& what) {
      if (!size.binds || std::ranges::find(wanted, size.symbol) == wanted.end()) return;
      int64_t was = region.first_symbols[size.symbol], is = region.symbols[size.symbol];
      if (was == is || !told.insert(size.symbol).second) return;
      text += text.empty() ? "" : ", ";
      text += fmt::format("{} was {}, is {}", what, was, is);
    };
    const bool is_tensor = guards[i].kind == GuardKind::kTensor;
    for (size_t dim = 0; dim < guards[i].sizes.size(); ++dim)
      tell(guards[i].sizes[dim], is_tensor ? fmt::format("{}.shape[{}]", name, dim) : name);
    for (size_t dim = 0; dim < guards[i].strides.size(); ++dim)
      tell(guards[i].strides[dim], fmt::format("{}.stride({})", name, dim));
  }
  return text.empty() ? "it is false" : text;
}

/// `was class A, is class B`. Two of one name are told apart, since a function that makes a class
/// makes another one at each call; so is one that was written to.
std::string value_change(const Guard& guard, const Value& value) {
  const std::string was = expectation(guard);
  const std::string is = actual(guard, value);
  if (guard.kind == GuardKind::kType && is == "a " + was) {
    bool same_class = guard.expected.object() == class_of(value);
    return same_class ? fmt::format("was {}, whose class has changed", is)
                      : fmt::format("was {}, is of another class of that name", is);
  }
  if (value.is_undefined()) return fmt::format("was {}, is not there", was);
  if (is != was) return fmt::format("was {}, is {}", was, is);
  if (value.identical(guard.expected)) return fmt::format("was {}, which has changed", was);
  bool named = guard.expected.is(kClassKind) || guard.expected.is<FunctionObject>();
  return named
             ? fmt::format("was {}, is another {} of that name", was, was.substr(0, was.find(' ')))
             : fmt::format("was {}, is another one", was);
}

/// What is otherwise than a guard expects: `was float32[3], is float32[4]`.
std::string change_of(const Guard& guard, const Value& value) {
  switch (guard.kind) {
    case GuardKind::kGradMode:
      return fmt::format("was {}, is {}", expectation(guard), grad_mode_text(grad_state()));
    case GuardKind::kAutocast:
      return fmt::format("was {}, is {}", expectation(guard), autocast_text(grad_state().autocast));
    case GuardKind::kDefaultDtype:
      return fmt::format("was {}, is {}", expectation(guard), dtype_name(default_dtype()));
    case GuardKind::kCurrent:
      return "was written since the view was made";
    case GuardKind::kAbsent:
      return fmt::format("had no `{}`, now has one", guard.name);
    case GuardKind::kKey:
      return fmt::format("{0} `{1}`, now {2}", guard.flag ? "had" : "had no", guard.name,
                         guard.flag ? "has not" : "has it");
    case GuardKind::kNames:
      return "has other names now";
    case GuardKind::kOutcome:
      return fmt::format("was {}, is {}", expectation(guard), guard.flag ? "False" : "True");
    case GuardKind::kFits:
      return "needs more than 64 bits now";
    case GuardKind::kSame:
      return guard.flag ? fmt::format("was `{}` itself, is another object", guard.name)
                        : fmt::format("was not `{0}`, is `{0}` itself", guard.name);
    default:
      return value_change(guard, value);
  }
}

}  // namespace

std::string Runner::failure_text(const Region& region, size_t guard_number) {
  const Guard& guard = region.guards->guards()[guard_number];
  const std::string& name = region.guard_sources[guard_number];
  const Value* value =
      guard.source == SourceId::kNone ? nullptr : region.guards->slot(guard.source);
  std::string failed =
      fmt::format("entry {} of {} failed: g{} {}", region.number,
                  region_title(region.function, region.begin, 1), guard_number, name);
  const std::string told = guard.relation
                               ? failed + ": " + changed_symbols(region, *guard.relation)
                               : failed + " " + change_of(guard, value ? *value : Value());
  return with_controls_escaped(told);  // names and keys are the user's
}

void Runner::note_varying(EntryPoint& point, const Region& region) {
  if (configured("automatic_dynamic_shapes", 1) == 0) return;
  // A size or a number that differs from what the last entry expected varies from now on.
  for (size_t i = 0; i < region.guards->guards().size(); ++i) {
    const Guard& each = region.guards->guards()[i];
    if (each.kind == GuardKind::kEquals && each.expected.is_int()) {
      const Value* number = region.guards->slot(each.source);
      bool changed =
          number && number->kind() == each.expected.kind() && !number->identical(each.expected);
      if (changed) point.varying.insert({region.guard_sources[i], kWholeValue});
    }
    if (each.kind != GuardKind::kTensor) continue;
    const Value* tensor = region.guards->slot(each.source);
    if (!tensor || !tensor->is(kTensorKind)) continue;
    const TensorImpl& impl = *tensor->as<TensorImpl>();
    for (size_t dim = 0; dim < each.sizes.size() && dim < impl.sizes.size(); ++dim) {
      if (each.sizes[dim].constant && *each.sizes[dim].constant != impl.sizes[dim]) {
        point.varying.insert({region.guard_sources[i], dim});
      }
    }
    for (size_t dim = 0; dim < each.strides.size() && dim < impl.strides.size(); ++dim) {
      if (each.strides[dim].constant && *each.strides[dim].constant != impl.strides[dim])
        point.varying.insert({region.guard_sources[i], kStrides + dim});
    }
  }
}

}  // namespace glint::capture
