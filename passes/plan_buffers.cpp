#include "passes/plan_buffers.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace glint::passes {

bool may_share(const Kernel& kernel, BufferId input, BufferId output) {
  if (kernel[input].type != kernel[output].type) return false;
  const std::vector<IndexExpression>* place = nullptr;
  size_t block = 0;  // where the innermost loop around all these accesses begins
  bool stored = false;
  size_t innermost = 0;
  std::vector<std::pair<size_t, size_t>> open;  // end, begin
  for (size_t at = 0; at < kernel.statements.size(); ++at) {
    while (!open.empty() && open.back().first <= at) open.pop_back();
    innermost = open.empty() ? 0 : open.back().second;
    const Statement& statement = kernel.statements[at];
    if (auto* loop = statement.get_if<Loop>()) open.push_back({index(loop->end), at + 1});
    auto* load = statement.get_if<Load>();
    auto* store = statement.get_if<Store>();
    bool loads = load && load->buffer == input, stores = store && store->buffer == output;
    if (load && load->buffer == output) return false;
    if (!loads && !stores) continue;
    const auto& indices = loads ? load->indices : store->indices;
    if (place && (*place != indices || block != innermost)) return false;
    if (loads && stored) return false;
    place = &indices;
    block = innermost;
    stored |= stores;
  }
  return stored;
}

namespace {

constexpr size_t kForever = std::numeric_limits<size_t>::max();

class BufferPlanner {
 public:
  BufferPlanner(Schedule& schedule, std::span<const Update> updates)
      : schedule_(schedule), updates_(updates) {}

  void run() {
    look_through_views();
    find_lives();
    find_last_failure();
    for (step_ = 0; step_ < schedule_.steps.size(); ++step_) {
      if (auto* launch = std::get_if<Launch>(&schedule_.steps[step_].kind)) {
        place_outputs_of(*launch);
      } else {
        for (TensorId output : std::get<LibraryCall>(schedule_.steps[step_].kind).outputs)
          if (!call_into_input(output)) place(output);
      }
      free_dead();
    }
    schedule_.slots = std::move(slots_);
  }

 private:
  struct Life {
    size_t last_read = 0;
    bool output = false;
    bool placed = false;
  };

  TensorId base_of(TensorId id) const {
    while (schedule_[id].role == ScheduleTensor::Role::kView) id = schedule_[id].base;
    return id;
  }
  Life& life(TensorId id) { return lives_[index(id)]; }
  ScheduleTensor& tensor(TensorId id) { return schedule_.tensors[index(id)]; }
  bool is_slot(TensorId id) const { return schedule_[id].role == ScheduleTensor::Role::kSlot; }

  /// An update that shows all of a tensor is that tensor: only its elements matter.
  void look_through_views() {
    for (const Update& update : updates_) {
      TensorId& output = schedule_.outputs[update.output];
      auto shows_all = [&](const ScheduleTensor& view) {
        return view.role == ScheduleTensor::Role::kView && view.offset.is(0) &&
               view.type == schedule_[view.base].type;
      };
      while (shows_all(schedule_[output])) output = schedule_[output].base;
    }
  }

  template <class F>
  void for_each_tensor(const Step& step, const F& visit) {
    if (auto* launch = std::get_if<Launch>(&step.kind)) {
      for (TensorId id : launch->arguments) visit(base_of(id));
      return;
    }
    const auto& call = std::get<LibraryCall>(step.kind);
    for (const ScheduleNamedArgument& argument : call.arguments)
      for_each_value(argument.value, [&](TensorId id) { visit(base_of(id)); });
    for (TensorId id : call.outputs) visit(id);
  }

  void find_lives() {
    lives_.resize(schedule_.tensors.size());
    for (size_t i = 0; i < schedule_.steps.size(); ++i)
      for_each_tensor(schedule_.steps[i], [&](TensorId id) { life(id).last_read = i; });
    for (TensorId output : schedule_.outputs) {
      life(base_of(output)).output = true;
      life(base_of(output)).last_read = kForever;
    }
  }

  void place_outputs_of(const Launch& launch) {
    Kernel& kernel = schedule_.kernels[launch.kernel];
    std::vector<bool> written = kernel.written();
    std::vector<bool> taken(launch.arguments.size(), false);
    for (size_t list = 0; list < schedule_.list_count(launch); ++list)
      for (size_t i = 0; i < written.size(); ++i)
        if (written[i]) place_output({kernel, launch, list, i}, written, taken);
  }

  /// What one list of a launch writes: the parameter `output` of the kernel.
  struct Made {
    Kernel& kernel;
    const Launch& launch;
    size_t list;
    size_t output;

    size_t place(size_t parameter) const { return list * kernel.parameter_count + parameter; }
    TensorId argument(size_t parameter) const { return launch.arguments[place(parameter)]; }
    /// Whether the output may lie over a parameter, for this list and for those before it.
    bool may_lie_over(size_t parameter) const {
      std::optional<BufferId> over = kernel.buffers[output].over;
      return over ? index(*over) == parameter
                  : may_share(kernel, BufferId(parameter), BufferId(output));
    }
    void lies_over(size_t parameter) { kernel.buffers[output].over = BufferId(parameter); }
  };

  void place_output(Made made, const std::vector<bool>& written, std::vector<bool>& taken) {
    TensorId output = made.argument(made.output);
    if (write_into_input(made)) return;
    auto input = take_over(made, written, taken);
    if (!input) return place(output);
    taken[made.place(*input)] = true;
    made.lies_over(*input);
    settle(output, tensor(made.argument(*input)).slot);
  }

  /// From here on nothing fails: only launches without checks.
  void find_last_failure() {
    for (size_t i = 0; i < schedule_.steps.size(); ++i) {
      auto* launch = std::get_if<Launch>(&schedule_.steps[i].kind);
      auto checks = [](const Statement& each) { return each.get_if<Check>() != nullptr; };
      bool safe =
          launch && std::ranges::none_of(schedule_.kernels[launch->kernel].statements, checks);
      if (!safe) first_safe_step_ = i + 1;
    }
  }

  /// The input that a step's output is the new value of, if its old value is not needed after that.
  std::optional<TensorId> input_to_write(TensorId made) {
    if (!is_slot(made)) return std::nullopt;
    auto update = std::ranges::find_if(
        updates_, [&](const Update& each) { return schedule_.outputs[each.output] == made; });
    if (update == updates_.end()) return std::nullopt;
    if (step_ < first_safe_step_ && !update->may_be_void) return std::nullopt;
    auto input = TensorId(update->input);
    auto shows = [&](TensorId id) {
      return [this, id](TensorId other) { return base_of(other) == id; };
    };
    bool alone = std::ranges::count_if(schedule_.outputs, shows(made)) == 1 &&
                 std::ranges::none_of(schedule_.outputs, shows(input));
    return alone && life(input).last_read <= step_ ? std::optional(input) : std::nullopt;
  }

  void lie_in_input(TensorId made, TensorId input) {
    slots_.push_back({tensor(made).type.bytes(), true, input});
    settle(made, static_cast<uint32_t>(slots_.size() - 1));
  }

  /// Gives an update the memory of its input, if it may have that.
  bool write_into_input(Made by) {
    TensorId made = by.argument(by.output);
    std::optional<TensorId> found = input_to_write(made);
    if (!found) return false;
    TensorId input = *found;
    auto reads = std::ranges::count_if(by.launch.arguments,
                                       [&](TensorId id) { return base_of(id) == input; });
    size_t at = 0;
    while (at < by.output && by.argument(at) != input) ++at;
    if (schedule_[input].type != schedule_[made].type &&
        (at == by.output || !take_strides(by, made, input, at)))
      return false;
    bool in_step = at < by.output && by.may_lie_over(at);
    if (reads > 1 || (reads == 1 && !in_step)) return false;
    if (reads == 1) by.lies_over(at);
    lie_in_input(made, input);
    return true;
  }

  /// The same of a library call, which writes memory of any strides, and none that it reads.
  bool call_into_input(TensorId made) {
    std::optional<TensorId> input = input_to_write(made);
    if (!input || uses_of(made) != 1) return false;
    bool reads = false;
    for_each_tensor(schedule_.steps[step_], [&](TensorId id) { reads |= id == *input; });
    if (reads || !only_strides_differ(schedule_[*input].type, schedule_[made].type)) return false;
    tensor(made).type = schedule_[*input].type;
    lie_in_input(made, *input);
    return true;
  }

  size_t uses_of(TensorId tensor) {
    size_t uses = 0;
    for (const Step& step : schedule_.steps)
      for_each_tensor(step, [&](TensorId id) { uses += id == tensor; });
    return uses;
  }

  /// Whether two types differ in their strides alone, and the first one's lead to each element
  /// once.
  static bool only_strides_differ(const TensorType& strided, const TensorType& other) {
    bool repeats = false;
    for (size_t i = 0; i < strided.strides.size(); ++i)
      repeats |= strided.strides[i].is(0) && !strided.sizes[i].is(1);
    return !repeats && strided.dtype == other.dtype && strided.sizes == other.sizes;
  }

  /// Has an update stored with the strides of its input, parameter `at`, where nobody else reads
  /// it: a part of a tensor is then written where it lies.
  bool take_strides(Made by, TensorId made, TensorId input, size_t at) {
    const KernelBuffer& read = by.kernel.buffers[at];
    KernelBuffer& written = by.kernel.buffers[by.output];
    if (uses_of(made) != 1 || schedule_.list_count(by.launch) != 1 ||
        !only_strides_differ(schedule_[input].type, schedule_[made].type) ||
        !only_strides_differ(read.type, written.type))
      return false;
    const TensorType before = std::exchange(written.type, read.type);
    if (by.may_lie_over(at)) {
      tensor(made).type = schedule_[input].type;
      return true;
    }
    written.type = before;
    return false;
  }

  /// The parameter whose memory an output can have.
  std::optional<size_t> take_over(const Made& made, const std::vector<bool>& written,
                                  const std::vector<bool>& taken) {
    SymInt bytes = tensor(made.argument(made.output)).type.bytes();
    for (size_t i = 0; i < made.output; ++i) {
      TensorId id = made.argument(i);
      if (written[i] || taken[made.place(i)] || !is_slot(id) || life(id).last_read != step_)
        continue;
      if (slots_[tensor(id).slot].bytes != bytes) continue;
      auto uses = std::ranges::count_if(made.launch.arguments,
                                        [&](TensorId other) { return base_of(other) == id; });
      if (uses == 1 && made.may_lie_over(i)) return i;
    }
    return std::nullopt;
  }

  void place(TensorId id) {
    SymInt bytes = tensor(id).type.bytes();
    // The smallest free slot that fits; an output takes only one of its own size along.
    auto best = free_.end();
    for (auto slot = free_.begin(); slot != free_.end(); ++slot) {
      SymInt room = slots_[*slot].bytes;
      if (life(id).output ? room != bytes : known_less_equal(bytes, room) != true) continue;
      if (best == free_.end() || known_less(room, slots_[*best].bytes) == true) best = slot;
    }
    if (best == free_.end()) {
      slots_.push_back({bytes, false});
      settle(id, static_cast<uint32_t>(slots_.size() - 1));
      return;
    }
    uint32_t slot = *best;
    free_.erase(best);
    settle(id, slot);
  }

  void settle(TensorId id, uint32_t slot) {
    tensor(id).slot = slot;
    life(id).placed = true;
    if (life(id).output) slots_[slot].output = true;
    holders_.push_back(id);
  }

  /// Slots whose tensor was read for the last time are free from the next step on.
  void free_dead() {
    std::erase_if(holders_, [&](TensorId id) {
      if (life(id).last_read > step_) return false;
      bool passed_on = std::any_of(holders_.begin(), holders_.end(), [&](TensorId other) {
        return other != id && tensor(other).slot == tensor(id).slot &&
               life(other).last_read > step_;
      });
      uint32_t slot = tensor(id).slot;
      if (!passed_on && std::find(free_.begin(), free_.end(), slot) == free_.end())
        free_.push_back(slot);
      return true;
    });
  }

  Schedule& schedule_;
  std::span<const Update> updates_;
  size_t first_safe_step_ = 0;
  std::vector<Life> lives_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
  std::vector<TensorId> holders_;  ///< tensors that live now
  size_t step_ = 0;
};

}  // namespace

void plan_buffers(Schedule& schedule, std::span<const Update> updates) {
  BufferPlanner(schedule, updates).run();
}

}  // namespace glint::passes
