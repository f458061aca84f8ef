// The invariants of a schedule, in the numbering of kernel.h: the tensors first, then the steps in
// order, with what each slot holds beside them.
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "ir/kernel.h"
#include "ir/text_cursor.h"

namespace glint {

namespace {

class ScheduleVerifier {
 public:
  ScheduleVerifier(const Schedule& schedule, std::span<const int64_t> symbols)
      : schedule_(schedule), symbols_(symbols), holder_(schedule.slots.size(), kNobody) {}

  std::optional<Error> verify() {
    if (auto error = verify_size_facts(schedule_.sizes)) return error;
    for (const Kernel& kernel : schedule_.kernels)
      if (auto error = verify_kernel(kernel, symbols_)) return error;
    for (size_t i = 0; i < schedule_.tensors.size() && !error_; ++i) tensor(i);
    for (const Slot& slot : schedule_.slots)
      if (slot.input && (!slot.output || index(*slot.input) >= schedule_.input_count))
        complain("a slot that is the memory of an input is an output's");
    for (size_t i = 0; i < schedule_.steps.size() && !error_; ++i) step(schedule_.steps[i]);
    for (TensorId output : schedule_.outputs) {
      if (error_) break;
      if (index(output) >= schedule_.tensors.size()) {
        complain("it returns a tensor that does not exist");
        break;
      }
      reads(output);
      const ScheduleTensor& base = schedule_[base_of(output)];
      if (base.role == ScheduleTensor::Role::kSlot && !schedule_.slots[base.slot].output)
        complain(
            fmt::format("`%{}` is returned, but lies in the workspace", schedule_[output].name));
    }
    return error_;
  }

 private:
  static constexpr TensorId kNobody = TensorId(~0u);

  void complain(std::string_view what) {
    if (!error_) error_ = Error{fmt::format("schedule {}: {}", schedule_.name, what)};
  }

  bool known_below(SymInt a, SymInt b) const {
    if (symbols_.empty()) return known_less(a, b) == true;
    return a.evaluate(symbols_) < b.evaluate(symbols_);
  }

  /// The tensor whose memory a view sees.
  TensorId base_of(TensorId id) const {
    while (schedule_[id].role == ScheduleTensor::Role::kView) id = schedule_[id].base;
    return id;
  }

  void tensor(size_t i) {
    const ScheduleTensor& tensor = schedule_.tensors[i];
    using Role = ScheduleTensor::Role;
    if (!is_word(tensor.name) || !names_.insert(tensor.name).second)
      complain(fmt::format("the name `{}` is taken or no word", tensor.name));
    if ((tensor.role == Role::kInput) != (i < schedule_.input_count))
      complain("the inputs are exactly the first tensors");
    if (tensor.role == Role::kView && index(tensor.base) >= i)
      complain(fmt::format("`%{}` is a view of a tensor that stands behind it", tensor.name));
    if (tensor.role != Role::kSlot) return;
    if (tensor.slot >= schedule_.slots.size())
      return complain(fmt::format("`%{}` lies in a slot that does not exist", tensor.name));
    if (known_below(schedule_.slots[tensor.slot].bytes, tensor.type.bytes()))
      complain(fmt::format("`%{}` is larger than its slot", tensor.name));
    std::optional<TensorId> input = schedule_.slots[tensor.slot].input;
    if (!input) return;
    bool fits = index(*input) < schedule_.input_count && schedule_[*input].type == tensor.type;
    if (!fits || !updates_.insert(tensor.slot).second)
      complain(fmt::format("`%{}` cannot be the new value of an input", tensor.name));
  }

  void step(const Step& step) {
    if (auto* launch = std::get_if<Launch>(&step.kind)) return this->launch(*launch);
    const auto& call = std::get<LibraryCall>(step.kind);
    for (const ScheduleNamedArgument& argument : call.arguments)
      for_each_value(argument.value, [&](TensorId id) { reads(id); });
    for (TensorId id : call.outputs) writes(id);
  }

  void launch(const Launch& launch) {
    if (launch.kernel >= schedule_.kernels.size())
      return complain("a launch names a kernel that does not exist");
    const Kernel& kernel = schedule_.kernels[launch.kernel];
    size_t lists = schedule_.list_count(launch);
    if (lists == 0 || launch.arguments.size() != lists * kernel.parameter_count)
      return complain(fmt::format("`{}` takes {} tensors", kernel.name, kernel.parameter_count));
    if (!launch.lengths.empty() && (launch.lengths.size() != lists || !kernel.is_flat()))
      return complain(fmt::format("`{}` is not launched for a part of its loop", kernel.name));
    std::vector<bool> written = kernel.written();
    for (size_t i = 0; i < launch.arguments.size() && !error_; ++i) {
      std::optional<SymInt> length;
      if (!launch.lengths.empty()) length = launch.lengths[i / kernel.parameter_count];
      argument(kernel, i % kernel.parameter_count, launch.arguments[i], length);
    }
    if (lists > 1 && !error_) independent(launch, kernel, written);
    // List by list, so that none reads what another has overwritten.
    for (size_t list = 0; list < lists; ++list)
      for (bool writing : {false, true})
        for (size_t i = 0; i < kernel.parameter_count && !error_; ++i) {
          TensorId id = schedule_.list(launch, list)[i];
          if (written[i] == writing) writing ? writes(id) : reads(id);
        }
  }

  void argument(const Kernel& kernel, size_t parameter, TensorId id, std::optional<SymInt> length) {
    if (index(id) >= schedule_.tensors.size())
      return complain("a launch passes a tensor that does not exist");
    const TensorType& type = kernel.buffers[parameter].type;
    if (schedule_[id].type.dtype != type.dtype)
      complain(
          fmt::format("`%{}` is passed to `{}` as another dtype", schedule_[id].name, kernel.name));
    SymInt has = schedule_[id].type.numel();
    SymInt takes = length && type.rank() != 0 ? *length : type.numel();
    if (known_below(has, takes) || known_below(takes, has))
      complain(fmt::format("`%{}` has {} elements, `{}` takes {}", schedule_[id].name, has.text(),
                           kernel.name, takes.text()));
    if (length && known_below(kernel.whole_loop()->extent, *length))
      complain(fmt::format("`{}` has no {} iterations", kernel.name, length->text()));
  }

  /// The lists of a launch run in any order, or at the same time.
  void independent(const Launch& launch, const Kernel& kernel, const std::vector<bool>& written) {
    std::unordered_map<size_t, size_t> writer;  // by tensor: the list
    for (size_t i = 0; i < launch.arguments.size(); ++i)
      if (written[i % kernel.parameter_count])
        writer[index(base_of(launch.arguments[i]))] = i / kernel.parameter_count;
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
      auto found = writer.find(index(base_of(launch.arguments[i])));
      if (found != writer.end() && found->second != i / kernel.parameter_count)
        complain(fmt::format("`%{}` is written by one list of a launch and used by another",
                             schedule_[launch.arguments[i]].name));
    }
  }

  void reads(TensorId id) {
    if (index(id) >= schedule_.tensors.size()) return complain("a step names no tensor");
    TensorId base = base_of(id);
    if (updated_.contains(index(base)))
      complain(fmt::format("`%{}` is read behind the update of its memory", schedule_[id].name));
    if (schedule_[base].role != ScheduleTensor::Role::kSlot) return;
    if (holder_[schedule_[base].slot] != base)
      complain(fmt::format("`%{}` is read but its slot does not hold it", schedule_[id].name));
  }

  void writes(TensorId id) {
    if (index(id) >= schedule_.tensors.size()) return complain("a step names no tensor");
    TensorId base = base_of(id);
    if (schedule_[base].role != ScheduleTensor::Role::kSlot)
      return complain(fmt::format("`%{}` is written but is no memory of this schedule's own",
                                  schedule_[id].name));
    holder_[schedule_[base].slot] = base;
    if (std::optional<TensorId> input = schedule_.slots[schedule_[base].slot].input)
      updated_.insert(index(*input));
  }

  const Schedule& schedule_;
  std::span<const int64_t> symbols_;
  std::optional<Error> error_;
  std::vector<TensorId> holder_;  ///< the tensor whose elements each slot holds now
  std::unordered_set<std::string_view> names_;
  std::unordered_set<uint32_t> updates_;  ///< slots that are inputs' memory
  std::unordered_set<size_t> updated_;    ///< inputs whose memory holds another value now
};

}  // namespace

std::optional<Error> verify_schedule(const Schedule& schedule, std::span<const int64_t> symbols) {
  return ScheduleVerifier(schedule, symbols).verify();
}

}  // namespace glint
