# tolerance: 1e-5
# RReLU, losses and names that few scripts use; functions that torch has beside torch.nn.functional.
import torch
from torch import nn
from torch.nn import functional as F

from helper_both_ways import attempt, both

torch.manual_seed(0)
x = torch.randn(3, 4)
both("rrelu", lambda x: F.rrelu(x), x)
torch.manual_seed(1)
leaf = x.clone().requires_grad_()
result = F.rrelu(leaf, 0.1, 0.4, training=True)
result.sum().backward()
print(result.detach(), leaf.grad, torch.rand(2))
compiled = torch.compile(lambda x: F.rrelu(x, 0.1, 0.4, training=True))(x) / x  # other numbers, in PyTorch
print(compiled[x > 0].eq(1).all(), ((compiled[x < 0] > 0.1) & (compiled[x < 0] < 0.4)).all())
torch.manual_seed(1)
print(nn.RReLU(), nn.RReLU(0.2, 0.5, inplace=True), nn.RReLU().eval()(x))
print(F.rrelu(x.double(), training=True), F.rrelu_(x.clone(), training=True))
attempt("bounds", lambda: F.rrelu(x, 2.0, 1.0))

scores, classes = torch.tensor([[0.1, 0.2, 0.4, 0.8], [1.0, -0.5, 0.3, 0.3]]), torch.tensor([[3, 0, -1, 1], [1, 2, 0, 3]])
for reduction in ("mean", "sum", "none"):
    both(reduction, lambda x: F.multilabel_margin_loss(x, classes, reduction=reduction), scores)
both("one row", lambda x: nn.MultiLabelMarginLoss()(x, classes[0]), scores[0])
attempt("size", lambda: F.multilabel_margin_loss(torch.ones(2, 3), torch.ones(2, 4).long()))
attempt("range", lambda: F.multilabel_margin_loss(torch.ones(2, 3), torch.full((2, 3), 5)))
attempt("dtype", lambda: F.multilabel_margin_loss(torch.ones(2, 3), torch.ones(2, 3)))
attempt("dimensions", lambda: F.multilabel_margin_loss(torch.ones(2, 3, 1), torch.ones(2, 3, 1).long()))

a, p, n = torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 4)
both("triplet", lambda a, p, n: F.triplet_margin_with_distance_loss(a, p, n), a, p, n)
loss = nn.TripletMarginWithDistanceLoss(distance_function=lambda x, y: 1.0 - F.cosine_similarity(x, y), margin=2.0, swap=True)
both("cosine", lambda a, p, n: loss(a, p, n), a, p, n)
print(nn.TripletMarginWithDistanceLoss(), loss.margin, loss.swap)
attempt("margin", lambda: nn.TripletMarginWithDistanceLoss(margin=-1))
attempt("dimensions", lambda: F.triplet_margin_with_distance_loss(a, p, n[0]))

t = torch.tensor([1.0, -1.0, 1.0])
for reduction in (0, 1, 2):
    print(torch.kl_div(a, p.softmax(1), reduction), torch.kl_div(a, p, reduction, log_target=True))
    print(torch.margin_ranking_loss(a, p, t.view(3, 1), 0.5, reduction), torch.hinge_embedding_loss(a[:, 0], t, 1.0, reduction))
    print(torch.cosine_embedding_loss(a, p, t, 0.2, reduction), torch.triplet_margin_loss(a, p, n, reduction=reduction))
    print(torch.binary_cross_entropy_with_logits(a, p.sigmoid(), reduction=reduction), torch.poisson_nll_loss(a, p.abs(), True, False, 1e-8, reduction))
print(torch.kl_div(a, p.softmax(1)).shape, torch.margin_ranking_loss(a, p, n.sign()).shape)

image = torch.arange(32.0).view(1, 4, 2, 4)
print(torch.pixel_shuffle(image, 2).shape, torch.pixel_unshuffle(image, 2).shape, torch.channel_shuffle(image, 2)[0, :, 0, 0])
print(torch.group_norm(image, 2)[0, 0], torch.instance_norm(image, None, None, None, None, True, 0.1, 1e-5, False)[0, 1])
print(torch.max_pool2d(image, 2), torch.max_pool1d(image[0], 2, 1), torch.max_pool3d(image, (1, 2, 2)).shape)
print(torch.avg_pool1d(image[0], 2), torch.adaptive_avg_pool1d(image[0], 2), torch.max_pool1d_with_indices(image[0, :1], 3))
print(torch.adaptive_max_pool1d(image[0, :1], 3), torch.conv_transpose2d(image, torch.ones(4, 1, 2, 2), stride=2).shape)
print(torch.conv_transpose1d(image[0].view(1, 2, 16), torch.ones(2, 1, 3)).shape)
print(torch.alpha_dropout(image, 0.5, False).equal(image), torch.feature_dropout(image, 0.0, True).equal(image), torch.rrelu(torch.tensor([-1.0])))
torch.manual_seed(0)
print(torch.feature_dropout(torch.ones(2, 6), 0.5, True), nn.FeatureAlphaDropout(0.3), nn.FeatureAlphaDropout().eval()(image).shape)
print(torch.constant_pad_nd(torch.ones(2, 2), (1, 0), 3), torch.newaxis, x[0][:, torch.newaxis].shape)
attempt("odd", lambda: torch.constant_pad_nd(torch.ones(2), (1,)))
attempt("long", lambda: torch.constant_pad_nd(torch.ones(2), (1, 1, 1, 1)))
strided = torch.empty_strided((2, 3), (1, 2))
print(strided.shape, strided.stride(), torch.empty_strided((2, 0), (1, 1), dtype=torch.int64).shape, torch.empty_strided((2,), (3,), requires_grad=True).requires_grad)
attempt("strides", lambda: torch.empty_strided((2, 3), (1,)))
attempt("negative", lambda: torch.empty_strided((-2, 3), (0, 1)))
y = torch.tensor([-1.0, 3.0])
print(torch.clamp_min_(y, 0) is y, torch.clamp_max_(y, 2.0), y, torch.is_signed(y), torch.is_signed(y.byte()), y.is_cpu)


class Mean(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Buffer(torch.ones(2))
        self.count = nn.Buffer(torch.zeros(1), persistent=False)
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        self.count.add_(1)
        return (x - self.mean) * self.scale


mean = Mean()
print(list(mean.state_dict()), [name for name, _ in mean.named_buffers()], mean(torch.ones(2)).detach(), torch.compile(mean)(torch.ones(2)).detach(), mean.count)
mean.mean = torch.zeros(2)
print(mean.mean, isinstance(mean.mean, nn.Buffer), isinstance(nn.Buffer(torch.ones(1)), nn.Buffer), isinstance(mean.scale, nn.Buffer))
mean.count = nn.Buffer(torch.zeros(3))
print(list(mean.state_dict()), mean.double().mean.dtype, nn.Buffer(torch.ones(1, requires_grad=True)), type(nn.Buffer()))


def assign():
    mean.scale = nn.Buffer(torch.ones(1))


attempt("assign", assign)
