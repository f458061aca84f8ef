# What losses, layers and modules say of arguments that do not fit; special methods of numbers.
import torch
import torch.nn.functional as F
from torch import nn



def t(label, run):
    try:
        print(label, run())
    except Exception as error:
        print(label, type(error).__name__, error)


x = torch.ones(2, 3)
z = torch.tensor
t("ce1", lambda: F.cross_entropy(x, z([0.0,5])))
t("ce2", lambda: F.cross_entropy(x, z([0,5])))
t("ce3", lambda: F.cross_entropy(x, z([0,1,2])))
t("ce4", lambda: F.cross_entropy(x, z([0,1],dtype=torch.int32)))
t("ce5", lambda: F.cross_entropy(x, torch.ones(2,2)))
t("ce6", lambda: F.cross_entropy(x, torch.ones(2,3,dtype=torch.int64)))
t("ce7", lambda: F.cross_entropy(torch.ones(3), z([0.0,5])))
t("ce8", lambda: F.cross_entropy(torch.ones(3), z(1.0)))
t("ce10", lambda: F.cross_entropy(torch.ones(2,3,4), torch.ones(2,4)))
t("ce11", lambda: F.cross_entropy(torch.ones(2,3,4), torch.ones(2,4,dtype=torch.int64)))
t("ce12", lambda: F.cross_entropy(torch.ones(2,3,4), torch.ones(2,3,dtype=torch.int64)))
t("ce13", lambda: F.cross_entropy(x, z([0,1],dtype=torch.uint8)))
t("ce14", lambda: F.cross_entropy(x, z([True,False])))
t("ce15", lambda: F.cross_entropy(x, z([0,1]), weight=torch.ones(2)))
t("ce16", lambda: F.cross_entropy(x, x, ignore_index=1))
t("ce17", lambda: F.cross_entropy(x.long(), z([0,1])))
t("ce18", lambda: F.cross_entropy(x, z([0,1]), label_smoothing=2.))
t("ce19", lambda: F.cross_entropy(x, z([0,1]), reduction="avg"))
t("nll1", lambda: F.nll_loss(x, z([0.0,1])))
t("nll2", lambda: F.nll_loss(x, z([0,1],dtype=torch.int32)))
t("nll3", lambda: F.nll_loss(x, z([0,1,2])))
t("nll4", lambda: F.nll_loss(x, z([0,3])))
t("nll5", lambda: F.nll_loss(x, z([[0,1]])))
w = torch.ones(4,2)
t("em1", lambda: F.embedding(z([1.0]), w))
t("em2", lambda: F.embedding(z([4]), w))
t("em3", lambda: F.embedding(z([1],dtype=torch.int16), w))
t("em4", lambda: F.embedding(z([True]), w))
t("em5", lambda: F.embedding(z([1]), torch.ones(4)))
t("em6", lambda: nn.Embedding(3,2)(z([1.5])))
t("em7", lambda: F.embedding(z([1]), w, padding_idx=7))
t("em8", lambda: F.embedding(z([-1]), w))
t("em9", lambda: F.embedding(z([1.0], dtype=torch.float64), w))
t("bce1", lambda: F.binary_cross_entropy(x, torch.ones(2,2)))
t("bce3", lambda: F.binary_cross_entropy_with_logits(x, torch.ones(2)))
t("bce4", lambda: F.binary_cross_entropy(x, x.long()))
t("ln1", lambda: F.layer_norm(x, (2,)))
t("ln2", lambda: F.layer_norm(x, (3,), torch.ones(2)))
t("bn1", lambda: nn.BatchNorm1d(2)(x))
t("bn2", lambda: nn.BatchNorm1d(3)(torch.ones(1,3)))
t("bn3", lambda: nn.BatchNorm1d(3)(torch.ones(3)))
t("lin1", lambda: nn.Linear(2,2)(x))
t("lin2", lambda: nn.Linear(3,2)(x.double()))
t("lin3", lambda: nn.Linear(3,2)(x.long()))
t("sm1", lambda: F.softmax(x, 2))
t("sm2", lambda: F.softmax(x.long(), 1))
t("do1", lambda: F.dropout(x, 1.5))
t("do2", lambda: nn.Dropout(-1))
t("gelu", lambda: F.gelu(x, approximate="foo"))
t("mha", lambda: F.scaled_dot_product_attention(torch.ones(1,2,3), torch.ones(1,2,4), torch.ones(1,2,3)))
t("glu", lambda: F.glu(x))
t("oh", lambda: F.one_hot(z([0.,1])))
t("oh2", lambda: F.one_hot(z([0,-1])))
t("oh3", lambda: F.one_hot(z([0,5]), 3))
t("kl", lambda: F.kl_div(x, torch.ones(2,2), reduction="sum"))
t("norm", lambda: x.norm(dim=3))
t("hub", lambda: F.huber_loss(x, x, delta=-1.))
t("sl1", lambda: F.smooth_l1_loss(x, x, beta=-1.))
t("cos", lambda: F.cosine_similarity(x, torch.ones(2,2)))


class B(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("b", torch.ones(2))
        self.lin = nn.Linear(1, 1)
        self.q = 3


m = B()
def assign():
    m.b=3


t("buf1", assign)
def assign():
    m.b="s"


t("buf2", assign)
def assign():
    m.b=None
    return m.b


t("buf3", assign)
def assign():
    m.b=torch.zeros(1)
    return list(m.state_dict())


t("buf4", assign)
def assign():
    m.b=m


t("buf5", assign)
t("rb1", lambda: m.register_buffer("q", torch.ones(1)))
t("rb2", lambda: m.register_buffer("r", 3))
t("rb3", lambda: m.register_buffer("r.s", torch.ones(1)))
t("rb4", lambda: m.register_buffer("", torch.ones(1)))
t("rp1", lambda: m.register_parameter("q", nn.Parameter(torch.ones(1))))
t("rp2", lambda: m.register_parameter("r", torch.ones(1)))
t("rp3", lambda: m.register_parameter("r", nn.Parameter(torch.ones(1))*2))
t("rp4", lambda: m.register_parameter("r", 3))
t("rp5", lambda: m.register_parameter("r", None))
t("am1", lambda: m.add_module("q", nn.Linear(1,1)))
t("am2", lambda: m.add_module("z", 3))
t("am3", lambda: m.add_module("z.z", nn.Linear(1,1)))
t("am4", lambda: m.add_module("", nn.Linear(1,1)))
def assign():
    m.lin.weight = torch.ones(1)


t("as1", assign)
def assign():
    m.lin = torch.ones(1)


t("as2", assign)
def assign():
    m.lin = 3


t("as3", assign)
t("round", lambda: ((1.5).__round__(), (2.345).__round__(2), (7).__round__(), (17).__round__(-1), (2.5).__trunc__(), (2.5).__floor__(), (2.5).__ceil__(), (7).__floor__(), (7).__ceil__()))
t("divmod", lambda: ((7).__divmod__(2), (7.5).__divmod__(2), (2).__rpow__(3), (2).__rtruediv__(3), (2.0).__rfloordiv__(7), (3).__rmod__(7), (-3).__pos__(), (3).__invert__(), (3).__and__(1), (1).__lshift__(3)))
