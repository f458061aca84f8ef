"""What `einsum` says of an output that its operands do not give."""
import torch

x = torch.ones(2, 3)
for equation in ["ij->ik", "ij->ii", "ij->kj", "ij->ji", "...j->...", "ij->..."]:
    try:
        print(equation, torch.einsum(equation, x).shape)
    except RuntimeError as error:
        print(equation, error)
