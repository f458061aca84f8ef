#include "repl/step_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "backends/cuda/listing/gpu_listing.h"
#include "repl/command_words.h"
#include "repl/raw_kernels.h"
#include "repl/walker.h"
#include "runtime/capture/listings.h"

namespace glint {
namespace {

/// A warp's instructions; a line of CUDA C++ stands above the first of its own.
Walk warp_steps(const cuda::WarpWalk& warp) {
  Walk walk = {.title = warp.title};
  for (const cuda::WarpStep& step : warp.steps) {
    if (!step.source.empty()) walk.steps.push_back({step.source});
    walk.steps.push_back({step.instruction});
  }
  walk.end = warp.end;
  return walk;
}

/// Of the kernels of a function that ran on the simulated GPU, else of the kernels of that name.
Result<std::vector<Walk>> gpu_walks(Session& session, const Whose& whose, const std::string& named,
                                    const cuda::WarpChoice& choice) {
  std::vector<Walk> walks;
  for (const Artifact& artifact : session.log().artifacts()) {
    const auto* kernels = artifact.lines.target<capture::KernelListing>();
    if (named.empty() || kernels == nullptr || kernels->near || !whose.has(artifact)) continue;
    auto warps = cuda::walk_warps(*kernels->schedule, kernels->tuning.get(), choice);
    if (!warps) return warps.error();
    for (const cuda::WarpWalk& warp : *warps) walks.push_back(warp_steps(warp));
  }
  if (!walks.empty()) return walks;
  auto warp = cuda::walk_warp(named, choice);
  if (!warp) return warp.error();
  return std::vector<Walk>{warp_steps(*warp)};
}

bool has(const CommandContext& context, std::string_view option) {
  return std::ranges::find(context.options, option) != context.options.end();
}

/// The number behind `--at`; 0 without it.
Result<int64_t> index_of(const CommandContext& context) {
  if (!has(context, "--at")) return int64_t{0};
  int64_t at = 0;
  const std::string& number = context.value;
  auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), at);
  if (end != number.data() + number.size() || error != std::errc())
    return Error{fmt::format("`--at` takes a number, not `{}`", number)};
  if (at < 0) return Error{fmt::format("`--at` counts from 0, no index is {}", at)};
  return at;
}

/// What the options ask for; without one what the name stands for.
Result<std::vector<Walk>> walks_for(CommandContext& context, const Whose& whose) {
  Session& session = context.session;
  const std::string& name = whose.name;
  if (has(context, "--passes")) return session.pass_walks(whose);
  if (has(context, "--graph")) return session.graph_walks(whose);
  const Result<int64_t> at = index_of(context);
  if (!at) return at.error();
  // A variable may have the name of the kernel that it launches.
  const std::string named =
      is_call(context.arguments) ? name : kernel_meant(session, context.arguments);
  const bool is_unknown = !named.empty() && !is_known(session, named) && cuda::has_run("");
  if (has(context, "--gpu") || (!named.empty() && cuda::has_run(named)) || is_unknown)
    return gpu_walks(session, whose, named, {.warp = static_cast<uint64_t>(*at)});
  if (has(context, "--kernels") || has(context, "--at")) return session.kernel_walks(whose, *at);
  auto walks = session.graph_walks(whose);
  return walks || name.empty() ? std::move(walks) : session.kernel_walks(whose, 0);
}

}  // namespace

void step(CommandContext& context) {
  std::optional<Whose> whose = called_first(context);
  if (!whose) return;
  auto walks = walks_for(context, *whose);
  if (!walks) return context.print(walks.error().message + "\n");
  if (context.walk) return context.walk(*walks);
  std::vector<Listing> found;
  for (const Walk& walk : *walks) found.push_back({walk.title, walk_text(walk)});
  if (!context.show) return context.print(with_headings(found, true));
  for (const Listing& each : found) context.show(each);
}

}  // namespace glint
