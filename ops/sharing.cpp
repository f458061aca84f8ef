// Follows an operator's arguments to its results through the decomposition; see sharing.h.
//
//   1. Each tensor among the arguments becomes a value of its own.
//   2. A composite's decomposition runs on these values; its calls are followed in the same way.
//   3. A primitive gives new values, but for a view, which remembers the value that it shows, and a
//      conversion to the dtype that is there, which gives its argument.
//   4. A result that is one of the values of step 1, or leads to one, shares its memory.
#include "ops/sharing.h"

#include <unordered_map>

#include "core/support/check.h"
#include "ops/builders.h"
#include "ops/infer.h"

namespace glint::ops {

namespace {

/// A type, and the value whose memory is shown; null where it has its own.
struct SharedType final : RefCounted {
  SharedType(TensorType of, Ref<RefCounted> shown) : type(std::move(of)), base(std::move(shown)) {}
  TensorType type;
  Ref<RefCounted> base;
};

SharedType& shared(const OpValue& value) {
  return *static_cast<SharedType*>(value.object.get());
}

OpValue fresh(const TensorType& type) {
  return {Ref<RefCounted>(make_ref<SharedType>(type, Ref<RefCounted>())), {}};
}

bool is_composite(const OpEntry& entry) {
  return entry.decomposition && entry.lowers_to<std::monostate>();
}

/// Whether the view's strides can show its input; otherwise it copies.
bool shows_input(const OpEntry& entry, InferArguments arguments) {
  const View* view = entry.lowers_to<View>();
  if (!view || view->copies) return false;
  if (!view->may_copy) return true;
  return apply(view->rule(entry, arguments), arguments[0].tensor()).has_value();
}

class SharingBuilder final : public OpBuilder {
 public:
  TensorType type(const OpValue& value) override { return shared(value).type; }

  std::vector<OpValue> call_all(std::string_view target, std::vector<OpArgument> positional,
                                std::vector<OpNamedArgument> named) override {
    const OpEntry* entry = find_op(target);
    check(entry != nullptr, "a decomposition calls an operator that exists");
    return follow(*entry, complete_arguments(*entry, std::move(positional), named));
  }

  std::vector<OpValue> follow(const OpEntry& entry, const std::vector<OpArgument>& arguments) {
    if (is_composite(entry)) return entry.decomposition(*this, arguments);
    std::vector<InferArgument> types;
    for (const OpArgument& argument : arguments)
      types.push_back(map_argument<TensorType>(
          argument, [](const OpValue& value) { return shared(value).type; }));
    std::vector<OpValue> values;
    for (const TensorType& type : infer(entry, types)) values.push_back(fresh(type));
    if (shows_input(entry, types)) shared(values[0]).base = arguments[0].tensor().object;
    if (entry.lowers_to<Convert>() && shared(values[0]).type.dtype == types[0].tensor().dtype)
      return {arguments[0].tensor()};
    return values;
  }
};

}  // namespace

std::vector<Sharing> sharing(const OpEntry& entry, InferArguments arguments) {
  std::unordered_map<const RefCounted*, size_t> given;
  std::vector<OpValue> kept;
  std::vector<OpArgument> values;
  for (const InferArgument& argument : arguments)
    values.push_back(map_argument<OpValue>(argument, [&](const TensorType& type) {
      kept.push_back(fresh(type));
      given.emplace(kept.back().object.get(), kept.size() - 1);
      return kept.back();
    }));
  // What writes an argument gives it back: the first, or the last of an `out=` form.
  bool out = entry.functional_form && std::string_view(entry.name).ends_with(".out");
  if (entry.effects.mutates) return {{Sharing::Kind::kSame, out ? kept.size() - 1 : 0}};
  SharingBuilder builder;
  std::vector<Sharing> results;
  for (const OpValue& value : builder.follow(entry, complete_arguments(entry, values, {}))) {
    Sharing result;
    const RefCounted* at = value.object.get();
    bool same = true;
    while (at && !given.contains(at)) {
      at = static_cast<const SharedType*>(at)->base.get();
      same = false;
    }
    if (at) result = {same ? Sharing::Kind::kSame : Sharing::Kind::kView, given.at(at)};
    results.push_back(result);
  }
  return results;
}

}  // namespace glint::ops
