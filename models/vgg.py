#!/usr/bin/env python3
"""Writes a VGG network for images as a model for sbpc.

  models/vgg.py -o vgg.mlir                              VGG-16, 224 x 224 images
  models/vgg.py --layers 13 --batch 256 ...              with fewer layers
  models/vgg.py --extent 32 --divisor 16 ...             a small one
  models/vgg.py --plan dense --mesh 4 ...                with a plan for 4 ranks

The network has five stages of convolutions with 3 x 3 windows, each followed by a maximum over
2 x 2, then three dense layers, which have most of the parameters (Simonyan and Zisserman,
arXiv 1409.1556, table 1: A, B, D and E; without dropout). Convolutions of the same shape are
calls of one function. The entry @loss, which training minimises, has the inputs "images"
[batch, 3, extent, extent] and "labels" [batch].

Plans, one style per axis of the mesh (models/plans.py):

  data-parallel   data             the batch is split
  dense           data             the batch is split in the convolutions, and the units in
                                   the dense layers (Krizhevsky, arXiv 1404.5997)
  filters         filters          filters and units are split
  data-filters    data x filters   both the batch, and filters and units
"""

import argparse
import dataclasses
import math

import floats
import network
import plans
from network import Parameter

# Convolutions of each stage, by the number of layers with parameters.
STAGES = {
    11: (1, 1, 2, 2, 2),
    13: (2, 2, 2, 2, 2),
    16: (2, 2, 3, 3, 3),
    19: (2, 2, 4, 4, 4),
}

DENSE_ROLES = {
    "hidden1": "S(3)", "hidden1_bias": "S(0)", "hidden1_product": "S(1)",
    "hidden2": "S(1)", "hidden2_bias": "S(0)", "hidden2_product": "S(1)",
    "head": "S(1)", "head_bias": "S(0)", "head_product": "S(1)",
}

DENSE = plans.Style(axis="data", activation="S(0)",
                    roles={**DENSE_ROLES, "logits": "S(0)"})

FILTERS = plans.Style(axis="filters", roles={
    "filter": "S(0)", "filter_bias": "S(0)", "product": "S(1)",
    **DENSE_ROLES, "logits": "S(0)",
})

PLANS = {
    "none": (),
    "data-parallel": (plans.DATA,),
    "dense": (DENSE,),
    "filters": (FILTERS,),
    "data-filters": (plans.DATA, FILTERS),
}


@dataclasses.dataclass(frozen=True)
class Config:
    """The extents of a network."""

    layers: int        # with parameters, a key of STAGES
    batch: int
    extent: int        # of the square images
    classes: int
    divisor: int       # of channels and units

    @property
    def units(self):
        """Number of units of a hidden dense layer."""
        return 4096 // self.divisor


@dataclasses.dataclass(frozen=True)
class Convolution:
    """A convolution from [batch, channels, extent, extent] to [batch, filters, extent,
    extent]."""

    channels: int
    filters: int
    extent: int
    is_last: bool      # whether a maximum follows, which halves the extent

    @property
    def function(self):
        return f"convolution_{self.channels}_{self.filters}_{self.extent}"


def main():
    options = parse_options()
    network.write("vgg.py", options.output, lambda: model(
        config_of(options), plans.Plan.named(options.plan, options.mesh, PLANS)))


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, choices=STAGES, default=16,
                        help="number of layers with parameters, with the three dense ones (16)")
    plans.add_extents(parser, (
        ("batch", 128, "number of images per training step, over all ranks"),
        ("extent", 224, "number of rows and of columns of an image"),
        ("classes", 1000, "number of classes of images"),
        ("divisor", 1, "number by which VGG's channels and units are divided")))
    plans.add_options(parser, PLANS)
    return parser.parse_args()


def config_of(options):
    config = Config(**{field.name: getattr(options, field.name)
                       for field in dataclasses.fields(Config)})
    if config.extent < 2 ** len(STAGES[config.layers]):
        raise ValueError(f"images of extent {config.extent} cannot be halved "
                         f"{len(STAGES[config.layers])} times")
    if 64 % config.divisor:
        raise ValueError(f"the divisor {config.divisor} does not divide the 64 "
                         f"channels of the first stage")
    return config


def convolutions_of(config):
    """Returns the convolutions, from first to last."""
    convolutions, channels, extent = [], 3, config.extent
    for stage, number in enumerate(STAGES[config.layers]):
        filters = min(64 << stage, 512) // config.divisor
        for place in range(number):
            convolutions.append(
                Convolution(channels, filters, extent, place == number - 1))
            channels = filters
        extent //= 2
    return convolutions


# ---- Parameters ---------------------------------------------------------------


def normal(inputs):
    """Returns initial values that keep the variance through a sum over `inputs` and a
    relu."""
    return f"#nn.normal<{floats.literal(math.sqrt(2 / inputs))}>"


def convolution_parameters(convolution):
    channels, filters = convolution.channels, convolution.filters
    return [Parameter("filter", (filters, channels, 3, 3), normal(9 * channels)),
            Parameter("filter_bias", (filters, 1, 1), "#nn.zeros")]


def dense_parameters(config):
    """Returns the weight, whose last dimension is the units, and the bias of each dense
    layer."""
    last = convolutions_of(config)[-1]
    before = (last.filters, last.extent // 2, last.extent // 2)
    layers = []
    for name, units in (("hidden1", config.units), ("hidden2", config.units),
                        ("head", config.classes)):
        layers.append((
            Parameter(name, (*before, units), normal(math.prod(before))),
            Parameter(f"{name}_bias", (units,), "#nn.zeros")))
        before = (units,)
    return layers


def named(number, parameters):
    """Returns the parameters of convolution `number`."""
    return [dataclasses.replace(each, name=f"convolution{number}.{each.name}")
            for each in parameters]


def parameters_of(config):
    """Returns all parameters, in the order of their use."""
    parameters = []
    for number, convolution in enumerate(convolutions_of(config)):
        parameters += named(number, convolution_parameters(convolution))
    for layer in dense_parameters(config):
        parameters += layer
    return parameters


# ---- The network --------------------------------------------------------------


def model(config, plan):
    """Returns the module as text."""
    functions = {each.function: convolution_function(config, plan, each)
                 for each in convolutions_of(config)}
    return network.module("A VGG", "vgg.py", config, plan, parameters_of(config),
                          [*functions.values(), loss_function(config, plan)])


def convolution_function(config, plan, convolution):
    extent = convolution.extent
    body = network.Body(plan)
    images = "images", (config.batch, convolution.channels, extent, extent)
    weight, bias = (each.value for each in convolution_parameters(convolution))
    shape = (config.batch, convolution.filters, extent, extent)
    product = body.define(
        "product", shape, "nn.convolution %images, %filter low [1, 1] high [1, 1]",
        [images, weight])
    biased = body.define("biased", shape, f"nn.add %{product[0]}, %filter_bias",
                         [product, bias])
    return network.layer(convolution.function, [images, weight, bias], body,
                         body.relu("active", biased))


def loss_function(config, plan):
    body = network.Body(plan)
    body.get(parameters_of(config))
    images = "images", (config.batch, 3, config.extent, config.extent)
    for number, each in enumerate(convolutions_of(config)):
        parameters = named(number, convolution_parameters(each))
        shape = (config.batch, each.filters, each.extent, each.extent)
        images = body.call(f"images{number}", each.function,
                           [images, *(each.value for each in parameters)], shape)
        if each.is_last:
            extent = each.extent // 2
            images = body.define(
                f"pooled{number}", (*shape[:2], extent, extent),
                f"nn.pool max %{images[0]} over [2, 2] strides [2, 2]", [images])

    values = images
    for weight, bias in dense_parameters(config):
        terms = "bchw,chwk->bk" if values is images else "bi,ik->bk"
        shape = (config.batch, weight.shape[-1])
        product = body.define(
            f"{weight.name}_product", shape,
            f'nn.einsum "{terms}" %{values[0]}, %{weight.name}', [values, weight.value])
        is_head = weight.name == "head"
        values = body.define(
            "logits" if is_head else f"{weight.name}_biased", shape,
            f"nn.add %{product[0]}, %{bias.name}", [product, bias.value])
        if not is_head:
            values = body.relu(f"{weight.name}_active", values)
    return network.loss_entry(config, plan, body, values)


if __name__ == "__main__":
    main()
