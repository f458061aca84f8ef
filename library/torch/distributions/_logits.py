"""What distributions have in common that are made by `probs` or `logits`, one of them, of single bits."""
import torch
from torch.distributions.distribution import Distribution
from torch.distributions.utils import batch_shape_of, broadcast_all, lazy_property, logits_to_probs, probs_to_logits


class OfBits(Distribution):
    def _take(self, probs, logits, *others):
        """Keeps what is given, broadcast with the others, which it returns; the shape is its own."""
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        name, given = ("probs", probs) if logits is None else ("logits", logits)
        *others, self._param = broadcast_all(*others, given)
        setattr(self, name, self._param)
        self._shape = batch_shape_of(self._param, given) if not others else self._param.size()
        return others

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits, is_binary=True)

    @property
    def param_shape(self):
        return self._param.size()

    def expand(self, batch_shape, _instance=None):
        names = [name for name in ("probs", "logits", "total_count", "_param") if name in self.__dict__]
        return self._expanded(batch_shape, names, type(self).__new__(type(self)))
