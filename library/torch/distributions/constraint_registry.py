"""Which transform leads from unconstrained numbers to what a constraint asks for.

    transform_to(constraints.positive)(x)      exp(x)
    biject_to(constraints.simplex)             the same with an inverse: stick breaking, not a softmax
"""
from torch.distributions import constraints, transforms
from torch.distributions.utils import is_number


class ConstraintRegistry:
    def __init__(self):
        self._registry = {}

    def register(self, constraint, factory=None):
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        if isinstance(constraint, constraints.Constraint):
            constraint = type(constraint)
        if not isinstance(constraint, type) or not issubclass(constraint, constraints.Constraint):
            raise TypeError("Expected constraint to be either a Constraint subclass or instance, but got "
                            f"{constraint}")
        self._registry[constraint] = factory
        return factory

    def __call__(self, constraint):
        if type(constraint) not in self._registry:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return self._registry[type(constraint)](constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


def _register(factory, *wanted):
    """The same for both."""
    for constraint in wanted:
        biject_to.register(constraint, factory)
        transform_to.register(constraint, factory)


def _to_interval(constraint):
    low, high = constraint.lower_bound, constraint.upper_bound
    if is_number(low) and low == 0 and is_number(high) and high == 1:
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform([transforms.SigmoidTransform(),
                                        transforms.AffineTransform(low, high - low)])


def _beyond(bound, sign):
    return transforms.ComposeTransform([transforms.ExpTransform(), transforms.AffineTransform(bound, sign)])


def _register_parts(registry):
    """What is made of transforms that the same registry finds."""
    registry.register(constraints.independent, lambda constraint: transforms.IndependentTransform(
        registry(constraint.base_constraint), constraint.reinterpreted_batch_ndims))
    registry.register(constraints.cat, lambda constraint: transforms.CatTransform(
        [registry(each) for each in constraint.cseq], constraint.dim, constraint.lengths))
    registry.register(constraints.stack, lambda constraint: transforms.StackTransform(
        [registry(each) for each in constraint.cseq], constraint.dim))


_register(lambda constraint: transforms.identity_transform, constraints.real)
_register(lambda constraint: transforms.ExpTransform(), constraints.positive, constraints.nonnegative)
_register(lambda constraint: _beyond(constraint.lower_bound, 1), constraints.greater_than,
          constraints.greater_than_eq)
_register(lambda constraint: _beyond(constraint.upper_bound, -1), constraints.less_than)
_register(_to_interval, constraints.interval, constraints.half_open_interval)
_register(lambda constraint: transforms.CorrCholeskyTransform(), constraints.corr_cholesky)
biject_to.register(constraints.simplex, lambda constraint: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda constraint: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda constraint: transforms.LowerCholeskyTransform())
transform_to.register(constraints.positive_definite, lambda constraint: transforms.PositiveDefiniteTransform())
transform_to.register(constraints.positive_semidefinite,
                      lambda constraint: transforms.PositiveDefiniteTransform())
_register_parts(biject_to)
_register_parts(transform_to)
