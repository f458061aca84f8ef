"""A batch normalisation that has seen its data, put into the layer before it.

    fused = fuse_conv_bn_eval(conv.eval(), bn.eval())
"""
import copy

import torch
from torch.nn.parameter import Parameter


def _fused(weight, bias, mean, var, eps, bn_weight, bn_bias, shape):
    """Weight and bias of both at once; `shape` is that of the factors beside the weight."""
    bias = torch.zeros_like(mean) if bias is None else bias
    bn_weight = torch.ones_like(mean) if bn_weight is None else bn_weight
    bn_bias = torch.zeros_like(mean) if bn_bias is None else bn_bias
    scale = bn_weight * torch.rsqrt(var + eps)
    fused_weight = (weight * scale.reshape(shape)).to(weight.dtype)
    fused_bias = ((bias - mean) * scale + bn_bias).to(bias.dtype)
    return Parameter(fused_weight, weight.requires_grad), Parameter(fused_bias, bias.requires_grad)


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    shape = [1] * conv_w.dim()
    shape[1 if transpose else 0] = -1
    return _fused(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, shape)


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    return _fused(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, [-1, 1])


def _fuse(layer, bn, function, *arguments):
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    made = copy.deepcopy(layer)
    made.weight, made.bias = function(layer.weight, layer.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight,
                                      bn.bias, *arguments)
    return made


def fuse_conv_bn_eval(conv, bn, transpose=False):
    return _fuse(conv, bn, fuse_conv_bn_weights, transpose)


def fuse_linear_bn_eval(linear, bn):
    return _fuse(linear, bn, fuse_linear_bn_weights)
