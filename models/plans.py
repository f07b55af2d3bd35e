"""Plans: placements of the tensors of a GPT on a mesh of ranks, as pins.

Each axis of a mesh has a style, so a plan has one style per axis, major axis first:

    data-parallel   data             the batch is split
    megatron        model            heads, hidden units and vocabulary are split
    data-megatron   data x model     both
    2.5d            model x depth    weights are split along the contracted
                                     dimension as well, which leaves partial sums
    zero            zero             data parallel, and every rank keeps only its
                                     part of the optimiser's state

A style has the placement on one axis, `S(d)`, `B` or `P(sum)`, for each *role* of a tensor
(`query`, `up`, `logits`, ...: the last part of a parameter's name). A weight whose role a
style does not name is on every rank (`B`); other tensors are placed like `activation`. A
value inside a layer is pinned only if some style of the plan names its role. The compiler
places all other values.

Sources: Megatron-LM, arXiv 1909.08053, section 3; ZeRO, arXiv 1910.02054;
2.5-D products, Solomonik and Demmel, Euro-Par 2011.
"""

import argparse
import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Style:
    """The placements of tensors on one mesh axis."""

    axis: str                 # name of the axis
    activation: str = "B"     # inputs, and values whose role is not in `roles`
    state: str = None         # the optimiser's state; None: as its weight
    roles: dict = dataclasses.field(default_factory=dict)


DATA = Style(axis="data", activation="S(0)")

ZERO = Style(axis="data", activation="S(0)", state="S(0)")

MODEL = Style(axis="model", roles={
    # Split by heads: weights [width, heads, head width], biases [heads, 1, head width].
    "query": "S(1)", "key": "S(1)", "value": "S(1)",
    "query_bias": "S(0)", "key_bias": "S(0)", "value_bias": "S(0)",
    "head_product": "S(1)", "output": "S(0)",
    # Split by hidden units.
    "up": "S(1)", "up_bias": "S(0)", "hidden_product": "S(2)", "down": "S(0)",
    # Split by words. The loss of a token needs all of its logits, so these are converted
    # to a split by samples.
    "token_table": "S(0)", "head": "S(0)", "logits": "S(0)",
    # Megatron's reductions: at the end of each layer (g), and, by the gradient of the pin,
    # at its beginning (f).
    "embedded": "B", "normalized": "B", "projected": "B",
})

DEPTH = Style(axis="depth", roles={
    # Split along the contracted dimension, of weights and of activations. The products are
    # partial sums, which are reduced at once.
    "query": "S(0)", "key": "S(0)", "value": "S(0)", "up": "S(0)",
    "normalized": "S(2)", "head_product": "B", "hidden_product": "B",
    # In products back to the width of the model, the other dimension of the weight.
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
    """Adds the options of every generator: a plan of `table`, its mesh, and the output."""
    parser.add_argument("--plan", choices=table, default="none",
                        help="plan whose pins are written, see models/plans.py (none)")
    parser.add_argument("--mesh", type=mesh_extents, default=(4,), metavar="4|2x2",
                        help="number of ranks along each axis of the plan (4)")
    parser.add_argument("-o", "--output", default="-", metavar="FILE",
                        help="file for the model (standard output)")


def add_extents(parser, extents):
    """Adds options for a model's extents: (name, default, meaning) each."""
    for name, default, meaning in extents:
        parser.add_argument(f"--{name}", type=positive, metavar="N", default=default,
                            help=f"{meaning} ({default})")


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return number


def mesh_extents(text):
    return tuple(positive(extent) for extent in text.split("x"))


class Plan:
    """The pins of a model, with one style per mesh axis. Without styles there are no
    pins."""

    def __init__(self, styles, mesh):
        self._styles = styles
        self._mesh = mesh

    @staticmethod
    def named(name, mesh, table=PLANS):
        """Returns the plan `name` of `table` on a mesh of the extents `mesh`, say (2, 2).

        Raises ValueError if the mesh does not have one axis per style.
        """
        styles = table[name]
        if styles and len(styles) != len(mesh):
            axes = " x ".join(style.axis for style in styles)
            raise ValueError(f"plan {name} has the axes {axes}, but the mesh is "
                             f"{'x'.join(map(str, mesh))}")
        return Plan(styles, mesh if styles else ())

    def for_one_sample(self):
        """Returns the same plan for a batch of one sample, which cannot be split."""
        def unsplit(style):
            roles = {role: component for role, component in style.roles.items()
                     if role != "logits"}
            return dataclasses.replace(style, activation="B", roles=roles)
        return Plan([unsplit(style) for style in self._styles], self._mesh)

    def machine(self):
        """Returns the machine and its mesh, as IR."""
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
        """The names of the mesh's axes."""
        return tuple(style.axis for style in self._styles)

    def of_parameter(self, role, mesh="grid"):
        """Returns the pins " {sbp.pin = ...}" of a parameter with this role, to append to
        its text."""
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
        """Returns the pin ", sbp.pin = ..." of an input, to append to its name."""
        if not self._styles:
            return ""
        return ", sbp.pin = " + self._placement(
            style.activation for style in self._styles)

    def of_value(self, role):
        """Returns the placement "#sbp.nd<...>" of a value with this role inside a layer,
        or "" if the compiler is to place it."""
        if not any(role in style.roles for style in self._styles):
            return ""
        return self._placement(style.roles.get(role, style.activation)
                               for style in self._styles)

    @staticmethod
    def _placement(components, mesh="grid"):
        return f"#sbp.nd<@{mesh}, [{', '.join(components)}]>"
