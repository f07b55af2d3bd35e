#!/usr/bin/env python3
"""Writes a residual network for images as a model for sbpc.

  models/cnn.py -o cnn.mlir                              a small one, 32 x 32 images
  models/cnn.py --stages 4 --blocks 2 --width 64 ...     other extents
  models/cnn.py --plan filters --mesh 4 ...              with a plan for 4 ranks

The network is a stem, then stages of residual blocks. Each stage has half the extent and
twice the channels of the previous one (He et al., arXiv 1512.03385). Blocks of the same
shape are calls of one function. The entry @loss, which training minimises, has the inputs
"images" [batch, 3, extent, extent] and "labels" [batch]. Batch normalisation uses the
statistics of the batch.

Plans, one style per axis of the mesh (models/plans.py):

  data-parallel   data             the batch is split
  filters         filters          the filters of a block's first convolution are split, and
                                   so the channels of its second, which leaves partial sums
  data-filters    data x filters   both
  space           space            the rows of the outputs of convolutions are split
"""

import argparse
import dataclasses
import math

import floats
import network
import plans
from network import Parameter, tensor

FILTERS = plans.Style(axis="filters", roles={
    "first": "S(0)", "first_gain": "S(0)", "first_shift": "S(0)",
    "first_product": "S(1)", "second": "S(1)", "second_product": "B",
})

SPACE = plans.Style(axis="space", roles={
    "stem_product": "S(2)", "first_product": "S(2)", "second_product": "S(2)",
    "shortcut_product": "S(2)", "block_input": "B", "first_active": "B",
})

PLANS = {
    "none": (),
    "data-parallel": (plans.DATA,),
    "filters": (FILTERS,),
    "data-filters": (plans.DATA, FILTERS),
    "space": (SPACE,),
}


@dataclasses.dataclass(frozen=True)
class Config:
    """The extents of a network."""

    batch: int
    extent: int        # of the square images
    width: int         # channels of the first stage
    stages: int
    blocks: int        # per stage
    classes: int


@dataclasses.dataclass(frozen=True)
class Block:
    """A residual block from [batch, channels, extent, extent]."""

    channels: int
    filters: int
    extent: int
    stride: int

    @property
    def function(self):
        return f"block_{self.channels}_{self.filters}_{self.extent}"

    @property
    def has_shortcut(self):
        """Whether input and output have different shapes, so that a convolution converts
        the former to the latter."""
        return self.channels != self.filters or self.stride != 1

    @property
    def next_extent(self):
        return (self.extent - 1) // self.stride + 1


def main():
    options = parse_options()
    network.write("cnn.py", options.output, lambda: model(
        config_of(options), plans.Plan.named(options.plan, options.mesh, PLANS)))


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    plans.add_extents(parser, (
        ("batch", 16, "number of images per training step, over all ranks"),
        ("extent", 32, "number of rows and of columns of an image"),
        ("width", 16, "number of channels in the first stage"),
        ("stages", 3, "number of stages; each halves the extent of the one before"),
        ("blocks", 1, "number of blocks per stage"),
        ("classes", 10, "number of classes of images")))
    plans.add_options(parser, PLANS)
    return parser.parse_args()


def config_of(options):
    config = Config(**{field.name: getattr(options, field.name)
                       for field in dataclasses.fields(Config)})
    if config.extent < 2 ** (config.stages - 1):
        raise ValueError(f"images of extent {config.extent} cannot be halved "
                         f"{config.stages - 1} times")
    return config


def blocks_of(config):
    """Returns the blocks, from first to last."""
    blocks, channels, extent = [], config.width, config.extent
    for stage in range(config.stages):
        for number in range(config.blocks):
            stride = 2 if stage > 0 and number == 0 else 1
            block = Block(channels, config.width << stage, extent, stride)
            blocks.append(block)
            channels, extent = block.filters, block.next_extent
    return blocks


# ---- Parameters ---------------------------------------------------------------


def convolution_parameters(name, filters, channels, window):
    """Returns a filter, and the gain and shift of the normalisation after it."""
    deviation = math.sqrt(2 / (channels * window * window))
    return [Parameter(name, (filters, channels, window, window),
                      f"#nn.normal<{floats.literal(deviation)}>"),
            Parameter(f"{name}_gain", (filters,), "#nn.ones"),
            Parameter(f"{name}_shift", (filters,), "#nn.zeros")]


def block_parameters(block):
    parameters = [
        *convolution_parameters("first", block.filters, block.channels, 3),
        *convolution_parameters("second", block.filters, block.filters, 3)]
    if block.has_shortcut:
        parameters += convolution_parameters("shortcut", block.filters,
                                             block.channels, 1)
    return parameters


def head_parameters(config):
    channels = blocks_of(config)[-1].filters
    return [Parameter("head", (channels, config.classes),
                      f"#nn.normal<{floats.literal(1 / math.sqrt(channels))}>"),
            Parameter("head_bias", (config.classes,), "#nn.zeros")]


def parameters_of(config):
    """Returns all parameters, in the order of their use."""
    parameters = convolution_parameters("stem", config.width, 3, 3)
    for number, block in enumerate(blocks_of(config)):
        parameters += [dataclasses.replace(each, name=f"block{number}.{each.name}")
                       for each in block_parameters(block)]
    return parameters + head_parameters(config)


# ---- The network --------------------------------------------------------------


def model(config, plan):
    """Returns the module as text."""
    functions = {block.function: block_function(config, plan, block)
                 for block in blocks_of(config)}
    return network.module(
        "A residual network", "cnn.py", config, plan, parameters_of(config),
        [*functions.values(), loss_function(config, plan)])


class Body(network.Body):
    """The ops of a function with convolutions that are normalised."""

    def convolve(self, name, images, filters, window, stride=1):
        """Adds the convolution of `images` by the filter %name, normalised, and returns
        the result."""
        image_name, (batch, channels, extent, _) = images
        after = (extent - 1) // stride + 1
        shape = (batch, filters, after, after)
        pad = window // 2
        product = self.define(
            f"{name}_product", shape,
            f"nn.convolution %{image_name}, %{name} strides [{stride}, {stride}] "
            f"low [{pad}, {pad}] high [{pad}, {pad}]",
            [images, (name, (filters, channels, window, window))])
        vector = (filters,)
        self.lines += [f"  %{name}_mean = nn.reduce mean %{product[0]} over [0, 2, 3]",
                       f"      : {tensor(shape)} -> {tensor(vector)}"]
        mean = f"{name}_mean", vector
        variance = self.define(
            f"{name}_variance", vector,
            f"nn.batch_variance %{product[0]}, %{mean[0]}", [product, mean])
        return self.define(
            f"{name}_normalized", shape,
            f"nn.batch_norm %{product[0]}, %{mean[0]}, %{variance[0]}, "
            f"%{name}_gain, %{name}_shift",
            [product, mean, variance, (f"{name}_gain", vector),
             (f"{name}_shift", vector)])


def block_function(config, plan, block):
    batch = config.batch
    before = (batch, block.channels, block.extent, block.extent)
    after = (batch, block.filters, block.next_extent, block.next_extent)
    body = Body(plan)
    images = body.pin("block_input", before)
    first = body.relu("first_active", body.convolve(
        "first", images, block.filters, 3, block.stride))
    second = body.convolve("second", first, block.filters, 3)
    shortcut = images
    if block.has_shortcut:
        shortcut = body.convolve("shortcut", images, block.filters, 1, block.stride)
    total = body.define("total", after, f"nn.add %{second[0]}, %{shortcut[0]}",
                        [second, shortcut])
    result = body.relu("images", total)
    arguments = [("block_input", before),
                 *(each.value for each in block_parameters(block))]
    return network.layer(block.function, arguments, body, result)


def loss_function(config, plan):
    batch = config.batch
    body = Body(plan)
    body.get(parameters_of(config))
    stem = body.convolve("stem", ("images", (batch, 3, config.extent, config.extent)),
                         config.width, 3)
    images = body.relu("stem_active", stem)
    for number, block in enumerate(blocks_of(config)):
        parameters = [(f"block{number}.{each.name}", each.shape)
                      for each in block_parameters(block)]
        images = body.call(
            f"images{number}", block.function, [images, *parameters],
            (batch, block.filters, block.next_extent, block.next_extent))
    channels = images[1][1]
    pooled, logits = (batch, channels), (batch, config.classes)
    body.lines += [f"  %pooled = nn.reduce mean %{images[0]} over [2, 3]",
                   f"      : {tensor(images[1])} -> {tensor(pooled)}"]
    scores = body.define("scores", logits, 'nn.einsum "bc,ck->bk" %pooled, %head',
                         [("pooled", pooled), ("head", (channels, config.classes))])
    return network.loss_entry(config, plan, body, body.define(
        "logits", logits, "nn.add %scores, %head_bias",
        [scores, ("head_bias", (config.classes,))]))


if __name__ == "__main__":
    main()
