# Sequences of different lengths as one tensor.
import torch
from torch.nn.utils.rnn import pad_sequence, unpad_sequence
import torch.nn as nn
def attempt(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
s=[torch.ones(3,2,requires_grad=True), torch.ones(1,2)*2]
attempt(lambda: pad_sequence(s))
attempt(lambda: pad_sequence(s,True,-1.0))
attempt(lambda: pad_sequence(s,True,padding_side="left"))
attempt(lambda: nn.utils.rnn.pad_sequence([torch.tensor([1,2]),torch.tensor([3])],batch_first=True))
attempt(lambda: pad_sequence([]))
attempt(lambda: pad_sequence([torch.ones(2,2),torch.ones(2,3)]))
attempt(lambda: pad_sequence(s, padding_side="up"))
attempt(lambda: pad_sequence(3))
attempt(lambda: unpad_sequence(pad_sequence(s), torch.tensor([3,1])))
attempt(lambda: pad_sequence(torch.ones(2,3)))
