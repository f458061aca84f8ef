import warnings

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.bias import causal_lower_right, causal_upper_left


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


def enabled():
    cuda = torch.backends.cuda
    return (cuda.flash_sdp_enabled(), cuda.math_sdp_enabled(), cuda.mem_efficient_sdp_enabled(),
            cuda.cudnn_sdp_enabled())


attention = F.scaled_dot_product_attention
q = torch.ones(1, 1, 2, 4)
k = torch.arange(12.).reshape(1, 1, 3, 4)

# The names.
print(SDPBackend.MATH, repr(SDPBackend.EFFICIENT_ATTENTION), int(SDPBackend.CUDNN_ATTENTION), SDPBackend(1))
print([*SDPBackend.__members__], SDPBackend.ERROR.value, SDPBackend.OVERRIDEABLE.name, SDPBackend.MATH == 0)
print(torch.nn.attention.sdpa_kernel is sdpa_kernel)

# A choice is there for a while, may be within another, and goes when an error ends it.
print(enabled())
with sdpa_kernel([SDPBackend.CUDNN_ATTENTION, SDPBackend.EFFICIENT_ATTENTION], set_priority=True) as given:
    print(given, enabled())
    with sdpa_kernel(SDPBackend.MATH):
        print(enabled(), attention(q, k, k))
    attempt(lambda: attention(q, k, k))
try:
    with sdpa_kernel(SDPBackend.MATH):
        raise ValueError
except ValueError:
    print(enabled())
torch.backends.cuda.enable_mem_efficient_sdp(False)
with sdpa_kernel([]):
    print(enabled())
print(enabled())
attempt(lambda: sdpa_kernel("math").__enter__())
attempt(lambda: sdpa_kernel((SDPBackend.MATH,)).__enter__())


@sdpa_kernel(SDPBackend.MATH)
def decorated():
    return attention(q, k, k).sum(), enabled()


print(decorated(), decorated.__name__)


# What one kernel does not compute; PyTorch warns why.
warnings.simplefilter("ignore")


def by_flash(*arguments, **options):
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        return attention(*arguments, **options).sum()


attempt(lambda: by_flash(q, k, k))
attempt(lambda: by_flash(q, k, k, torch.ones(2, 3)))
attempt(lambda: by_flash(q, k, k, torch.ones(2, 3, requires_grad=True)))
attempt(lambda: by_flash(q, k, k[..., :3]))
attempt(lambda: by_flash(q, k, k, dropout_p=0.5))
attempt(lambda: by_flash(q.mT, q.mT, q.mT))


# In compiled code.
@torch.compile
def layer(q, k):
    with sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH]):
        return attention(q * 2, k, k).mean()


print(layer(q, k), layer(q, k), enabled())

# Masks of queries and keys that are not equally many.
lower, upper = causal_lower_right(2, 3), causal_upper_left(2, 3)
print(lower, upper, type(lower), lower.variant, lower.seq_len_q, lower.seq_len_kv)
print(attention(q, k, k, lower), attention(q, k, k, upper), attention(q, q, q, causal_lower_right(2, 2)))
print(torch.compile(attention)(q, k, k, lower))
attempt(lambda: attention(q, k, k, lower, is_causal=True))
attempt(lambda: causal_lower_right(2))
attempt(lambda: attention(q, k, k, [1]))
