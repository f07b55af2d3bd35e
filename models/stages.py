"""Stages: which layers of a model run on which ranks, written into its text.

    --stages 1,3,2 --groups 2,2,1

cuts a model of six layers behind the first and the fourth one. The first stage,
and what comes before its layer, runs on ranks 0 and 1, the second on ranks 2 and
3, the third, and what comes behind the layers, on rank 4.
"""

import argparse
import dataclasses


@dataclasses.dataclass(frozen=True)
class Stages:
    """How many layers each stage has, and how many ranks its group. No stage: the
    model is not cut."""

    layers: tuple = ()
    ranks: tuple = ()

    @staticmethod
    def of(options, num_layers):
        """What the options say. Raises ValueError where the numbers do not go
        together."""
        layers, ranks = options.stages, options.groups
        if not layers:
            if ranks:
                raise ValueError("--groups gives ranks to the stages of --stages, "
                                 "which is missing")
            return Stages()
        ranks = ranks or (1,) * len(layers)
        if len(ranks) != len(layers):
            raise ValueError(f"--stages has {len(layers)} stages, but --groups "
                             f"{len(ranks)} groups")
        if sum(layers) != num_layers:
            raise ValueError(f"the stages have {sum(layers)} layers in all, the model "
                             f"has {num_layers}")
        return Stages(layers, ranks)

    def machine(self):
        """The machine, the groups and the list of stages, as IR."""
        if not self.layers:
            return ""
        text = f"""
// {sum(self.ranks)} ranks on one host: a message takes alpha seconds, and beta seconds per byte.
sbp.machine @host [#sbp.level<"rank" x {sum(self.ranks)}, alpha = 2.0e-6, beta = 2.0e-10>]
"""
        first = 0
        for stage, size in enumerate(self.ranks):
            ranks = ", ".join(str(rank) for rank in range(first, first + size))
            text += (f"sbp.mesh @group{stage} of @host ranks [{ranks}] "
                     f'[#sbp.axis<"rank" x {size} in "rank">]\n')
            first += size
        groups = ", ".join(f"@group{stage}" for stage in range(len(self.ranks)))
        return text + f"sbp.stages [{groups}]\n"

    def of_layer(self, layer):
        """" {sbp.stage = ...}": what follows the call of layer `layer`; -1 is what
        comes before all layers, and their number what comes behind."""
        if not self.layers:
            return ""
        stage, end = 0, self.layers[0]
        while layer >= end and stage + 1 < len(self.layers):
            stage += 1
            end += self.layers[stage]
        return f" {{sbp.stage = {stage}}}"


def add_options(parser):
    parser.add_argument("--stages", type=numbers, metavar="N,N,...", default=(),
                        help="cut the model into stages of so many layers each")
    parser.add_argument("--groups", type=numbers, metavar="N,N,...", default=(),
                        help="ranks of each stage (default: 1)")


def numbers(text):
    result = tuple(int(number) for number in text.split(","))
    if any(number < 1 for number in result):
        raise argparse.ArgumentTypeError(f"{text} has a number that is not positive")
    return result
