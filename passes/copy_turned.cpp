// The algorithm, for each kernel that is one nest of parallel loops around loops over rows:
//   1. Say of each access in a row whether memory runs along the row or across it.
//   2. What the kernel stores decides which way it goes; where it stores no rows, its loads do, and
//      rows where these are as many.
//   3. Each parameter that is read the other way, whole and only so, gets a copy.
//   4. The kernel sees the copy under the parameter's sizes, with other strides: its loads stay.
#include "passes/copy_turned.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ir/kernel_builder.h"

namespace glint::passes {

namespace {

/// Rows and columns that fill a tile, and tensors whose reading takes longer than a launch.
constexpr int64_t kLongSide = 16;
constexpr int64_t kManyElements = 1 << 14;

enum class Lie : uint8_t { kAlong, kAcross, kNeither };

/// An access inside a loop over a row: how it lies, and the dimension of its buffer that runs along
/// the row, and along the innermost of the loops around.
struct RowAccess {
  BufferId buffer;
  bool stores = false;
  Lie lie = Lie::kNeither;
  bool is_whole = false;  ///< each element of the buffer, once in all rows
  std::optional<size_t> row_dim = {};
  std::optional<size_t> outer_dim = {};
  uint32_t origin = Statement::kNoOrigin;
};

bool is_at_least(SymInt size, int64_t least) {
  return size.maybe_constant().value_or(least) >= least;
}

class RowAccesses {
 public:
  explicit RowAccesses(const Kernel& kernel) : kernel_(kernel) {}

  /// None where the kernel is not one nest around rows.
  std::vector<RowAccess> find() {
    const size_t count = kernel_.statements.size();
    while (outer_.size() < count) {
      const auto* loop = kernel_.statements[outer_.size()].get_if<Loop>();
      if (!loop || loop->kind != LoopKind::kParallel || index(loop->end) != count) break;
      outer_.push_back(StatementId(outer_.size()));
    }
    if (outer_.empty()) return {};
    std::vector<RowAccess> found;
    for (size_t i = outer_.size(); i < count; ++i) {
      while (!inner_.empty() && index(loop(inner_.back()).end) <= i) inner_.pop_back();
      const Statement& statement = kernel_.statements[i];
      if (statement.get_if<Loop>()) inner_.push_back(StatementId(i));
      if (inner_.empty()) continue;
      if (const auto* load = statement.get_if<Load>())
        add(found, {.buffer = load->buffer}, load->indices, load->mask.has_value(),
            statement.origin);
      if (const auto* store = statement.get_if<Store>())
        add(found, {.buffer = store->buffer, .stores = true}, store->indices,
            store->mask.has_value(), statement.origin);
    }
    return found;
  }

 private:
  const Loop& loop(StatementId id) const { return *kernel_[id].get_if<Loop>(); }
  bool is_long(StatementId id) const { return is_at_least(loop(id).extent, kLongSide); }

  void add(std::vector<RowAccess>& found, RowAccess access,
           const std::vector<IndexExpression>& indices, bool masked, uint32_t origin) const {
    if (index(access.buffer) >= kernel_.parameter_count) return;
    access.origin = origin;
    access.lie = lie_of(access.buffer, indices);
    access.is_whole = !masked && is_whole(access.buffer, indices);
    for (size_t dim = 0; dim < indices.size(); ++dim) {
      if (indices[dim] == IndexExpression(inner_.back())) access.row_dim = dim;
      if (indices[dim] == IndexExpression(outer_.back())) access.outer_dim = dim;
    }
    found.push_back(access);
  }

  /// Which loops' iterations are neighbours in memory, where the others' are not.
  Lie lie_of(BufferId buffer, const std::vector<IndexExpression>& indices) const {
    const std::vector<SymInt> strides = kernel_[buffer].type.full_strides();
    const auto step = [&](StatementId variable) {
      SymInt sum = 0;
      for (size_t dim = 0; dim < indices.size(); ++dim)
        sum += indices[dim].coefficient(variable) * strides[dim];
      return sum;
    };
    const SymInt in_row = step(inner_.back());
    if (in_row.is(1)) return Lie::kAlong;
    const bool across = !in_row.is(0) && is_long(inner_.back()) &&
                        std::ranges::any_of(outer_, [&](StatementId outer) {
                          return step(outer).is(1) && is_long(outer);
                        });
    return across ? Lie::kAcross : Lie::kNeither;
  }

  /// Whether each dimension is walked over by a loop of its own.
  bool is_whole(BufferId buffer, const std::vector<IndexExpression>& indices) const {
    const TensorType& type = kernel_[buffer].type;
    std::vector<StatementId> walked;
    for (size_t dim = 0; dim < indices.size(); ++dim) {
      if (indices[dim].terms.size() != 1) return false;
      const StatementId variable = indices[dim].terms[0].variable;
      const auto* walks = kernel_[variable].get_if<Loop>();
      if (!walks || walks->rest || indices[dim] != IndexExpression(variable) ||
          walks->extent != type.sizes[dim] || std::ranges::find(walked, variable) != walked.end())
        return false;
      walked.push_back(variable);
    }
    return true;
  }

  const Kernel& kernel_;
  std::vector<StatementId> outer_;
  std::vector<StatementId> inner_;  ///< the loops at hand inside those
};

/// Which way the kernel goes.
Lie direction(const std::vector<RowAccess>& accesses) {
  const auto count = [&](bool stores, Lie lie) {
    std::vector<BufferId> found;
    for (const RowAccess& each : accesses)
      if (each.stores == stores && each.lie == lie &&
          std::ranges::find(found, each.buffer) == found.end())
        found.push_back(each.buffer);
    return found.size();
  };
  for (const bool stores : {true, false}) {
    const size_t along = count(stores, Lie::kAlong), across = count(stores, Lie::kAcross);
    if (along + across > 0) return along >= across ? Lie::kAlong : Lie::kAcross;
  }
  return Lie::kNeither;
}

/// A parameter to copy: the dimension that is to lie side by side, and who reads it.
struct Turned {
  BufferId buffer;
  size_t dim;
  uint32_t origin;
};

/// Whether elements are shown more than once: a copy would have each of them as often.
bool is_spread(const TensorType& type) {
  for (size_t dim = 0; dim < type.rank(); ++dim)
    if (type.is_spread(dim)) return true;
  return false;
}

std::vector<Turned> find_turned(const Kernel& kernel) {
  const std::vector<RowAccess> accesses = RowAccesses(kernel).find();
  const Lie wanted = direction(accesses);
  std::vector<Turned> turned;
  if (wanted == Lie::kNeither) return turned;
  const Lie other = wanted == Lie::kAlong ? Lie::kAcross : Lie::kAlong;
  const std::vector<bool> written = kernel.written();
  for (size_t i = 0; i < kernel.parameter_count; ++i) {
    const TensorType& type = kernel.buffers[i].type;
    if (written[i] || type.scalar || is_spread(type) || !is_at_least(type.numel(), kManyElements))
      continue;
    std::optional<Turned> found;
    bool fits = true;
    for (const RowAccess& each : accesses) {
      if (each.buffer != BufferId(i)) continue;
      const auto dim = wanted == Lie::kAlong ? each.row_dim : each.outer_dim;
      fits &= each.is_whole && each.lie == other && dim && (!found || found->dim == *dim) &&
              is_at_least(type.sizes[*dim], kLongSide) &&
              is_at_least(type.sizes[*each.row_dim], kLongSide);
      if (fits && !found) found = Turned{BufferId(i), *dim, each.origin};
    }
    if (fits && found) turned.push_back(*found);
  }
  return turned;
}

/// The dimensions from the outermost in memory to the innermost, which is `last`.
std::vector<size_t> order_with(size_t rank, size_t last) {
  std::vector<size_t> order;
  for (size_t dim = 0; dim < rank; ++dim)
    if (dim != last) order.push_back(dim);
  order.push_back(last);
  return order;
}

/// `type` as one row-major tensor in the order of its dimensions in memory, and that one seen under
/// the sizes of `type`.
TensorType in_order(const TensorType& type, const std::vector<size_t>& order) {
  std::vector<SymInt> sizes;
  for (const size_t dim : order) sizes.push_back(type.sizes[dim]);
  return TensorType::tensor(type.dtype, std::move(sizes), type.device);
}

TensorType seen_as(const TensorType& type, const std::vector<size_t>& order) {
  TensorType seen = type;
  const std::vector<SymInt> strides = in_order(type, order).full_strides();
  seen.strides.assign(type.rank(), 1);
  for (size_t k = 0; k < order.size(); ++k) seen.strides[order[k]] = strides[k];
  seen.normalise();
  return seen;
}

class TurnedCopies {
 public:
  explicit TurnedCopies(Schedule& schedule) : schedule_(schedule) {}

  void run() {
    std::vector<Step> steps = std::exchange(schedule_.steps, {});
    for (Step& step : steps) {
      if (auto* launch = std::get_if<Launch>(&step.kind)) {
        for (const Turned& each : find_turned(schedule_.kernels[launch->kernel]))
          turn(*launch, each);
      }
      schedule_.steps.push_back(std::move(step));
    }
  }

 private:
  void turn(Launch& launch, const Turned& turned) {
    KernelBuffer& buffer = schedule_.kernels[launch.kernel].buffers[index(turned.buffer)];
    TensorId& argument = launch.arguments[index(turned.buffer)];
    const std::vector<size_t> order = order_with(buffer.type.rank(), turned.dim);
    const auto [copy, added] = copies_.try_emplace({argument, turned.dim, buffer.type.text()});
    if (added) {
      copy->second = add_tensor(buffer.name + "_turned", in_order(buffer.type, order), argument);
      add_kernel(launch, turned, order, copy->second);
    }
    argument = copy->second;
    // The kernel that was added may have moved the others.
    TensorType& type = schedule_.kernels[launch.kernel].buffers[index(turned.buffer)].type;
    type = seen_as(type, order);
  }

  TensorId add_tensor(const std::string& stem, TensorType type, TensorId like) {
    const auto is_taken = [&](const std::string& name) {
      return std::ranges::find(schedule_.tensors, name, &ScheduleTensor::name) !=
             schedule_.tensors.end();
    };
    std::string name = stem;
    for (int number = 2; is_taken(name); ++number) name = fmt::format("{}_{}", stem, number);
    type.device = schedule_[like].type.device;
    ScheduleTensor tensor{.name = std::move(name), .type = std::move(type)};
    tensor.slot = static_cast<uint32_t>(schedule_.slots.size());
    schedule_.slots.push_back({tensor.type.bytes(), false});
    schedule_.tensors.push_back(std::move(tensor));
    return TensorId(schedule_.tensors.size() - 1);
  }

  /// The copy, as one loop a dimension in the order in which it is written.
  void add_kernel(const Launch& launch, const Turned& turned, const std::vector<size_t>& order,
                  TensorId made) {
    const Kernel& reader = schedule_.kernels[launch.kernel];
    const KernelBuffer& buffer = reader[turned.buffer];
    KernelBuilder builder(fmt::format("{}_copy_{}", reader.name, buffer.name));
    const BufferId from = builder.parameter(buffer.name, buffer.type);
    const BufferId to = builder.parameter(schedule_[made].name, schedule_[made].type);
    if (turned.origin != Statement::kNoOrigin) {
      const KernelOrigin& origin = reader.origins[turned.origin];
      builder.set_origin(builder.add_origin(origin.node, origin.spans));
    }
    std::vector<IndexExpression> read(order.size()), written;
    for (const size_t dim : order) {
      const StatementId at = builder.open(LoopKind::kParallel, buffer.type.sizes[dim]);
      read[dim] = at;
      written.emplace_back(at);
    }
    builder.store(to, std::move(written), builder.load(from, std::move(read)));
    for (size_t k = 0; k < order.size(); ++k) builder.close();
    const TensorId source = launch.arguments[index(turned.buffer)];
    schedule_.steps.push_back(
        {Launch{static_cast<uint32_t>(schedule_.kernels.size()), {source, made}}});
    schedule_.kernels.push_back(builder.finish());
  }

  Schedule& schedule_;
  /// By tensor, the dimension that lies side by side, and how the tensor is seen.
  std::map<std::tuple<TensorId, size_t, std::string>, TensorId> copies_;
};

}  // namespace

void copy_turned(Schedule& schedule) {
  TurnedCopies(schedule).run();
}

}  // namespace glint::passes
