#!/usr/bin/env python3
"""Writes a GPT-2 as a model for sbpc, as text to read, change and pin.

  models/gpt.py --preset demo -o gpt.mlir                a small one, on bytes
  models/gpt.py --layers 6 --width 384 --heads 6 ...     other extents
  models/gpt.py --plan data-megatron --mesh 2x2 ...      with a plan for 4 ranks
  models/gpt.py --stages 1,2,1 --groups 2,1,1 ...        in stages, for a pipeline
  models/gpt.py --compute bf16 ...                       for GPUs: layers in bf16

The model has two entries: @loss, which training minimises, and @logits, which computes
the scores of the next token of one text, for samples. A layer is a private function that is
called once per layer, with the parameters of that layer.
"""

import argparse
import dataclasses
import math
import sys

import gpt_layers
import plans
import stages

PRESETS = {
    # The spelling of a small text is learnt within a minute on two cores.
    "demo": dict(layers=4, width=128, heads=4, vocabulary=256, batch=32,
                 sequence=64),
    # GPT-2 "small" has 124 million parameters, with the head tied to the token table.
    "gpt2": dict(layers=12, width=768, heads=12, vocabulary=50257, batch=8,
                 sequence=1024, tie_head=True),
}

OPTIMIZERS = {
    "adamw": "#nn.adamw<beta1 = 0.9, beta2 = 0.99, weight_decay = 0.01>",
    "adam": "#nn.adam",
    "sgd": "#nn.sgd<momentum = 0.9>",
}


@dataclasses.dataclass(frozen=True)
class Config:
    """The extents of a GPT."""

    layers: int
    width: int         # of the residual stream
    heads: int         # divide `width`
    vocabulary: int
    batch: int         # texts per step
    sequence: int      # tokens per text
    tie_head: bool = False
    optimizer: str = "adamw"
    compute: str = "f32"  # element type in layers

    @property
    def head_width(self):
        return self.width // self.heads

    @property
    def hidden(self):
        """Number of units of the feed-forward layer."""
        return 4 * self.width


def main():
    options = parse_options()
    try:
        plan = plan_of(options)
        config = config_of(options)
        cut = stages.Stages.of(options, config.layers, plan.axes)
        text = model(config, plan, cut)
        if options.output == "-":
            sys.stdout.write(text)
        else:
            with open(options.output, "w") as file:
                file.write(text)
    except (ValueError, OSError) as error:
        sys.exit(f"gpt.py: {error}")


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=PRESETS, default="demo",
                        help="sizes of all options below that are not given (demo)")
    for name, meaning in (
            ("layers", "number of layers: attention and feed-forward"),
            ("width", "number of elements of a token's vector"),
            ("heads", "number of attention heads, which divides the width"),
            ("vocabulary", "number of different tokens, 256 for bytes"),
            ("batch", "number of texts per training step, over all ranks"),
            ("sequence", "number of tokens per text")):
        parser.add_argument(f"--{name}", type=plans.positive, metavar="N", help=meaning)
    parser.add_argument("--tie-head", action=argparse.BooleanOptionalAction,
                        help="compute scores with the token table, without parameters "
                             "of their own (no; yes in --preset gpt2)")
    parser.add_argument("--optimizer", choices=OPTIMIZERS, default="adamw",
                        help="optimiser (adamw)")
    parser.add_argument("--compute", choices=("f32", "bf16"), default="f32",
                        help="type in which layers compute; parameters, their "
                             "gradients, the optimiser and the loss stay in f32 (f32)")
    plans.add_options(parser)
    stages.add_options(parser)
    return parser.parse_args()


def plan_of(options):
    """Returns the plan on its mesh; for a model in stages, on the mesh of each group."""
    if options.stages and options.plan != "none":
        extents = options.groups[0] if options.groups else options.mesh
        return plans.Plan.named(options.plan, extents)
    return plans.Plan.named(options.plan, options.mesh)


def config_of(options):
    """Returns the preset with the changes in the options. Raises ValueError if the extents
    do not fit each other."""
    extents = dict(PRESETS[options.preset])
    for field in dataclasses.fields(Config):
        given = getattr(options, field.name)
        if given is not None:
            extents[field.name] = given
    config = Config(**extents)
    if config.width % config.heads:
        raise ValueError(
            f"{config.heads} heads do not divide the width {config.width}")
    return config


def model(config, plan, cut=stages.Stages()):
    """Returns the module as text."""
    if cut.layers:  # a layer is one function for all groups, so it has no pins
        of_parameters, plan = plan, plans.Plan((), ())
    else:
        of_parameters = plan
    training = gpt_layers.Layers(config, plan, cut, config.batch, prefix="")
    sampling = gpt_layers.Layers(config, plan.for_one_sample(), cut, 1,
                                 prefix="sample_")
    return "\n".join([
        header(config) + plan.machine() + cut.machine(),
        gpt_layers.parameter_types(config),
        parameters(config, of_parameters, cut),
        "// ---- Training "
        + "-" * 64 + "\n",
        training.types(),
        training.functions(),
        loss_entry(config, plan, training),
        "// ---- Sampling: the same layers for one text "
        + "-" * 34 + "\n",
        sampling.types(),
        sampling.functions(),
        logits_entry(config, plan.for_one_sample(), sampling),
    ])


def header(config):
    count = sum(math.prod(p.shape) for p in gpt_layers.parameters(config))
    extents = ", ".join(f"{name} {getattr(config, name)}" for name in (
        "layers", "width", "heads", "vocabulary", "sequence", "batch"))
    return f"""// A GPT: {extents}.
// {count} parameters. Written by models/gpt.py.
"""


def parameters(config, plan, cut):
    lines = []
    for parameter in gpt_layers.parameters(config):
        mesh = cut.group_of_layer(layer_of(parameter, config)) if cut.layers else "grid"
        if parameter.comment:
            lines.append(f"\n// {parameter.comment}")
        lines.append(f"nn.parameter @{parameter.name} : {parameter.kept_type} = "
                     f"{parameter.initializer}"
                     f"{plan.of_parameter(parameter.role, mesh)}")
    return "\n".join(lines).lstrip() + "\n"


def layer_of(parameter, config):
    """Returns the number of the layer to which a parameter belongs, -1 before all layers,
    and the number of layers after them."""
    first = parameter.name.split(".")[0]
    if first.startswith("layer"):
        return int(first.removeprefix("layer"))
    return -1 if first in ("token_table", "position_table") else config.layers


def loss_entry(config, plan, layers):
    pin = plan.of_input()
    return f"""// The loss that training minimises, in nats per token.
func.func @loss(%tokens: !tokens {{nn.input = "tokens"{pin}}},
                %targets: !tokens {{nn.input = "targets"{pin}}})
    -> (!scalar {{nn.output = "loss"}})
    attributes {{nn.optimizer = {OPTIMIZERS[config.optimizer]}}} {{
{layers.call_all()}
  %loss = nn.cross_entropy %logits, %targets : ({layers.logits_type()}, !tokens) -> !scalar
  return %loss : !scalar
}}
"""


def logits_entry(config, plan, layers):
    return f"""func.func @logits(%tokens: !sample_tokens {{nn.input = "tokens"{plan.of_input()}}})
    -> ({layers.logits_type()} {{nn.output = "logits"}}) {{
{layers.call_all()}
  return %logits : {layers.logits_type()}
}}
"""


if __name__ == "__main__":
    main()
