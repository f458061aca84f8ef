"""Recurrent modules: what is seen so far is a hidden state, which goes from place to place.

A layer is one product for all places, and then a step for each: compiled, the loop is unrolled, so
that another length is another region. An LSTM of float32 on the processor is one operator.

    LSTM(8, 16, batch_first=True)    # outputs for each place, and the last states
    GRUCell(8, 16)                   # one place at a time
"""
import math
import warnings
import torch
from torch.nn import functional as F, init
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter
from torch.nn.utils._packing import PackedSequence


def _rnn_step(activation):
    def step(given, state, weight, bias):
        return (activation(F.linear(state[0], weight, bias).add_(given)),)
    return step


def _lstm_step(given, state, weight, bias):
    gates = F.linear(state[0], weight, bias).add_(given).chunk(4, 1)
    enters, stays, leaves = gates[0].sigmoid(), gates[1].sigmoid(), gates[3].sigmoid()
    new = gates[2].tanh()
    cell = stays * state[1] + enters * new
    return leaves * cell.tanh(), cell


def _gru_step(given, state, weight, bias):
    seen = F.linear(state[0], weight, bias).chunk(3, 1)
    given = given.chunk(3, 1)
    resets, stays = (seen[0] + given[0]).sigmoid(), (seen[1] + given[1]).sigmoid()
    new = (given[2] + seen[2] * resets).tanh()
    return ((state[0] - new) * stays + new,)


def _of_those_that_go_on(state, count, first, ended):
    """The state of so many sequences of a packed batch: those behind them have ended, and theirs is put
    aside; backwards they are beginning, from their part of the first state."""
    size = state[0].size(0)
    if first is not None and count > size:
        return tuple([torch.cat([part, whole[size:count]]) for part, whole in zip(state, first)])
    if count < size and first is None:
        ended.append([part[count:] for part in state])
    return state if count == size else tuple([part[:count] for part in state])


def _in_order(hx, order, mode):
    if order is None:
        return hx
    if mode == "LSTM":
        return tuple([part.index_select(1, order) for part in hx])
    return hx.index_select(1, order)


_STEPS = {"RNN_TANH": _rnn_step(torch.tanh), "RNN_RELU": _rnn_step(torch.relu), "LSTM": _lstm_step,
          "GRU": _gru_step}
_GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "LSTM": 4, "GRU": 3}


class _Parameters(Module):
    """Weights and biases, all uniform within 1 / sqrt(hidden_size)."""

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)


class RNNBase(_Parameters):
    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__()
        if mode not in _STEPS:
            raise ValueError(f"Unrecognized RNN mode: {mode}")
        self._check(hidden_size, num_layers, dropout, proj_size)
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        made = {"device": device, "dtype": dtype}
        gates = _GATES[mode] * hidden_size
        shown = proj_size if proj_size > 0 else hidden_size
        for layer in range(num_layers):
            given = input_size if layer == 0 else shown * self._directions()
            for ending in self._endings(layer):
                sizes = {"weight_ih": (gates, given), "weight_hh": (gates, shown)}
                if bias:
                    sizes.update({"bias_ih": (gates,), "bias_hh": (gates,)})
                if proj_size > 0:
                    sizes["weight_hr"] = (proj_size, hidden_size)
                for name, shape in sizes.items():
                    parameter = Parameter(torch.empty(shape, **made))
                    self.register_parameter(name + ending, parameter)
        self.reset_parameters()

    def _check(self, hidden_size, num_layers, dropout, proj_size):
        is_number = isinstance(dropout, (int, float)) and not isinstance(dropout, bool)
        if not is_number or not 0 <= dropout <= 1:
            raise ValueError("dropout should be a number in range [0, 1] representing the "
                             "probability of an element being zeroed")
        if dropout > 0 and num_layers == 1:
            warnings.warn("dropout option adds dropout after all but last recurrent layer, so "
                          "non-zero dropout expects num_layers greater than 1, but got "
                          f"dropout={dropout} and num_layers={num_layers}")
        if not isinstance(hidden_size, int):
            raise TypeError("hidden_size should be of type int, got: "
                            f"{type(hidden_size).__name__}")
        if hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable "
                             "projections")
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")

    def _directions(self):
        return 2 if self.bidirectional else 1

    def _endings(self, layer):
        return [f"_l{layer}", f"_l{layer}_reverse"][:self._directions()]

    def _parameter(self, name, ending):
        return getattr(self, name + ending) if self.bias or name[:4] != "bias" else None

    @property
    def all_weights(self):
        """The parameters, a list for each layer and direction."""
        names = ["weight_ih", "weight_hh"] + (["bias_ih", "bias_hh"] if self.bias else [])
        names += ["weight_hr"] if self.proj_size > 0 else []
        return [[getattr(self, name + ending) for name in names]
                for layer in range(self.num_layers) for ending in self._endings(layer)]

    def flatten_parameters(self):
        """They need not lie in one piece."""

    def _state_sizes(self):
        """The last size of each part of the state."""
        shown = self.proj_size if self.proj_size > 0 else self.hidden_size
        return (shown, self.hidden_size) if self.mode == "LSTM" else (shown,)

    def _check_input(self, input):
        if input.dim() not in (2, 3):
            name, what = (self.mode, "") if self.mode in ("LSTM", "GRU") else ("RNN", " tensor")
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {input.dim()}D{what} "
                             "instead")
        dtype = self.weight_ih_l0.dtype
        if input.dtype != dtype and not torch.is_autocast_enabled(input.device.type):
            raise ValueError(f"RNN input dtype ({input.dtype}) does not match weight dtype "
                             f"({dtype}). Convert input: input.to({dtype}), or convert model: "
                             f"model.to({input.dtype})")
        if input.size(-1) != self.input_size:
            raise RuntimeError("input.size(-1) must be equal to input_size. Expected "
                               f"{self.input_size}, got {input.size(-1)}")
        if input.size(1 if self.batch_first and input.dim() == 3 else 0) == 0:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")

    def _check_state(self, state, batch):
        rows = self.num_layers * self._directions()
        for i, (part, size) in enumerate(zip(state, self._state_sizes())):
            expected = (rows, batch, size)
            if tuple(part.shape) != expected:
                which = f"hidden[{i}]" if self.mode == "LSTM" else "hidden"
                raise RuntimeError(f"Expected {which} size {expected}, got {list(part.shape)}")

    def _given_state(self, hx, input, batched):
        """The state before the first place, [layers * directions, batch, size] each."""
        batch = input.size(1)
        rows = self.num_layers * self._directions()
        if hx is None:
            return [torch.zeros(rows, batch, size, dtype=input.dtype, device=input.device)
                    for size in self._state_sizes()]
        state = list(hx) if self.mode == "LSTM" else [hx]
        wanted, other = ("batched 3-D", 3) if batched else ("unbatched 2-D", 2)
        for part in state:
            if part.dim() != other:
                if self.mode == "LSTM":
                    got = f"({state[0].dim()}-D, {state[1].dim()}-D) tensors"
                    raise RuntimeError(f"For {wanted} input, hx and cx should also be {other}-D "
                                       f"but got {got}")
                raise RuntimeError(f"For {wanted} input, hx should also be {other}-D but got "
                                   f"{part.dim()}-D tensor")
        if not batched:
            state = [part.unsqueeze(1) for part in state]
        self._check_state(state, batch)
        return state

    def _is_one_call(self, input):
        """Whether a layer of unpacked sequences is one operator."""
        return (self.mode == "LSTM" and self.proj_size == 0 and input.dtype == torch.float32 and
                input.device.type == "cpu")

    def _run_at_once(self, input, state, ending, reverse):
        bias = None
        if self.bias:
            bias = self._parameter("bias_ih", ending) + self._parameter("bias_hh", ending)
        results = torch._lstm_layer(input, self._parameter("weight_ih", ending),
                                    self._parameter("weight_hh", ending), bias, *state, reverse)
        return results[0], (results[1], results[2])

    def _run(self, input, state, ending, reverse, counts):
        """One direction of one layer: what it gives at each place, and its last state. With counts
        the places are packed, and so many sequences have one."""
        if counts is None and self._is_one_call(input):
            return self._run_at_once(input, state, ending, reverse)
        step = _STEPS[self.mode]
        given = F.linear(input, self._parameter("weight_ih", ending),
                         self._parameter("bias_ih", ending))
        weight, bias = self._parameter("weight_hh", ending), self._parameter("bias_hh", ending)
        places = list(given.unbind(0) if counts is None else given.split(counts))
        first, ended, results = state, [], []
        for part in reversed(places) if reverse else places:
            if counts is not None:
                state = _of_those_that_go_on(state, part.size(0), first if reverse else None, ended)
            state = step(part, state, weight, bias)
            if self.proj_size > 0:
                state = (F.linear(state[0], self._parameter("weight_hr", ending)), *state[1:])
            results.append(state[0])
        if reverse:
            results.reverse()
        if ended:
            state = tuple([torch.cat(parts) for parts in zip(state, *reversed(ended))])
        return torch.stack(results) if counts is None else torch.cat(results), state

    def forward(self, input, hx=None):
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        self._check_input(input)
        batched = input.dim() == 3
        if not batched:
            input = input.unsqueeze(1)
        elif self.batch_first:
            input = input.transpose(0, 1)
        input, states = self._layers(input, self._given_state(hx, input, batched), None)
        if not batched:
            input, states = input.squeeze(1), [part.squeeze(1) for part in states]
        elif self.batch_first:
            input = input.transpose(0, 1)
        return input, tuple(states) if self.mode == "LSTM" else states[0]

    def _forward_packed(self, packed, hx):
        """Of a `PackedSequence` one; the states are in the order of the batch before it was sorted."""
        data, batch_sizes, order, order_back = packed
        counts = batch_sizes.tolist()
        state = self._given_state(None if hx is None else _in_order(hx, order, self.mode),
                                  data[:counts[0]].unsqueeze(0), True)
        data, states = self._layers(data, state, counts)
        if order_back is not None:
            states = [part.index_select(1, order_back) for part in states]
        return (PackedSequence(data, batch_sizes, order, order_back),
                tuple(states) if self.mode == "LSTM" else states[0])

    def _layers(self, input, state, counts):
        """All layers and directions: what the last one gives, and the last states."""
        if counts is None and torch.is_autocast_enabled("cpu") and self._is_one_call(input):
            dtype = torch.get_autocast_dtype("cpu")  # as a whole: its states too
            input, state = input.to(dtype), [part.to(dtype) for part in state]
        parts = [part.unbind(0) for part in state]
        last = []
        for layer in range(self.num_layers):
            if layer > 0 and self.dropout > 0 and self.training:
                input = F.dropout(input, self.dropout)
            results = []
            for way, ending in enumerate(self._endings(layer)):
                row = layer * self._directions() + way
                result, after = self._run(input, tuple([part[row] for part in parts]), ending,
                                          way == 1, counts)
                results.append(result)
                last.append(after)
            input = results[0] if len(results) == 1 else torch.cat(results, -1)
        return input, [torch.stack(part) for part in zip(*last)]

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        for name, usual in (("proj_size", 0), ("num_layers", 1), ("bias", True),
                            ("batch_first", False), ("dropout", 0), ("bidirectional", False)):
            value = getattr(self, name)
            if value != usual:
                text += f", {name}={value}"
        return text


class RNN(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True,
                 batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or "
                             "'relu'.")
        super().__init__(f"RNN_{nonlinearity.upper()}", input_size, hidden_size, num_layers, bias,
                         batch_first, dropout, bidirectional, 0, device, dtype)
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__("LSTM", input_size, hidden_size, num_layers, bias, batch_first, dropout,
                         bidirectional, proj_size, device, dtype)


class GRU(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False, device=None, dtype=None):
        super().__init__("GRU", input_size, hidden_size, num_layers, bias, batch_first, dropout,
                         bidirectional, 0, device, dtype)


class RNNCellBase(_Parameters):
    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        made = {"device": device, "dtype": dtype}
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(torch.empty((rows, input_size), **made))
        self.weight_hh = Parameter(torch.empty((rows, hidden_size), **made))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(torch.empty(rows, **made)) if bias else None)
        self.reset_parameters()

    def _given_state(self, state, batch, batched):
        for i, part in enumerate(state):
            if part.dim() not in (1, 2):
                which = f"hx[{i}]" if len(state) == 2 else "hidden"
                raise ValueError(f"{type(self).__name__}: Expected {which} to be 1D or 2D, got "
                                 f"{part.dim()}D instead")
        if not batched:
            state = [part.unsqueeze(0) for part in state]
        for i, part in enumerate(state):
            if part.dim() != 2:
                raise RuntimeError(f"Expected 2D hidden{i} (batch x hidden_size), but got "
                                   f"{part.dim()}D tensor")
            if part.size(0) != batch:
                raise RuntimeError(f"Input batch size {batch} doesn't match hidden{i} batch size "
                                   f"{part.size(0)}")
            if part.size(1) != self.hidden_size:
                raise RuntimeError(f"hidden{i} has inconsistent hidden_size: got {part.size(1)}, "
                                   f"expected {self.hidden_size}")
        return state

    def _run(self, mode, input, state):
        """One step; an example alone has no batch dimension."""
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if input.size(1) != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {input.size(1)} expected "
                               f"{self.input_size}")
        count = 2 if mode == "LSTM" else 1
        if state is None:
            zeros = torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype,
                                device=input.device)
            state = (zeros,) * count
        else:
            state = self._given_state(state, input.size(0), batched)
        given = F.linear(input, self.weight_ih, self.bias_ih)
        after = _STEPS[mode](given, tuple(state), self.weight_hh, self.bias_hh)
        return after if batched else tuple([part.squeeze(0) for part in after])

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if not self.bias:
            text += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            text += f", nonlinearity={self.nonlinearity}"
        return text


class RNNCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None,
                 dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        mode = f"RNN_{self.nonlinearity.upper()}"
        return self._run(mode, input, None if hx is None else (hx,))[0]


class LSTMCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        return self._run("LSTM", input, hx)


class GRUCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        return self._run("GRU", input, None if hx is None else (hx,))[0]
