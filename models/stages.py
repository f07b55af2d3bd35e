"""Stages: which layers of a model run on which ranks, as attributes in its text.

    --stages 1,3,2 --groups 2,2,1

cuts a model of six layers after the first and after the fourth one. The first stage,
including the ops before the layers, runs on ranks 0 and 1, the second stage on ranks 2 and 3,
and the third one, including the ops after the layers, on rank 4. A group may be a mesh:

    --stages 3,3 --groups 2x2,2x2 --plan data-megatron

has two stages on four ranks each, with the plan's placements on the two axes of each group.
"""

import argparse
import dataclasses
import math

import plans


@dataclasses.dataclass(frozen=True)
class Stages:
    """The number of layers of each stage, and the extents of its group's mesh. Without
    stages the model is not cut."""

    layers: tuple = ()
    meshes: tuple = ()
    axes: tuple = ()  # names of each mesh's axes

    @staticmethod
    def of(options, num_layers, axes=()):
        """Returns the stages of the options. `axes` are the names of the plan's axes.
        Raises ValueError if the numbers do not fit each other."""
        layers, meshes = options.stages, options.groups
        if not layers:
            if meshes:
                raise ValueError("--groups gives ranks to the stages of --stages, "
                                 "which is missing")
            return Stages()
        axes = axes or ("rank",)
        meshes = meshes or ((1,) * len(axes),) * len(layers)
        if len(meshes) != len(layers):
            raise ValueError(f"--stages has {len(layers)} stages, but --groups "
                             f"{len(meshes)} groups")
        for mesh in meshes:
            if len(mesh) != len(axes):
                raise ValueError(f"the group {'x'.join(map(str, mesh))} has "
                                 f"{len(mesh)} extents, but the axes are "
                                 f"{' x '.join(axes)}: those of --plan")
        if sum(layers) != num_layers:
            raise ValueError(f"the stages have {sum(layers)} layers in all, the model "
                             f"has {num_layers}")
        return Stages(layers, meshes, axes)

    def machine(self):
        """Returns the machine, the groups and the list of stages, as IR."""
        if not self.layers:
            return ""
        count = sum(math.prod(mesh) for mesh in self.meshes)
        text = f"""
// {count} ranks on one host: a message takes alpha seconds, and beta seconds per byte.
sbp.machine @host [#sbp.level<"rank" x {count}, alpha = 2.0e-6, beta = 2.0e-10>]
"""
        first = 0
        for stage, mesh in enumerate(self.meshes):
            behind = first + math.prod(mesh)
            ranks = ", ".join(str(rank) for rank in range(first, behind))
            axes = ", ".join(f'#sbp.axis<"{axis}" x {size} in "rank">'
                             for axis, size in zip(self.axes, mesh))
            text += f"sbp.mesh @group{stage} of @host ranks [{ranks}] [{axes}]\n"
            first = behind
        groups = ", ".join(f"@group{stage}" for stage in range(len(self.meshes)))
        return text + f"sbp.stages [{groups}]\n"

    def group_of_layer(self, layer):
        """Returns the name of the mesh on which layer `layer` runs, numbered as in
        of_layer."""
        return f"group{self._stage_of_layer(layer)}"

    def of_layer(self, layer):
        """Returns the attribute " {sbp.stage = ...}" of the call of layer `layer`; -1
        stands for the ops before all layers, and the number of layers for the ops after
        them."""
        if not self.layers:
            return ""
        return f" {{sbp.stage = {self._stage_of_layer(layer)}}}"

    def _stage_of_layer(self, layer):
        stage, end = 0, self.layers[0]
        while layer >= end and stage + 1 < len(self.layers):
            stage += 1
            end += self.layers[stage]
        return stage


def add_options(parser):
    parser.add_argument("--stages", type=numbers, metavar="N,N,...", default=(),
                        help="cut the model into stages, with these numbers of layers")
    parser.add_argument("--groups", type=meshes, metavar="N|NxN,...", default=(),
                        help="number of ranks of each stage, along each axis of "
                             "--plan (1)")


def numbers(text):
    result = tuple(int(number) for number in text.split(","))
    if any(number < 1 for number in result):
        raise argparse.ArgumentTypeError(f"{text} has a number that is not positive")
    return result


def meshes(text):
    return tuple(plans.mesh_extents(mesh) for mesh in text.split(","))
