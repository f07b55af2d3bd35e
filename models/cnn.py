#!/usr/bin/env python3
"""Writes a residual network for images as a model for sbpc.

  models/cnn.py -o cnn.mlir                              a small one, 32 x 32 images
  models/cnn.py --stages 4 --blocks 2 --width 64 ...     your own
  models/cnn.py --plan filters --mesh 4 ...              with a plan for 4 ranks

A stem, then stages of residual blocks, each stage on half the extent and with twice
the channels of the one before (He et al., arXiv 1512.03385); blocks of one shape are
one function. The entry @loss, which training minimises, takes "images"
[batch, 3, extent, extent] and "labels" [batch]. Batch normalisation takes its
statistics from the batch.

Plans, one style per axis of the mesh (models/plans.py):

  data-parallel   data             the batch is split
  filters         filters          filters of a block's first convolution, and so the
                                   channels of its second, whose terms are summed
  data-filters    data x filters   both
  space           space            the rows that convolutions give
"""

import argparse
import dataclasses
import math
import sys

import plans

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
class Parameter:
    name: str
    shape: tuple
    initializer: str

    @property
    def role(self):
        """By what name plans know it."""
        return self.name.split(".")[-1]


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
        """Whether input and output differ in shape, so that a convolution brings
        the one to the other."""
        return self.channels != self.filters or self.stride != 1

    @property
    def next_extent(self):
        return (self.extent - 1) // self.stride + 1


def main():
    options = parse_options()
    try:
        plan = plans.Plan.named(options.plan, options.mesh, PLANS)
        text = model(config_of(options), plan)
        if options.output == "-":
            sys.stdout.write(text)
        else:
            with open(options.output, "w") as file:
                file.write(text)
    except (ValueError, OSError) as error:
        sys.exit(f"cnn.py: {error}")


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default, meaning in (
            ("batch", 16, "images per training step, over all ranks"),
            ("extent", 32, "rows and columns of an image"),
            ("width", 16, "channels of the first stage"),
            ("stages", 3, "each halves the extent of the one before"),
            ("blocks", 1, "per stage"),
            ("classes", 10, "that labels tell apart")):
        parser.add_argument(f"--{name}", type=plans.positive, metavar="N",
                            default=default, help=f"{meaning} (default: {default})")
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
    """The blocks, from first to last."""
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
    """A filter, and the gain and shift of the normalisation after it."""
    deviation = math.sqrt(2 / (channels * window * window))
    return [Parameter(name, (filters, channels, window, window),
                      f"#nn.normal<{deviation:.6g}>"),
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
                      f"#nn.normal<{1 / math.sqrt(channels):.6g}>"),
            Parameter("head_bias", (config.classes,), "#nn.zeros")]


def parameters_of(config):
    """All parameters, in the order of their use."""
    parameters = convolution_parameters("stem", config.width, 3, 3)
    for number, block in enumerate(blocks_of(config)):
        parameters += [dataclasses.replace(each, name=f"block{number}.{each.name}")
                       for each in block_parameters(block)]
    return parameters + head_parameters(config)


# ---- The network --------------------------------------------------------------


def model(config, plan):
    """The module, as text."""
    count = sum(math.prod(p.shape) for p in parameters_of(config))
    extents = ", ".join(f"{field.name} {getattr(config, field.name)}"
                        for field in dataclasses.fields(config))
    functions = {block.function: block_function(config, plan, block)
                 for block in blocks_of(config)}
    parameters = "".join(
        f"nn.parameter @{each.name} : {tensor(each.shape)} = {each.initializer}"
        f"{plan.of_parameter(each.role)}\n" for each in parameters_of(config))
    return "\n".join([
        f"// A residual network: {extents}.\n"
        f"// {count} parameters. Written by models/cnn.py.\n" + plan.machine(),
        parameters, *functions.values(), loss_entry(config, plan)])


def tensor(shape, element="f32"):
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{element}>"


class Body:
    """The ops of a function, on images of `batch` samples. A value is its name and
    its shape."""

    def __init__(self, plan):
        self._plan = plan
        self.lines = []

    def define(self, name, shape, operation, operands=()):
        """%name, which `operation` makes of `operands`; pinned where the plan has
        something to say on it."""
        types = ", ".join(tensor(operand_shape) for _, operand_shape in operands)
        placement = self._plan.of_value(name)
        free = f"{name}.free" if placement else name
        self.lines += [f"  %{free} = {operation}",
                       f"      : ({types}) -> {tensor(shape)}"]
        if placement:
            self.lines.append(f"  %{name} = sbp.pin %{free} : {tensor(shape)} "
                              f"to {placement}")
        return name, shape

    def convolve(self, name, images, filters, window, stride=1):
        """`images`, convolved by the filter %name and normalised."""
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

    def relu(self, name, images):
        self.lines.append(f"  %{name} = nn.relu %{images[0]} : {tensor(images[1])}")
        return self._pinned(name, images[1])

    def _pinned(self, name, shape):
        placement = self._plan.of_value(name)
        if not placement:
            return name, shape
        self.lines.append(f"  %{name}.pinned = sbp.pin %{name} : {tensor(shape)} "
                          f"to {placement}")
        return f"{name}.pinned", shape

    def pin(self, name, shape):
        """The argument %name, pinned where the plan has something to say on it."""
        return self._pinned(name, shape)


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
    body.relu("images", total)
    arguments = ",\n    ".join(
        [f"%block_input: {tensor(before)}"]
        + [f"%{each.name}: {tensor(each.shape)}" for each in block_parameters(block)])
    lines = "\n".join(body.lines)
    return (f"func.func private @{block.function}(\n    {arguments})\n"
            f"    -> {tensor(after)} {{\n{lines}\n"
            f"  return %images : {tensor(after)}\n}}\n")


def loss_entry(config, plan):
    batch = config.batch
    shape = (batch, 3, config.extent, config.extent)
    body = Body(plan)
    lines = body.lines
    for each in parameters_of(config):
        lines.append(f"  %{each.name} = nn.get @{each.name} : {tensor(each.shape)}")
    stem = body.convolve("stem", ("images", shape), config.width, 3)
    images = body.relu("stem_active", stem)
    for number, block in enumerate(blocks_of(config)):
        after = (batch, block.filters, block.next_extent, block.next_extent)
        names = [images[0]] + [f"block{number}.{each.name}"
                               for each in block_parameters(block)]
        types = [tensor(images[1])] + [tensor(each.shape)
                                       for each in block_parameters(block)]
        lines += [f"  %images{number} = call @{block.function}(",
                  *(f"      %{name}," for name in names[:-1]), f"      %{names[-1]})",
                  f"      : ({', '.join(types)})", f"      -> {tensor(after)}"]
        images = f"images{number}", after
    channels = images[1][1]
    pooled, logits = (batch, channels), (batch, config.classes)
    lines += [f"  %pooled = nn.reduce mean %{images[0]} over [2, 3]",
              f"      : {tensor(images[1])} -> {tensor(pooled)}"]
    scores = body.define("scores", logits, 'nn.einsum "bc,ck->bk" %pooled, %head',
                         [("pooled", pooled), ("head", (channels, config.classes))])
    body.define("logits", logits, "nn.add %scores, %head_bias",
                [scores, ("head_bias", (config.classes,))])
    text = "\n".join(lines)
    pin = plan.of_input()
    labels = tensor((batch,), "i32")
    return f"""// What training minimises: nats per image.
func.func @loss(%images: {tensor(shape)} {{nn.input = "images"{pin}}},
                %labels: {labels} {{nn.input = "labels"{pin}}})
    -> (tensor<f32> {{nn.output = "loss"}})
    attributes {{nn.optimizer = #nn.sgd<momentum = 0.9>}} {{
{text}
  %loss = nn.cross_entropy %logits, %labels
      : ({tensor(logits)}, {labels}) -> tensor<f32>
  return %loss : tensor<f32>
}}
"""


if __name__ == "__main__":
    main()
