#include "repl/step_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "backends/cuda/listing/gpu_listing.h"
#include "backends/cuda/listing/warp_walk.h"
#include "repl/command_words.h"
#include "repl/raw_kernels.h"
#include "repl/walker.h"
#include "runtime/capture/listings.h"

namespace glint {
namespace {

/// Instructions of a warp that are shown where they cannot be gone along, and that can be.
constexpr uint64_t kShownInstructions = 100;
constexpr uint64_t kWalkedInstructions = 50'000;
/// Nobody looks at more of them, and they have to fit into memory.
constexpr uint64_t kMostInstructions = 1'000'000;

Walk warp_steps(const cuda::WarpWalk& warp) {
  Walk walk = {.title = warp.title, .first = warp.first, .all = warp.all, .end = warp.end};
  for (const cuda::WarpStep& step : warp.steps)
    walk.steps.push_back({.line = step.instruction, .above = step.source, .is_seen = step.is_seen});
  return walk;
}

/// Whether a kernel that a region has on the GPU begins so.
bool is_gpu_kernel(Session& session, const std::string& named) {
  return region_of_kernel(session, named, true) != nullptr;
}

/// Of the kernels of a function that ran on the simulated GPU, else of the kernels of that name.
Result<std::vector<Walk>> gpu_walks(Session& session, const Whose& whose,
                                    const cuda::KernelChoice& kernel,
                                    const cuda::WarpChoice& choice) {
  const std::string& named = kernel.name;
  std::vector<Walk> walks;
  for (const Artifact& artifact : session.log().artifacts()) {
    const auto* kernels = artifact.lines.target<capture::KernelListing>();
    if (named.empty() || kernels == nullptr || kernels->near || !whose.has(artifact)) continue;
    auto warps = cuda::walk_warps(*kernels->schedule, kernels->tuning.get(), choice);
    if (!warps) return warps.error();
    for (const cuda::WarpWalk& warp : *warps) walks.push_back(warp_steps(warp));
  }
  if (!walks.empty()) return walks;
  if (!named.empty() && cuda::has_run({}) && is_logged(session, whose))
    return Error{fmt::format("no kernel of `{}` ran on a simulated GPU", named)};
  const bool may_have_run = named.empty() || cuda::has_run({}) || is_known(session, named) ||
                            is_raw_kernel(named) || is_gpu_kernel(session, named);
  if (!may_have_run) return Error{std::string(trimmed(unknown_name(session, named)))};
  auto warp = cuda::walk_warp(kernel, choice);
  if (!warp) return warp.error();
  return std::vector<Walk>{warp_steps(*warp)};
}

/// The number behind an option, which counts from `least`; without the option `usual`.
Result<uint64_t> number_of(const CommandContext& context, std::string_view flag, int64_t least,
                           uint64_t usual) {
  const std::optional<std::string> given = context.option(flag);
  if (!given) return usual;
  int64_t number = 0;
  auto [end, error] = std::from_chars(given->data(), given->data() + given->size(), number);
  if (end != given->data() + given->size() || error != std::errc())
    return Error{fmt::format("`{}` takes a number, not `{}`", flag, *given)};
  if (number < least)
    return Error{fmt::format("`{}` takes a number from {} on, not {}", flag, least, number)};
  return static_cast<uint64_t>(number);
}

Result<cuda::WarpChoice> warp_choice(const CommandContext& context) {
  const auto warp = number_of(context, "--at", 0, 0);
  if (!warp) return warp.error();
  const auto from = number_of(context, "--from", 1, 1);
  if (!from) return from.error();
  const auto most =
      number_of(context, "--count", 1, context.walk ? kWalkedInstructions : kShownInstructions);
  if (!most) return most.error();
  return cuda::WarpChoice{.warp = *warp, .from = *from, .most = std::min(*most, kMostInstructions)};
}

/// What is said of options that ask for different walks, or count what another walk has.
std::optional<std::string> contradiction(const CommandContext& context) {
  std::string_view walk;
  for (const std::string_view flag : {"--graph", "--passes", "--kernels", "--gpu"}) {
    if (!context.option(flag)) continue;
    if (!walk.empty()) return fmt::format("`{}` or `{}`, not both", walk, flag);
    walk = flag;
  }
  for (const std::string_view flag : {"--at", "--from", "--count"}) {
    const bool counts = walk.empty() || walk == "--gpu" || (walk == "--kernels" && flag == "--at");
    if (context.option(flag) && !counts)
      return fmt::format("`{}` goes with `--gpu`{}, not with `{}`", flag,
                         flag == "--at" ? " and `--kernels`" : "", walk);
  }
  return std::nullopt;
}

/// What the options ask for; without one what the name stands for.
Result<std::vector<Walk>> walks_for(CommandContext& context, const Whose& whose) {
  Session& session = context.session;
  const std::string& name = whose.name;
  if (auto complaint = contradiction(context)) return Error{*std::move(complaint)};
  for (const std::string_view stage : {"graph", "passes"})
    if (context.option(fmt::format("--{}", stage)))
      if (const auto why = nothing_of_raw_kernel(session, callee(context), stage))
        return Error{std::string(trimmed(*why))};
  if (context.option("--passes")) return session.pass_walks(whose);
  if (context.option("--graph")) return session.graph_walks(whose);
  const Result<cuda::WarpChoice> choice = warp_choice(context);
  if (!choice) return choice.error();
  const bool of_warp =
      context.option("--gpu") || context.option("--from") || context.option("--count");
  // A variable may have the name of the kernel that it launches.
  const cuda::KernelChoice kernel = is_call(context.arguments)
                                        ? cuda::KernelChoice{name}
                                        : kernel_meant(session, context.arguments);
  const std::string& named = kernel.name;
  const bool is_unknown = !named.empty() && !is_known(session, named) &&
                          (cuda::has_run({}) || is_gpu_kernel(session, named));
  // A function is found before a kernel whose name begins as its own.
  const bool is_kernel = !named.empty() && !is_logged(session, whose) &&
                         (cuda::has_run(kernel) || is_raw_kernel(named));
  if (of_warp || is_kernel || is_unknown) return gpu_walks(session, whose, kernel, *choice);
  const auto at = static_cast<int64_t>(choice->warp);
  if (context.option("--kernels") || context.option("--at")) return session.kernel_walks(whose, at);
  auto walks = session.graph_walks(whose);
  return walks || name.empty() ? std::move(walks) : session.kernel_walks(whose, 0);
}

}  // namespace

void step(CommandContext& context) {
  std::optional<Whose> whose = called_first(context);
  if (!whose) return;
  auto walks = walks_for(context, *whose);
  if (!walks) return context.print(walks.error().message + "\n");
  const bool any =
      std::ranges::any_of(*walks, [](const Walk& walk) { return !walk.steps.empty(); });
  if (context.walk && any) return context.walk(*walks);
  std::vector<Listing> found;
  for (const Walk& walk : *walks) found.push_back({walk.title, walk_text(walk)});
  if (!context.show) return context.print(with_headings(found, true));
  for (const Listing& each : found) context.show(each);
}

}  // namespace glint
