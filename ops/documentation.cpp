#include "ops/documentation.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "ops/autocast.h"
#include "ops/builders.h"
#include "ops/families.h"
#include "ops/infer.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// Runs decompositions on types and writes down which operators they call.
class NamingBuilder final : public OpBuilder {
 public:
  std::vector<OpValue> call_all(std::string_view target, std::vector<OpArgument> positional,
                                std::vector<OpNamedArgument> named) override {
    if (std::ranges::find(names, target) == names.end()) names.emplace_back(target);
    return type_builder().call_all(target, std::move(positional), std::move(named));
  }
  TensorType type(const OpValue& value) override { return type_builder().type(value); }

  std::vector<std::string> names;
};

/// The operators that the decomposition of some sample calls.
std::vector<std::string> decomposed_names(const OpEntry& entry) {
  NamingBuilder builder;
  size_t tried = 0;
  for (const Sample& sample : entry.samples(entry)) {
    if (++tried > 8) break;
    std::vector<OpArgument> arguments;
    for (const Argument& argument : sample.arguments)
      arguments.push_back(map_argument<OpValue>(
          argument, [](const Tensor& tensor) { return type_value(type_of(tensor)); }));
    entry.decomposition(builder, arguments);
  }
  return builder.names;
}

void add_places(std::vector<std::string>& places, std::string_view prefix, const char* words) {
  std::string_view rest = words;
  while (!rest.empty()) {
    size_t space = std::min(rest.find(' '), rest.size());
    if (space > 0) places.push_back(fmt::format("{}{}", prefix, rest.substr(0, space)));
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
}

/// Everywhere that Python finds the operator.
std::vector<std::string> places_of(const OpEntry& entry) {
  std::vector<std::string> places;
  add_places(places, "torch.", entry.torch);
  add_places(places, "Tensor.", entry.method);
  add_places(places, "torch.nn.functional.", entry.functional);
  add_places(places, "Tensor.", entry.operators);
  return places;
}

std::string effects_text(const OpEntry& entry) {
  std::vector<std::string> effects;
  if (entry.effects.random) effects.push_back("draws random numbers");
  if (entry.effects.mutates) effects.push_back("writes its first argument");
  if (entry.effects.synchronises) effects.push_back("needs values, so it ends a region");
  if (entry.sizes_from_values) effects.push_back("ends a region where its sizes need values");
  if (entry.effects.may_fail) effects.push_back("may fail depending on values");
  return fmt::format("{}", fmt::join(effects, ", "));
}

}  // namespace

std::string dtype_text(const OpEntry& entry) {
  switch (entry.dtype_rule) {
    case DTypeRule::kPromote:
      return "the operands' common dtype";
    case DTypeRule::kFloat:
      return "the operands' common dtype; integers become the default float";
    case DTypeRule::kBool:
      return "bool";
    case DTypeRule::kIntegerToInt64:
      return "the input's; integers and bool become int64";
    case DTypeRule::kFloatingOnly:
      return "the input's, which must be floating";
    case DTypeRule::kIndex:
      return "int64";
    case DTypeRule::kOwn:
      break;
  }
  return kind(entry) == OpKind::kComposite ? "that of the operators it is made of"
                                           : "as its description says";
}

std::string lowering_text(const OpEntry& entry) {
  if (const auto* pointwise = entry.lowers_to<Pointwise>())
    return fmt::format("each element by `{}`", name(pointwise->function));
  if (const auto* reduce = entry.lowers_to<Reduce>())
    return fmt::format("reduction by `{}`", info(reduce->combiner).name);
  if (const auto* scan = entry.lowers_to<Scan>())
    return fmt::format("running reduction by `{}`", info(scan->combiner).name);
  if (const auto* view = entry.lowers_to<View>())
    return view->copies ? "copy through an index map" : "view: an index map, no copy";
  if (entry.lowers_to<Fill>()) return "every element one value";
  if (entry.lowers_to<Iota>()) return "start + i * step";
  if (entry.lowers_to<Convert>()) return "each element converted";
  if (entry.lowers_to<Copy>()) return "each element copied";
  if (entry.lowers_to<Checked>()) return "each element as it is, under a check";
  if (entry.lowers_to<GatherAlong>()) return "each element loaded at its own index";
  if (entry.lowers_to<SelectAlong>()) return "rows loaded at their indices";
  if (entry.lowers_to<Concatenate>()) return "each input copied to its part";
  if (entry.lowers_to<Library>()) return "a step of the schedule";
  if (entry.functional_form)
    return fmt::format("`{}`, written in place", entry.functional_form->name);
  return fmt::format("decomposes into {}", fmt::join(decomposed_names(entry), " "));
}

std::string gradient_text(const OpEntry& entry) {
  if (entry.lacks_derivative) return "none: `backward` raises, as in PyTorch";
  std::vector<std::string> parts;
  for (const InputGradient& gradient : entry.gradients) {
    if (!gradient.rule) continue;
    std::string saved = gradient.saves;
    for (size_t at = 0; (at = saved.find(' ', at)) != std::string::npos; at += 2)
      saved.replace(at, 1, ", ");
    parts.push_back(saved.empty() ? fmt::format("of {}", gradient.of)
                                  : fmt::format("of {} (saves {})", gradient.of, saved));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string doc_page(const OpEntry& entry) {
  auto places = places_of(entry);
  std::string page = fmt::format("{}\n\n{}\n\n", entry.signature, entry.doc);
  page += fmt::format("  name     {}\n", entry.name);
  if (!places.empty()) page += fmt::format("  python   {}\n", fmt::join(places, " "));
  page += fmt::format("  kind     {}: {}\n", kind_name(kind(entry)), lowering_text(entry));
  page += fmt::format("  dtype    {}\n", dtype_text(entry));
  std::string autocast = autocast_text(entry);
  if (!autocast.empty()) page += fmt::format("  autocast {}\n", autocast);
  page += fmt::format("  agrees   between backends within {:g} of its size, or {:g}\n",
                      entry.tolerance.relative, entry.tolerance.absolute);
  std::string gradient = gradient_text(entry);
  if (!gradient.empty()) page += fmt::format("  gradient {}\n", gradient);
  std::string effects = effects_text(entry);
  if (!effects.empty()) page += fmt::format("  effects  {}\n", effects);
  return page;
}

const OpEntry* find_documented(std::string_view name) {
  constexpr std::string_view kFunctional = "torch.nn.functional.";
  if (name.starts_with(kFunctional)) return find_functional(name.substr(kFunctional.size()));
  if (name.starts_with("F.")) return find_functional(name.substr(2));
  if (name.starts_with("torch.")) return find_torch(name.substr(6));
  if (name.starts_with("Tensor.")) return find_method(name.substr(7));
  for (auto find : {find_torch, find_functional, find_method, find_op})
    if (const OpEntry* entry = find(name)) return entry;
  return nullptr;
}

std::optional<std::string> doc_page(std::string_view name) {
  const OpEntry* entry = find_documented(name);
  return entry ? std::optional(doc_page(*entry)) : std::nullopt;
}

std::vector<std::pair<std::string_view, std::vector<std::string>>> operators_by_family() {
  std::vector<std::pair<std::string_view, std::vector<std::string>>> families;
  for (const Family& family : kFamilies) {
    families.emplace_back(family.name, std::vector<std::string>());
    std::vector<std::string>& names = families.back().second;
    for (const OpEntry& entry : family.entries()) {
      auto places = places_of(entry);
      if (places.empty()) continue;
      std::string name = places[0].substr(places[0].rfind('.') + 1);
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  }
  return families;
}

std::string operators_manual() {
  std::string manual =
      "# Operators\n\nGenerated by `scripts/docs` from the operator table (`ops/`); `glint doc "
      "NAME` "
      "shows one. A primitive has a loop nest of its own, a composite is written with other "
      "operators, a library operator calls a tuned routine. In-place forms (`add_`) and `out=` "
      "forms "
      "follow from these. The gradient of an operator that names none is that of the operators it "
      "is "
      "made of, if they have one.\n\n"
      "| operator | signature | what it does | kind | lowering | dtype | gradient |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  auto cell = [](std::string text) {
    for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
      text.insert(at, "\\");
    return text;
  };
  for (const OpEntry& entry : op_table()) {
    if (entry.functional_form) continue;
    manual += fmt::format("| `{}` | `{}` | {} | {} | {} | {} | {} |\n", entry.name,
                          cell(entry.signature), cell(entry.doc), kind_name(kind(entry)),
                          cell(lowering_text(entry)), dtype_text(entry), gradient_text(entry));
  }
  manual +=
      "\n## Under `torch.autocast`\n\nOn each kind of device PyTorch has its own list of what gets "
      "its tensors in lower precision (bfloat16 on the processor, float16 on a GPU, or the dtype "
      "that `autocast` names), in float32, or in the widest dtype among them.\n\n"
      "| operator | tensors |\n| --- | --- |\n";
  for (const AutocastRow& row : autocast_table())
    manual += fmt::format("| `{}` | {} |\n", row.name, autocast_text(*find_op(row.name)));
  return manual;
}

}  // namespace glint::ops
