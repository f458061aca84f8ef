#include "backends/cuda/listing/call_listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/listing/gpu_listing.h"
#include "backends/cuda/listing/listing.h"

namespace glint::cuda {
namespace {

using Lines = std::vector<StageLine>;

using Kernels = std::vector<CallKernel>;

void add_new(Kernels& kernels, const CallKernel& kernel) {
  const auto is_it = [&](const CallKernel& known) {
    return known.entry == kernel.entry && known.source == kernel.source;
  };
  if (std::ranges::none_of(kernels, is_it)) kernels.push_back(kernel);
}

/// What a call is known to run, and what it ran last.
struct KnownKernels {
  CallKernels tiled;
  std::optional<CallRuns> ran;

  KnownKernels(const ListedSchedule& listed, const LibraryCall& call)
      : tiled(kernels_of(listed.schedule, call)),
        ran(runs_of(listed.schedule, call, listed.is_tuned())) {}

  bool is_tiled() const { return !tiled.by_tile.empty(); }
  /// The tiles of the last run, if it was done by tiles.
  const TileKernel* tile_that_ran() const {
    for (const CallKernel& each : ran ? ran->last : Kernels())
      if (const TileKernel* tile = tiled.find(each)) return tile;
    return nullptr;
  }
  /// What the last run launched; where a library did a product, also what would do it without.
  Kernels shown() const {
    Kernels kernels = ran ? ran->last : Kernels();
    if (is_tiled() && tile_that_ran() == nullptr) kernels.push_back(tiled.shown());
    return kernels;
  }
  /// Of a tiled kernel all: trials and other sizes may have taken others than the usual one.
  Kernels all() const {
    Kernels found(tiled.by_tile.begin(), tiled.by_tile.end());
    for (const CallKernel& each : ran ? ran->all : Kernels()) add_new(found, each);
    return found;
  }
};

/// `scatter`; `copy` and `scatter_each`: each name once, whatever the texts.
std::string names_of(const Kernels& kernels) {
  std::vector<std::string> names;
  for (const CallKernel& each : kernels)
    if (std::ranges::find(names, each.entry) == names.end()) names.push_back(each.entry);
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? fmt::format("`{}`", last)
                       : fmt::format("`{}` and `{}`", fmt::join(names, "`, `"), last);
}

/// Of a product or a convolution: which way it went, and what does it otherwise.
std::string tiled_heading(const KnownKernels& kernels) {
  if (const TileKernel* tile = kernels.tile_that_ran())
    return fmt::format(", done by `{0}`, by tiles of {1} x {1}", tile->entry, tile->side);
  std::string text;
  if (kernels.ran && !kernels.ran->library.empty())
    text = fmt::format(", which {} did", kernels.ran->library);
  text += fmt::format("; where no library does it, this kernel does, by tiles of {0} x {0}",
                      kernels.tiled.shown().side);
  return text + (kernels.tiled.usual ? "" : ", or larger ones as its sizes ask");
}

/// `// %c: ...`: whose kernels follow, or why none do.
StageLine heading_of(const LibraryCall& call, const KnownKernels& kernels) {
  std::string text = fmt::format("// %{}: `{}` is a library call", call.node, call.target.text());
  if (kernels.is_tiled())
    text += tiled_heading(kernels);
  else if (!kernels.ran)
    text += "; its kernels depend on its tensors, and are shown when it has run on a GPU";
  else if (kernels.ran->last.empty())
    text += " that launched no kernel of Glint's own";
  else
    text += ", done by " + names_of(kernels.ran->last);
  return {std::move(text), call.spans};
}

void append(Lines& lines, Lines added) {
  std::ranges::move(added, std::back_inserter(lines));
}

/// A call under its heading.
Lines call_lines(StageLine heading, Lines lines) {
  Lines listed = {std::move(heading)};
  append(listed, std::move(lines));
  return listed;
}

Lines or_nothing(Lines listed) {
  if (listed.empty()) listed.push_back({"no kernel: nothing is computed", {}});
  return listed;
}

std::vector<const LibraryCall*> calls_of(const Schedule& schedule) {
  std::vector<const LibraryCall*> calls;
  for (const Step& step : schedule.steps)
    if (const auto* call = std::get_if<LibraryCall>(&step.kind)) calls.push_back(call);
  return calls;
}

/// A heading for each call, and below it `body` of each of its kernels, once where several calls
/// share it.
template <class F>
Lines with_calls(const ListedSchedule& listed, KernelSections sections, const F& body) {
  std::set<std::pair<std::string, std::string>> shown;
  return or_nothing(in_order(listed, std::move(sections), [&](const LibraryCall& call) {
    const KnownKernels known(listed, call);
    Lines lines;
    for (const CallKernel& each : known.shown()) {
      if (!shown.emplace(each.entry, each.source).second) continue;
      if (!lines.empty()) lines.push_back({"", {}});
      append(lines, body(each));
    }
    StageLine heading = heading_of(call, known);
    if (lines.empty() && !known.shown().empty()) heading.text += ": as above";
    return call_lines(std::move(heading), std::move(lines));
  }));
}

Lines source_lines(const CallKernel& kernel) {
  Lines lines;
  for_each_line(kernel.source,
                [&](std::string_view text) { lines.push_back({std::string(text), {}}); });
  return lines;
}

/// Of one call, the counts of what nobody has shown before.
class CallCounts {
 public:
  explicit CallCounts(const ListedSchedule& listed) {
    for (const LibraryCall* call : calls_of(listed.schedule)) {
      const KnownKernels& known = known_.try_emplace(call, listed, *call).first->second;
      for (const CallKernel& each : known.all())
        users_[{each.entry, each.source}].push_back(call->node);
    }
  }
  const KnownKernels& known(const LibraryCall& call) const { return known_.at(&call); }

  Lines lines(const LibraryCall& call) const {
    Lines lines;
    for (const CallKernel& each : known(call).all()) {
      Lines counted = counted_lines(each.entry, each.source);
      if (counted.empty()) continue;
      if (!lines.empty()) lines.push_back({"", {}});
      const std::vector<std::string>& users = users_.at({each.entry, each.source});
      if (users.front() != call.node) {
        lines.push_back(
            {fmt::format("// `{}` is counted above, with %{}", each.entry, users.front()), {}});
        continue;
      }
      if (users.size() > 1) lines.push_back({shared_text(each.entry, users), {}});
      append(lines, std::move(counted));
    }
    return lines;
  }

 private:
  static std::string shared_text(std::string_view entry, const std::vector<std::string>& users) {
    return fmt::format("// the counts of `{}` are of all launches together: of %{}", entry,
                       fmt::join(users, ", %"));
  }

  std::map<const LibraryCall*, KnownKernels> known_;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> users_;
};

}  // namespace

std::vector<CallKernel> kernels_of_call(const ListedSchedule& listed, const LibraryCall& call) {
  return KnownKernels(listed, call).all();
}

Lines with_call_sources(const ListedSchedule& listed, KernelSections sections) {
  return with_calls(listed, std::move(sections), source_lines);
}

Lines with_call_code(const ListedSchedule& listed, KernelSections sections, std::string_view what,
                     ModuleLines lines_of) {
  return with_calls(listed, std::move(sections), [&](const CallKernel& kernel) {
    const auto module = compiled_module(kernel.source);
    return module ? lines_of(**module) : missing_line(what, module.error());
  });
}

Lines with_call_counts(const ListedSchedule& listed, KernelSections sections) {
  const CallCounts counts(listed);
  return in_order(listed, std::move(sections), [&](const LibraryCall& call) {
    Lines lines = counts.lines(call);
    if (lines.empty() && counts.known(call).is_tiled() && !counts.known(call).ran)
      lines.push_back({"// it did not run on the simulated GPU yet", {}});
    return call_lines(heading_of(call, counts.known(call)), std::move(lines));
  });
}

}  // namespace glint::cuda
