"""Plans: how the tensors of a GPT lie on a mesh of ranks, written as pins.

Every axis of a mesh follows a style of its own, so a plan is a product of styles,
one per axis, major axis first:

    data-parallel   data             the batch is split
    megatron        model            heads, hidden units and vocabulary are split
    data-megatron   data x model     both
    2.5d            model x depth    weights are split along the contracted
                                     dimension too, which leaves partial sums
    zero            zero             data parallel, and every rank keeps only its
                                     part of the optimiser's state

A style says for the *role* of a tensor (`query`, `up`, `logits`, ...: the last
part of a parameter's name) where it lies on one axis: `S(d)`, `B` or `P(sum)`.
A weight that it does not name is on every rank (`B`), a value lies as `activation`
says. A value inside a layer is pinned only where some style of the plan names its
role; the compiler places all the others.

Sources: Megatron-LM, arXiv 1909.08053, section 3; ZeRO, arXiv 1910.02054;
2.5-D products, Solomonik and Demmel, Euro-Par 2011.
"""

import argparse
import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Style:
    """Where tensors lie on one mesh axis."""

    axis: str                 # what the axis is called
    activation: str = "B"     # inputs, and values not named in `roles`
    state: str = None         # the optimiser's state; None: where its weight lies
    roles: dict = dataclasses.field(default_factory=dict)


DATA = Style(axis="data", activation="S(0)")

ZERO = Style(axis="data", activation="S(0)", state="S(0)")

MODEL = Style(axis="model", roles={
    # Weights [width, heads, head width], biases [heads, 1, head width]: by heads.
    "query": "S(1)", "key": "S(1)", "value": "S(1)",
    "query_bias": "S(0)", "key_bias": "S(0)", "value_bias": "S(0)",
    "head_product": "S(1)", "output": "S(0)",
    # By hidden units.
    "up": "S(1)", "up_bias": "S(0)", "hidden_product": "S(2)", "down": "S(0)",
    # By words; the loss of a token needs all its logits, so they change over to
    # a split by samples.
    "token_table": "S(0)", "head": "S(0)", "logits": "S(0)",
    # Where Megatron reduces: the end of each layer (g), and through the pin's
    # gradient its beginning (f).
    "embedded": "B", "normalized": "B", "projected": "B",
})

DEPTH = Style(axis="depth", roles={
    # The contracted dimension, of weights and of what they multiply; the products
    # are partial sums, and at once reduced.
    "query": "S(0)", "key": "S(0)", "value": "S(0)", "up": "S(0)",
    "normalized": "S(2)", "head_product": "B", "hidden_product": "B",
    # Going back to the width of the model, the other dimension of the weight.
    "output": "S(2)", "down": "S(1)", "projected": "B",
    "token_table": "S(1)", "head": "S(1)", "embedded": "B", "logits": "S(0)",
})

PLANS = {
    "none": (),
    "data-parallel": (DATA,),
    "megatron": (MODEL,),
    "data-megatron": (DATA, MODEL),
    "2.5d": (MODEL, DEPTH),
    "zero": (ZERO,),
}


def add_options(parser, table=PLANS):
    """What every generator takes: a plan of `table`, its mesh, and the output."""
    parser.add_argument("--plan", choices=table, default="none",
                        help="what to pin (default: none): see models/plans.py")
    parser.add_argument("--mesh", type=mesh_extents, default=(4,), metavar="4|2x2",
                        help="ranks per axis of the plan (default: 4)")
    parser.add_argument("-o", "--output", default="-", metavar="FILE",
                        help="default: standard output")


def add_extents(parser, extents):
    """Options for a model's extents: (name, default, meaning) each."""
    for name, default, meaning in extents:
        parser.add_argument(f"--{name}", type=positive, metavar="N", default=default,
                            help=f"{meaning} (default: {default})")


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return number


def mesh_extents(text):
    return tuple(positive(extent) for extent in text.split("x"))


class Plan:
    """The pins of a model: one style per mesh axis; no style, no pins."""

    def __init__(self, styles, mesh):
        self._styles = styles
        self._mesh = mesh

    @staticmethod
    def named(name, mesh, table=PLANS):
        """The plan `name` of `table` on a mesh of the extents `mesh`, say (2, 2).

        Raises ValueError when the mesh does not have one axis per style."""
        styles = table[name]
        if styles and len(styles) != len(mesh):
            axes = " x ".join(style.axis for style in styles)
            raise ValueError(f"plan {name} has the axes {axes}, but the mesh is "
                             f"{'x'.join(map(str, mesh))}")
        return Plan(styles, mesh if styles else ())

    def for_one_sample(self):
        """The same for a batch of one, which cannot be split."""
        def unsplit(style):
            roles = {role: component for role, component in style.roles.items()
                     if role != "logits"}
            return dataclasses.replace(style, activation="B", roles=roles)
        return Plan([unsplit(style) for style in self._styles], self._mesh)

    def machine(self):
        """The machine and its mesh, as IR."""
        if not self._styles:
            return ""
        ranks = math.prod(self._mesh)
        axes = ", ".join(f'#sbp.axis<"{style.axis}" x {size} in "rank">'
                         for style, size in zip(self._styles, self._mesh))
        return f"""
// {ranks} ranks on one host: a message takes alpha seconds, and beta seconds per byte.
sbp.machine @host [#sbp.level<"rank" x {ranks}, alpha = 2.0e-6, beta = 2.0e-10>]
sbp.mesh @grid of @host [{axes}]
"""

    @property
    def axes(self):
        """The names of its axes."""
        return tuple(style.axis for style in self._styles)

    def of_parameter(self, role, mesh="grid"):
        """" {sbp.pin = ...}": what follows the parameter with this role, on a mesh."""
        if not self._styles:
            return ""
        weight = [style.roles.get(role, "B") for style in self._styles]
        state = [style.state or component
                 for style, component in zip(self._styles, weight)]
        pins = f"sbp.pin = {self._placement(weight, mesh)}"
        if state != weight:
            pins += f", sbp.state_pin = {self._placement(state, mesh)}"
        return f" {{{pins}}}"

    def of_input(self):
        """", sbp.pin = ...": what follows the name of an input."""
        if not self._styles:
            return ""
        return ", sbp.pin = " + self._placement(
            style.activation for style in self._styles)

    def of_value(self, role):
        """"#sbp.nd<...>": where the value inside a layer lies that has this role, or
        "": the compiler places it."""
        if not any(role in style.roles for style in self._styles):
            return ""
        return self._placement(style.roles.get(role, style.activation)
                               for style in self._styles)

    @staticmethod
    def _placement(components, mesh="grid"):
        return f"#sbp.nd<@{mesh}, [{', '.join(components)}]>"
