#include "backends/interp/interp_backend.h"

#include "backends/schedule_runner.h"
#include "core/support/fail_stage.h"

namespace glint {
namespace {

/// A kernel with what its interpreter needs at each launch.
struct Program {
  Kernel kernel;
  size_t symbols = 0;
  StatementWatch* watch = nullptr;  ///< null: nobody does
};

/// One more than the highest symbol that a kernel mentions.
size_t symbol_count(const Kernel& kernel) {
  size_t count = 0;
  const auto add = [&count](SymInt size) {
    const auto symbols = size.symbols();
    if (!symbols.empty()) count = std::max<size_t>(count, symbols.back() + 1);
  };
  const auto add_index = [&](const IndexExpression& expression) {
    add(expression.constant);
    for (const IndexTerm& term : expression.terms) add(term.coefficient);
  };
  const auto add_indices = [&](const std::vector<IndexExpression>& indices) {
    for (const IndexExpression& expression : indices) add_index(expression);
  };
  for (const KernelBuffer& buffer : kernel.buffers) {
    for (const SymInt size : buffer.type.sizes) add(size);
    for (const SymInt stride : buffer.type.strides) add(stride);
  }
  for (const Statement& statement : kernel.statements) {
    if (const auto* loop = statement.get_if<Loop>()) {
      add(loop->extent);
      if (loop->rest) add_index(*loop->rest);
    }
    if (const auto* load = statement.get_if<Load>()) add_indices(load->indices);
    if (const auto* store = statement.get_if<Store>()) add_indices(store->indices);
    if (const auto* value = statement.get_if<IndexValue>()) add_indices({value->expression});
  }
  return count;
}

int32_t run_program(const void* context, std::byte*, std::byte* const* parameters,
                    const int64_t* sizes, int64_t begin, int64_t end) {
  const auto* program = static_cast<const Program*>(context);
  KernelInterpreter interpreter(program->kernel, {sizes, program->symbols},
                                {parameters, program->kernel.parameter_count});
  if (program->kernel.whole_loop() != nullptr) interpreter.limit(begin, end);
  interpreter.run();
  return interpreter.failed() ? static_cast<int32_t>(*interpreter.failed()) + 1 : 0;
}

int32_t run_watched(const void* context, std::byte*, std::byte* const* parameters,
                    const int64_t* sizes, int64_t, int64_t) {
  const auto* program = static_cast<const Program*>(context);
  KernelInterpreter run(program->kernel, {sizes, program->symbols},
                        {parameters, program->kernel.parameter_count});
  while (!run.done()) {
    const uint32_t statement = run.statement();
    program->watch->before(program->kernel, run);
    run.step();
    program->watch->after(program->kernel, run, statement);
  }
  return run.failed() ? static_cast<int32_t>(*run.failed()) + 1 : 0;
}

std::unique_ptr<CompiledSchedule> runner_of(const Schedule& schedule, StatementWatch* watch) {
  auto programs = std::make_shared<std::vector<Program>>();
  for (const Kernel& kernel : schedule.kernels)
    programs->push_back({kernel, symbol_count(kernel), watch});
  std::vector<RunnableKernel> kernels;
  for (const Program& program : *programs) {
    RunnableKernel runnable;
    runnable.function = watch ? run_watched : run_program;
    runnable.context = &program;
    const Loop* loop = program.kernel.whole_loop();
    if (loop && !watch) runnable.thread_extent = loop->extent;
    for (uint32_t k = 0; k < program.symbols; ++k)
      runnable.size_expressions.push_back(SymInt::symbol(k));
    kernels.push_back(std::move(runnable));
  }
  return std::make_unique<ScheduleRunner>(schedule, std::move(kernels), programs);
}

class InterpBackend final : public Backend {
 public:
  std::string_view name() const override { return "interp"; }

  Result<std::unique_ptr<CompiledSchedule>> compile(const Schedule& schedule,
                                                    const BackendOptions& options) const override {
    if (options.fail_stage == fail_stage::kInterp)
      return Error{fail_stage::message(fail_stage::kInterp)};
    return runner_of(schedule, nullptr);
  }
};

}  // namespace

const Backend& interp_backend() {
  static const InterpBackend backend;
  return backend;
}

std::unique_ptr<CompiledSchedule> watched_interp(const Schedule& schedule, StatementWatch& watch) {
  return runner_of(schedule, &watch);
}

}  // namespace glint
