"""Convolutions and their gradients on one thread: the project's kernels and PyTorch's.

The layers are those of VGG-16 and ResNet-50 on images of 224 x 224. Each of the three ops is timed
separately: the output, the gradient of the input, and that of the filter. PyTorch uses oneDNN, with
channels first or last, whichever is faster. Runs of the two take turns, layer by layer; the fastest
run of each counts. Figures are in GF/s.
"""

import argparse
import math
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BENCHMARK = ROOT / "bazel-bin/codegen/cpu/lower/KernelBenchmark"

# Channels, filters, extent of the image, extent of the window, stride.
LAYERS = [
    (3, 64, 224, 3, 1), (64, 64, 224, 3, 1), (128, 128, 112, 3, 1),
    (256, 256, 56, 3, 1), (512, 512, 28, 3, 1), (512, 512, 14, 3, 1),
    (3, 64, 224, 7, 2), (64, 64, 56, 3, 1), (128, 128, 28, 3, 1),
    (256, 256, 14, 3, 1), (512, 512, 7, 3, 1), (128, 128, 56, 3, 2),
    (64, 256, 56, 1, 1), (1024, 256, 14, 1, 1), (512, 1024, 28, 1, 2),
]
OPS = ("output", "input", "filter")


def main():
    options = parse_options()
    peer = f"{'torch':>8}{'ratio':>7}" if options.torch else ""
    print(f"{'channels x filters, image, window':36}"
          + "".join(f"{op:>8}{peer}" for op in OPS))
    logarithms = []
    for layer in LAYERS:
        layer = Layer(options.batch, *layer)
        ours = our_seconds(layer)
        theirs = torch_seconds(layer) if options.torch else [None] * len(OPS)
        columns = ""
        for own, other in zip(ours, theirs):
            columns += f"{layer.flops / own * 1e-9:8.0f}"
            if other:
                columns += f"{layer.flops / other * 1e-9:8.0f}{other / own:7.2f}"
                logarithms.append(math.log(other / own))
        print(f"{layer!s:36}{columns}", flush=True)
    if logarithms:
        print("geometric mean of ratios: "
              f"{math.exp(sum(logarithms) / len(logarithms)):.2f}")


def parse_options():
    parser = argparse.ArgumentParser(
        prog="bench convolution", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, default=4, help="number of images (4)")
    parser.add_argument("--no-torch", dest="torch", action="store_false",
                        help="only ours")
    return parser.parse_args()


class Layer:
    """A square convolution, padded so that it has one output per stride."""

    def __init__(self, batch, channels, filters, image, window, stride):
        self.stride, self.pad = stride, window // 2
        outputs = (image + 2 * self.pad - window) // stride + 1
        self.input = (batch, channels, image, image)
        self.filter = (filters, channels, window, window)
        self.output = (batch, filters, outputs, outputs)
        self.flops = 2 * math.prod(self.output) * math.prod(self.filter[1:])

    def __str__(self):
        _, channels, image, _ = self.input
        return (f"{channels} x {self.filter[0]}, {image}, {self.filter[2]}"
                + (f" by {self.stride}" if self.stride > 1 else ""))


def our_seconds(layer):
    """Returns the seconds of the three ops in the project's kernels."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(module_of(layer))
        file.flush()
        result = subprocess.run([BENCHMARK, file.name], check=True,
                                stdout=subprocess.PIPE, text=True)
    return [float(line.split()[1]) for line in result.stdout.splitlines()]


def module_of(layer):
    def tensor(shape):
        return "tensor<" + "x".join(map(str, shape)) + "xf32>"

    text = ""
    for name, left, right, result in (
            ("convolution", layer.input, layer.filter, layer.output),
            ("convolution_input_grad", layer.filter, layer.output, layer.input),
            ("convolution_filter_grad", layer.input, layer.output, layer.filter)):
        left, right, result = map(tensor, (left, right, result))
        pads = f"[{layer.pad}, {layer.pad}]"
        text += f"""func.func @{name}(%a: {left}, %b: {right}) -> {result} {{
  %y = nn.{name} %a, %b strides [{layer.stride}, {layer.stride}] low {pads} high {pads}
     : ({left}, {right}) -> {result}
  return %y : {result}
}}
"""
    return text


def torch_seconds(layer):
    """Returns the seconds of the three ops in PyTorch."""
    import torch
    torch.set_num_threads(1)
    return list(map(min, *(torch_seconds_in(layout, layer) for layout in (
        torch.contiguous_format, torch.channels_last))))


def torch_seconds_in(layout, layer):
    import torch
    image, weight, gradient = (
        (torch.rand(shape) - 0.5).contiguous(memory_format=layout)
        for shape in (layer.input, layer.filter, layer.output))
    arguments = ([layer.stride] * 2, [layer.pad] * 2, [1, 1], False, [0, 0], 1)

    def backward(wanted):
        return torch.ops.aten.convolution_backward(
            gradient, image, weight, None, *arguments, wanted)

    with torch.no_grad():
        return [best_seconds(run) for run in (
            lambda: torch.ops.aten.convolution(image, weight, None, *arguments),
            lambda: backward([True, False, False]),
            lambda: backward([False, True, False]))]


def best_seconds(run):
    """Returns the shortest time of several runs, as CPU time of this process."""
    best, total, runs = math.inf, 0, 0
    while runs < 3 or (total < 0.3 and runs < 2000):
        begin = time.process_time()
        run()
        seconds = time.process_time() - begin
        best, total, runs = min(best, seconds), total + seconds, runs + 1
    return best


if __name__ == "__main__":
    main()
