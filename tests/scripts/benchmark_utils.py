# torch.utils.benchmark: the texts of measurements and their tables, from times that are given.
import torch
import torch.utils.benchmark as benchmark
from torch.utils.benchmark import Compare, Measurement, TaskSpec, Timer


def measured(times, runs=10, **names):
    names.setdefault("stmt", "f(x)")
    names.setdefault("setup", "pass")
    return Measurement(number_per_run=runs, raw_times=times, task_spec=TaskSpec(**names))


def show(value):
    text = str(value)
    print("\n".join(text.split("\n")[1:]) if text.startswith("<") else text)


# Measurements.
one = measured([1e-4, 1.1e-4, 0.9e-4, 1.05e-4])
show(one)
print(f"{one.median:.4e} {one.mean:.4e} {one.iqr:.4e}", one.significant_figures, one.has_warnings, one.title, one.env)
show(measured([2e-3]))
show(measured([2e-3], runs=1, label="L", sub_label="S", description="D", num_threads=4, env="E"))
show(measured([1e-4, 2e-4, 9e-4, 1.05e-4, 3e-4], setup="x = 1\ny = 2", label="lab"))
show(measured([1.0, 1.01, 1.02, 1.0, 1.0, 1.03], runs=1, stmt="a\nb"))
for times in ([1.0, 1.05, 1.1, 1.15], [1.0, 1.1, 1.2, 1.3], [1.0, 1.3, 1.6, 2.0], [1e-8] * 4, [1e-7, 1.2e-7], [1e-6] * 3,
              [1.0, 1.0, 1.0, 1.0, 5.0]):
    each = measured(times, runs=1)
    show(each)
    print(each.has_warnings, each.significant_figures, each.meets_confidence())
print(len(Measurement.merge([one, one, measured([1e-4])])[0].raw_times))

# Tables.
results = [
    measured([time * 1e-4, time * 1.01e-4, time * 1.02e-4], label="Batched", sub_label=name, description=description,
             num_threads=threads)
    for threads in (4, 1)
    for name, time in (("[1, 1]", 1.5), ("[64, 64]", 30.123))
    for description in ("eager", "compiled")]
table = Compare(results)
table.print()
table.trim_significant_figures()
table.print()
table.colorize()
table.print()
Compare(results[:3] + [measured([1e-2] * 3, label="Other", description="d")]).print()
for scale in (1.23456789e-9, 1.23456789e-8, 1.23456789e-7, 1.23456789e-6, 1.23456789e-5, 1.23456789e-4, 1.23456789e-3,
              0.0123456789, 0.123456789, 1.23456789, 123.456789):
    pair = [measured([scale * k, scale * k * 1.0001, scale * k * 1.0002, scale * k], runs=1, label="L", sub_label=name,
                     description="e") for name, k in (("a", 1), ("b", 50))]
    table = Compare(pair)
    print(pair[0].significant_figures, str(table))
    table.trim_significant_figures()
    print(str(table))
times = (1, 1.02, 1.1, 1.15, 1.9, 2.1, 4.5, 5.5, 20)
for by_row in (False, True):
    table = Compare([measured([time * 1e-3] * 4, label="L", sub_label="" if by_row else str(time),
                              description=str(time) if by_row else "d") for time in times])
    table.colorize(rowwise=by_row)
    print(str(table).replace("\x1b", "ESC"))
try:
    Compare([3])
except ValueError as error:
    print(error)

# Timers: what runs, and how often.
calls = []
timer = Timer(stmt="calls.append(y)", setup="y = 2", globals={"calls": calls}, label="lab", description="desc",
              sub_label="sub")
found = timer.timeit(100)
print(len(found.times), found.number_per_run, len(calls) > 100, set(calls), found.title, found.median > 0)
found = timer.blocked_autorange(min_run_time=0.02)
print(len(found.times) > 0, found.number_per_run >= 1, found.task_spec.description)
f = torch.compile(lambda x: torch.sin(x) + 1)
found = Timer("""
    y = f(x)
    z = torch.relu(y)
    """, globals={"f": f, "x": torch.ones(4)}).timeit(2)
show(found.task_spec.summarize())
print(benchmark.Timer("x + 1", "x = 1", num_threads=2).adaptive_autorange(min_run_time=0.001, max_run_time=0.5).mean > 0)
