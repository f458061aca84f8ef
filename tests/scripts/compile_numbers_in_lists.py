# Rates that change from call to call, in lists from outside, and epochs looked up among milestones:
# eight compiles of one function would be followed by a warning.
# tolerance: 1e-4
import torch

x = torch.ones(3)


def run(name, function, arguments):
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="eager")
    for each in arguments:
        print(name, compiled(x, each))


def walked(x, rates):
    total = x * 0
    for rate in rates:
        total = total + x * rate
    return total


def comprehension(x, rates):
    return sum(x * rate for rate in [2 * each for each in rates])


def delegated(x, rates):
    def scaled():
        yield from rates

    total = x
    for rate in scaled():
        total = total * rate
    return total


def written(x, rates):
    for i, rate in enumerate(list(rates)):
        rates[i] = rate * 0.5
    total = x * 0
    for rate in rates:
        total = total + rate
    return total


def written_while_walked(x, rates):
    total = x * 0
    for i, rate in enumerate(rates):
        rates[-1] = rate + 1.0
        total = total + x * rate
    for rate in rates:
        total = total * rate
    return total


def left_early(x, rates):
    for rate in rates:
        if rate < 0.1:
            return x * rate
    return x


def broken(x, rates):
    for rate in rates:
        x = x * rate
        if x.sum() > 100:
            print("large")
    return x


lists = [[0.2 / (i + 1), 0.5 + 0.1 * i, 0.05 * i] for i in range(12)]
tuples = [tuple(each) for each in lists]
run("walked", walked, lists)
run("walked", walked, tuples)
run("comprehension", comprehension, lists)
run("delegated", delegated, lists[:6])
run("written", written, [list(each) for each in lists])
run("written while walked", written_while_walked, [list(each) for each in lists[:6]])
run("left early", left_early, lists)
run("broken", broken, lists[:6])
run("sum", lambda x, rates: x * sum(rates), lists)
run("max", lambda x, rates: x * max(rates), lists)
run("min", lambda x, rates: x * min(rates), lists)
run("list", lambda x, rates: x * list(rates)[1], lists)
run("unpacked", lambda x, rates: x * (rates[0] + [*rates][1]), lists[:4])
run("sorted", lambda x, rates: x * sorted(rates)[0], lists[:6])
run("mixed", walked, [[0.5, 2, True], [0.25, 2, True], [0.125, 3, True], [1, 3, False]])
run("empty", walked, [[], [0.5], [0.5, 0.25]])

epochs = list(range(12))
run("in tuple", lambda x, epoch: x * (0.5 if epoch in (3, 6) else 1.0), epochs)
run("in dict", lambda x, epoch: x * (0.5 if epoch not in {3: 1, 6: 2} else 1.0), epochs)
run("in floats", lambda x, epoch: x * (0.5 if epoch / 2 in [1.5, 2.0] else 1.0), epochs)
milestones = [3, 6, 9]


def scheduled(x, epoch):
    return x * (0.1 if epoch in milestones else 1.0)


run("in list", scheduled, epochs)
milestones.append(4)
compiled = torch.compile(scheduled, backend="eager")
print([compiled(x, epoch)[0].item() for epoch in epochs])
print("a" in "abc", [4.0 in {4, 5}, True in [1.0]])

for name, make in {
    "milestones": lambda o: torch.optim.lr_scheduler.MultiStepLR(o, [2, 4, 6, 8, 10, 11], 0.5),
    "twice": lambda o: torch.optim.lr_scheduler.MultiStepLR(o, [4, 4, 8], 0.5),
}.items():
    torch._dynamo.reset()
    w = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)
    schedule = make(optimizer)

    @torch.compile(backend="eager")
    def step(x):
        optimizer.zero_grad()
        loss = ((w - x) ** 2).sum()
        loss.backward()
        optimizer.step()
        schedule.step()
        return loss

    for i in range(14):
        print(name, step(x * 0).item(), schedule.get_last_lr())
    print(schedule.state_dict()["milestones"])
