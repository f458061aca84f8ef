#include "repl/step_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "backends/cuda/gpu_listing.h"
#include "repl/command_words.h"
#include "repl/walker.h"

namespace glint {
namespace {

constexpr size_t kMostInstructions = 100;

/// A warp's instructions; a line of CUDA C++ stands above the first of its own.
Result<std::vector<Walk>> gpu_walks(const std::string& kernel) {
  auto warp = cuda::walk_warp(kernel, kMostInstructions);
  if (!warp) return warp.error();
  Walk walk = {.title = warp->title};
  for (const cuda::WarpStep& step : warp->steps) {
    if (!step.source.empty()) walk.steps.push_back({step.source});
    walk.steps.push_back({step.instruction});
  }
  walk.end = warp->end;
  return std::vector<Walk>{std::move(walk)};
}

bool has(const CommandContext& context, std::string_view option) {
  return std::ranges::find(context.options, option) != context.options.end();
}

/// What the options ask for; without one what the name stands for.
Result<std::vector<Walk>> walks_for(CommandContext& context, const Whose& whose) {
  Session& session = context.session;
  const std::string& name = whose.name;
  if (has(context, "--passes")) return session.pass_walks(whose);
  if (has(context, "--graph")) return session.graph_walks(whose);
  if (has(context, "--kernels") || has(context, "--at")) {
    int64_t at = 0;
    const std::string& number = context.value;
    auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), at);
    bool is_number = end == number.data() + number.size() && error == std::errc();
    if (has(context, "--at") && !is_number)
      return Error{fmt::format("`--at` takes a number, not `{}`", number)};
    if (at < 0) return Error{fmt::format("`--at` counts from 0, no index is {}", at)};
    return session.kernel_walks(whose, at);
  }
  const bool is_unknown = !name.empty() && !is_known(session, name) && cuda::has_run("");
  if (has(context, "--gpu") || cuda::has_run(name) || is_unknown) return gpu_walks(name);
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
