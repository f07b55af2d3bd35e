"""A compiled model and the same model in PyTorch, with the same parameters and batches.

The program runs one step at a time, from the file that the previous step saved, on data files of
exactly one batch. So both models get the same batches, regardless of how a program shuffles.
"""

import dataclasses
import pathlib
import typing

import numpy
import safetensors
import torch
import training

TOLERANCE = 1e-4  # relative


@dataclasses.dataclass
class Comparison:
    """A model, and the way to train it in both."""

    inputs: tuple               # names of the program's inputs
    batch_of: typing.Callable   # returns the arrays of a step, one per input
    in_torch: type              # constructed from parameters; has loss(*inputs)
    optimizer: typing.Callable  # of PyTorch, constructed from parameters and lr=
    steps: int
    learning_rate: float

    def failures(self, name, program, folder: pathlib.Path):
        """Yields the differences between the losses of `program` and of PyTorch, one
        sentence each."""
        start = folder / "start.safetensors"
        expected = self._train_torch(self._initial_parameters(program, folder, start))
        losses = self._train_program(program, folder, start)
        difference = training.largest_difference(losses, expected)
        print(f"{name}: largest relative difference {difference:.2g}")
        if difference > TOLERANCE:
            yield f"{name}: {losses}, but PyTorch: {expected}"

    def _data_of(self, folder, step):
        """Returns the options that train on this batch only."""
        options = []
        for name, array in zip(self.inputs, self.batch_of(step)):
            path = folder / f"{name}.npy"
            numpy.save(path, array)
            options += ["--data", f"{name}={path}"]
        return options

    def _initial_parameters(self, program, folder, start):
        """Writes the parameters and the optimiser's state before the first step to
        `start`, and returns the parameters."""
        # A step with learning rate 0 changes no weight, but it changes the optimiser's
        # state, whose initial value is zeros.
        program.train(*self._data_of(folder, 0), "--steps", "1", "--lr", "0",
                      "--save", start)
        tensors = safetensors.read(start)
        weights = {name: tensors[name] for name in program.parameters}
        state = {name: numpy.zeros_like(array) for name, array in tensors.items()
                 if name not in weights}
        safetensors.write(start, {**weights, **state})
        return weights

    def _train_program(self, program, folder, start):
        losses = []
        for step in range(self.steps):
            # Every step has other data.
            losses += program.train(*self._data_of(folder, step), "--steps", "1", "--lr",
                                    self.learning_rate, "--load", start, "--load-anyway",
                                    "data", "--save", start)
        return losses

    def _train_torch(self, weights):
        parameters = {name: torch.tensor(array, requires_grad=True)
                      for name, array in weights.items()}
        model = self.in_torch(parameters)
        optimizer = self.optimizer(parameters.values(), lr=self.learning_rate)
        losses = []
        for step in range(self.steps):
            inputs = [torch.tensor(array) for array in self.batch_of(step)]
            # PyTorch needs indices of 64 bits.
            inputs = [tensor if tensor.is_floating_point() else tensor.long()
                      for tensor in inputs]
            optimizer.zero_grad()
            loss = model.loss(*inputs)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses
