#include "passes/split_reductions.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ir/kernel_edit.h"
#include "ir/kernel_work.h"
#include "ops/scalar/reduction_order.h"
#include "passes/kernel_copy.h"

namespace glint::passes {

namespace {

/// The loop to cut, what it feeds, and how many of its iterations are a block.
struct Cut {
  size_t loop = 0;
  std::vector<size_t> fed;
  int64_t block = 0;
};

bool is_scalar(const Statement& statement) {
  return statement.get_if<Load>() || statement.get_if<Compute>() || statement.get_if<IndexValue>();
}

bool is_divisible(const Reduction& reduction) {
  const bool is_half = reduction.dtype == DType::kFloat16 || reduction.dtype == DType::kBFloat16;
  return reduction.combiner < Combiner::kArgmax && !is_half;
}

/// The one loop that is not inside another, where it reduces and nothing else stands in the way.
std::optional<Cut> find_loop(const Kernel& kernel) {
  std::optional<Cut> cut;
  for (size_t i = 0; i < kernel.statements.size(); ++i) {
    const Statement& statement = kernel.statements[i];
    const auto* loop = statement.get_if<Loop>();
    if (!loop) {
      const bool stays = cut || is_scalar(statement) || statement.get_if<Reduction>();
      if (!stays || statement.get_if<Scratch>()) return std::nullopt;
      continue;
    }
    if (cut || loop->kind != LoopKind::kReduce) return std::nullopt;
    cut.emplace().loop = i;
    i = index(loop->end) - 1;
  }
  return cut;
}

/// Finds what the loop feeds; whether blocks can feed it.
bool find_fed(const Kernel& kernel, Cut& cut) {
  const size_t end = index(kernel.statements[cut.loop].get_if<Loop>()->end);
  for (size_t i = cut.loop + 1; i < end; ++i) {
    const Statement& statement = kernel.statements[i];
    const auto* inner = statement.get_if<Loop>();
    if (statement.get_if<Scratch>() || (inner && inner->kind != LoopKind::kReduce)) return false;
    // Its index is a value by itself only in what names one.
    if (const auto* compute = statement.get_if<Compute>())
      for (const Operand& operand : compute->operands)
        if (!operand.is_literal() && index(operand.statement()) == cut.loop) return false;
    const auto* accumulate = statement.get_if<Accumulate>();
    if (!accumulate || index(accumulate->reduction) > cut.loop) continue;
    const size_t reduction = index(accumulate->reduction);
    if (!is_divisible(*kernel.statements[reduction].get_if<Reduction>())) return false;
    if (std::ranges::find(cut.fed, reduction) == cut.fed.end()) cut.fed.push_back(reduction);
  }
  std::ranges::sort(cut.fed);
  const auto made = std::count_if(
      kernel.statements.begin(), kernel.statements.begin() + static_cast<long>(cut.loop),
      [](const Statement& statement) { return statement.get_if<Reduction>() != nullptr; });
  return !cut.fed.empty() && std::cmp_equal(made, cut.fed.size());
}

/// How often the innermost statements run for one iteration of the loop.
SymInt iterations_inside(const Kernel& kernel, size_t loop) {
  SymInt all = 0;
  std::vector<std::pair<size_t, SymInt>> open = {
      {index(kernel.statements[loop].get_if<Loop>()->end), 1}};
  for (size_t i = loop + 1; i < open.front().first; ++i) {
    while (i >= open.back().first) open.pop_back();
    const auto* inner = kernel.statements[i].get_if<Loop>();
    if (!inner) continue;
    open.emplace_back(index(inner->end), open.back().second * inner->extent);
    const bool is_innermost = std::none_of(
        kernel.statements.begin() + static_cast<long>(i) + 1,
        kernel.statements.begin() + static_cast<long>(index(inner->end)),
        [](const Statement& statement) { return statement.get_if<Loop>() != nullptr; });
    if (is_innermost) all += open.back().second;
  }
  return all;
}

/// The statements before the loop that `statement` and what it names need, but for reductions.
void add_needed(const Kernel& kernel, size_t statement, std::set<size_t>& needed) {
  Statement copy = kernel.statements[statement];
  for_each_id(copy, [&](StatementId id) {
    const size_t at = index(id);
    if (is_scalar(kernel.statements[at]) && needed.insert(at).second)
      add_needed(kernel, at, needed);
  });
}

/// What one reduction's blocks leave, part by part.
struct Partial {
  size_t reduction;
  uint8_t part;
  TensorType type;
  std::string name;
};

class Splitter {
 public:
  explicit Splitter(Schedule& schedule) : schedule_(schedule) {}

  bool finds_any() {
    return std::ranges::any_of(schedule_.steps, [&](const Step& step) {
      const auto* launch = std::get_if<Launch>(&step.kind);
      return launch != nullptr && find_cut(*launch);
    });
  }

  void run() {
    std::vector<Step> steps;
    for (Step& step : schedule_.steps) {
      auto* launch = std::get_if<Launch>(&step.kind);
      if (const auto cut = launch ? find_cut(*launch) : std::nullopt)
        steps.push_back({split(*launch, *cut)});
      steps.push_back(std::move(step));
    }
    schedule_.steps = std::move(steps);
  }

 private:
  std::optional<Cut> find_cut(const Launch& launch) {
    const Kernel& kernel = schedule_.kernels[launch.kernel];
    auto cut = find_loop(kernel);
    if (!cut || !find_fed(kernel, *cut)) return std::nullopt;
    const auto extent = value_of(kernel.statements[cut->loop].get_if<Loop>()->extent);
    const auto inside = value_of(iterations_inside(kernel, cut->loop));
    const auto work = value_of(estimate_work(kernel));
    if (!extent || !inside || !work || *work < 2 * kWorkOfAThread) return std::nullopt;
    const int64_t each = std::max<int64_t>(1, *inside);
    cut->block = (scalar::kSumBlock + each - 1) / each;
    return *extent >= 2 * cut->block ? cut : std::nullopt;
  }

  /// Of the captured call.
  std::optional<int64_t> value_of(SymInt size) {
    if (const auto known = size.maybe_constant()) return known;
    if (!asked_) symbols_ = schedule_.sizes.find_values();
    asked_ = true;
    const auto names = size.symbols();
    if (!symbols_ || names.empty() || names.back() >= symbols_->size()) return std::nullopt;
    return size.evaluate(*symbols_);
  }

  /// Makes the launch one of the second kernel, and gives the one of the first.
  Launch split(Launch& launch, const Cut& cut) {
    const Kernel whole = std::move(schedule_.kernels[launch.kernel]);
    const SymInt extent = whole.statements[cut.loop].get_if<Loop>()->extent;
    const SymInt count = ceil_divide(extent, cut.block);
    std::vector<Partial> partials = partials_of(whole, cut, count);
    std::vector<TensorId> made;
    for (Partial& partial : partials) made.push_back(add_tensor(partial));
    const std::vector<TensorId> arguments = launch.arguments;
    auto pass = [&](const KernelCopy& copy) {
      std::vector<TensorId> passed;
      auto next = made.begin();
      for (const auto& parameter : copy.parameters())
        passed.push_back(parameter ? arguments[index(*parameter)] : *next++);
      return passed;
    };
    KernelCopy blocks(whole, whole.name + "_blocks");
    write_blocks(blocks, whole, cut, partials);
    KernelCopy rest(whole, whole.name);
    write_rest(rest, whole, cut, partials);
    const Launch first{static_cast<uint32_t>(schedule_.kernels.size()), pass(blocks)};
    launch.arguments = pass(rest);
    schedule_.kernels[launch.kernel] = rest.finish();
    schedule_.kernels.push_back(blocks.finish());
    return first;
  }

  static std::vector<Partial> partials_of(const Kernel& kernel, const Cut& cut, SymInt count) {
    std::vector<Partial> partials;
    for (const size_t id : cut.fed) {
      const Statement& statement = kernel.statements[id];
      const auto& reduction = *statement.get_if<Reduction>();
      for (uint8_t part = 0; part < info(reduction.combiner).parts; ++part) {
        TensorType type;
        type.sizes = {count};
        type.dtype = part_dtype(reduction.combiner, reduction.dtype, part);
        const std::string& node = statement.origin == Statement::kNoOrigin
                                      ? statement.name
                                      : kernel.origins[statement.origin].node;
        partials.push_back({id, part, std::move(type), node + "_block"});
      }
    }
    return partials;
  }

  /// The tensor of the blocks' results; its name becomes the parameters'.
  TensorId add_tensor(Partial& partial) {
    auto taken = [&](const std::string& name) {
      return std::ranges::any_of(schedule_.tensors,
                                 [&](const ScheduleTensor& each) { return each.name == name; });
    };
    const std::string stem = partial.name;
    for (int number = 2; taken(partial.name); ++number)
      partial.name = fmt::format("{}_{}", stem, number);
    ScheduleTensor tensor{.name = partial.name, .type = partial.type};
    tensor.slot = static_cast<uint32_t>(schedule_.slots.size());
    schedule_.slots.push_back({partial.type.bytes(), false});
    schedule_.tensors.push_back(std::move(tensor));
    return TensorId(schedule_.tensors.size() - 1);
  }

  static void write_blocks(KernelCopy& to, const Kernel& kernel, const Cut& cut,
                           const std::vector<Partial>& partials) {
    const Loop& loop = *kernel.statements[cut.loop].get_if<Loop>();
    std::set<size_t> before(cut.fed.begin(), cut.fed.end());
    for (size_t i = cut.loop + 1; i < index(loop.end); ++i) add_needed(kernel, i, before);
    before.erase(before.lower_bound(cut.loop), before.end());
    constexpr uint32_t kNone = Statement::kNoOrigin;
    const SymInt count = ceil_divide(loop.extent, cut.block);
    const StatementId all = to.add(Loop{.kind = LoopKind::kParallel, .extent = count}, "i", kNone);
    for (const size_t i : before) to.copy(i);
    Loop part{.kind = LoopKind::kReduce, .extent = cut.block};
    if (!remainder(loop.extent, cut.block).is(0))
      part.rest = IndexExpression(loop.extent) + IndexExpression(all) * -cut.block;
    const StatementId one = to.add(std::move(part), "j", kNone);
    to.cut_loop(cut.loop, {all, one, cut.block});
    to.copy(cut.loop + 1, index(loop.end));
    to.close(one);
    for (const Partial& partial : partials)
      to.add(Store{to.add_parameter(partial.name, partial.type),
                   {all},
                   Operand(to.place_of(partial.reduction), partial.part),
                   {}},
             "", kernel.statements[partial.reduction].origin);
    to.close(all);
  }

  static void write_rest(KernelCopy& to, const Kernel& kernel, const Cut& cut,
                         const std::vector<Partial>& partials) {
    const Loop& loop = *kernel.statements[cut.loop].get_if<Loop>();
    std::set<size_t> before(cut.fed.begin(), cut.fed.end());
    for (size_t i = index(loop.end); i < kernel.statements.size(); ++i)
      add_needed(kernel, i, before);
    before.erase(before.lower_bound(cut.loop), before.end());
    for (const size_t i : before) to.copy(i);
    const StatementId all =
        to.add(Loop{.kind = LoopKind::kScan, .extent = ceil_divide(loop.extent, cut.block)}, "i",
               Statement::kNoOrigin);
    for (const size_t reduction : cut.fed) {
      const uint32_t origin = kernel.statements[reduction].origin;
      Accumulate accumulate{to.place_of(reduction), {}};
      for (const Partial& partial : partials) {
        if (partial.reduction != reduction) continue;
        const BufferId from = to.add_parameter(partial.name, partial.type);
        const std::string& stem = kernel.statements[reduction].name;
        const std::string name =
            partial.part == 0 ? stem + "_block" : fmt::format("{}_block_{}", stem, partial.part);
        accumulate.operands.emplace_back(to.add(Load{from, {all}, {}, {}}, name, origin));
      }
      to.add(std::move(accumulate), "", origin);
    }
    to.close(all);
    to.copy(index(loop.end), kernel.statements.size());
  }

  Schedule& schedule_;
  std::optional<std::vector<int64_t>> symbols_;
  bool asked_ = false;
};

}  // namespace

bool has_long_reductions(Schedule& schedule) {
  return Splitter(schedule).finds_any();
}

void split_reductions(Schedule& schedule) {
  Splitter(schedule).run();
}

}  // namespace glint::passes
