"""How far to go along a direction: a step after which the loss has fallen enough and falls much less
steeply, which are the strong Wolfe conditions (Nocedal and Wright, 2006, algorithms 3.5 and 3.6).

    look = lambda step: Point(step, loss, gradient, slope)      what there is after such a step
    found, looks = strong_wolfe(look, look(0), 1.0, longest, tolerance, most)

1. Steps grow until two of them have a good step between them, or one is good.
2. The two are brought together: each new one is where the cubic through both has its minimum, kept
   away from the two when that happens to be near one of them twice.
"""
_FALL = 1e-4  # of what the slope promises, how much the loss has to fall
_FLATTER = 0.9  # how steep the slope may still be, of what it was


class Point:
    """A step, with the loss after it, the gradient there, and the slope along the direction."""

    def __init__(self, step, loss, gradient, slope):
        self.step = step
        self.loss = loss
        self.gradient = gradient
        self.slope = slope


def lowest_of_cubic(first, second, bounds=None):
    """Where the cubic with the losses and slopes of two points has its minimum, within bounds."""
    forward = first.step <= second.step
    if bounds is None:
        bounds = (first.step, second.step) if forward else (second.step, first.step)
    least, most = bounds
    mean = (first.slope + second.slope
            - 3 * (first.loss - second.loss) / (first.step - second.step))
    square = mean ** 2 - first.slope * second.slope
    if not square >= 0:
        return (least + most) / 2.0
    root = square.sqrt()
    near, far = (first, second) if forward else (second, first)
    share = (far.slope + root - mean) / (far.slope - near.slope + 2 * root)
    return min(max(far.step - (far.step - near.step) * share, least), most)


class _Search:
    def __init__(self, look, start, most):
        self.look = look
        self.start = start
        self.most = most
        self.count = 0  # of steps that were not good enough

    def falls_too_little(self, point):
        return point.loss > self.start.loss + _FALL * point.step * self.start.slope

    def is_flat(self, point):
        return abs(point.slope) <= -_FLATTER * self.start.slope

    def bracket(self, step):
        """Two points around a good one, or a good one alone."""
        before, here = self.start, self.look(step)
        while self.count < self.most:
            higher = self.count > 1 and here.loss >= before.loss
            if self.falls_too_little(here) or higher:
                return [before, here]
            if self.is_flat(here):
                return [here]
            if here.slope >= 0:
                return [before, here]
            bounds = (here.step + 0.01 * (here.step - before.step), here.step * 10)
            before, here = here, self.look(lowest_of_cubic(before, here, bounds))
            self.count += 1
        return [self.start, here]

    def narrowed(self, points, longest, tolerance):
        """The lower of two points that have come together, or a good one between them."""
        low, high = _by_loss(points)
        near_an_end = False
        while self.count < self.most:
            if abs(points[1].step - points[0].step) * longest < tolerance:
                break
            step = lowest_of_cubic(points[0], points[1])
            step, near_an_end = _away_from_ends(step, points, near_an_end)
            here = self.look(step)
            self.count += 1
            if self.falls_too_little(here) or here.loss >= points[low].loss:
                points[high] = here
                low, high = _by_loss(points)
                continue
            good = self.is_flat(here)
            if not good and here.slope * (points[high].step - points[low].step) >= 0:
                points[high] = points[low]
            points[low] = here
            if good:
                break
        return points[low]


def strong_wolfe(look, start, step, longest, tolerance, most):
    """The point found, and how many were looked at. `longest` is the direction's greatest element;
    points whose places differ by less than `tolerance` are one. A step is changed `most` times."""
    search = _Search(look, start, most)
    points = search.bracket(step)
    found = points[0] if len(points) == 1 else search.narrowed(points, longest, tolerance)
    return found, search.count + 1


def _by_loss(points):
    """The places of the lower and the higher of two points."""
    return (0, 1) if points[0].loss <= points[1].loss else (1, 0)


def _away_from_ends(step, points, was_near):
    """The step, or a tenth of the way from the nearer end where it is near one for the second time
    or at one; and whether it is near one."""
    least = min(points[0].step, points[1].step)
    most = max(points[0].step, points[1].step)
    tenth = 0.1 * (most - least)
    if not min(most - step, step - least) < tenth:
        return step, False
    if not (was_near or step >= most or step <= least):
        return step, True
    return (most - tenth if abs(step - most) < abs(step - least) else least + tenth), False
