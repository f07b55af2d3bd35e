"""The text of networks for images: functions that their generators share.

The entry of such a network, @loss, has the inputs "images" [batch, 3, extent, extent] and
"labels" [batch].
"""

import dataclasses
import math
import sys


@dataclasses.dataclass(frozen=True)
class Parameter:
    name: str
    shape: tuple
    initializer: str

    @property
    def role(self):
        """The name of the parameter's kind in plans."""
        return self.name.split(".")[-1]

    @property
    def value(self):
        """Returns the parameter as an operand: its name and its shape."""
        return self.name, self.shape


def tensor(shape, element="f32"):
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{element}>"


class Body:
    """The ops of a function on images of `batch` samples. A value is its name and its
    shape."""

    def __init__(self, plan):
        self._plan = plan
        self.lines = []

    def define(self, name, shape, operation, operands=()):
        """Adds %name, the result of `operation` on `operands`. Pins it if the plan has a
        placement for it."""
        types = ", ".join(tensor(operand_shape) for _, operand_shape in operands)
        placement = self._plan.of_value(name)
        free = f"{name}.free" if placement else name
        self.lines += [f"  %{free} = {operation}",
                       f"      : ({types}) -> {tensor(shape)}"]
        if placement:
            self.lines.append(f"  %{name} = sbp.pin %{free} : {tensor(shape)} "
                              f"to {placement}")
        return name, shape

    def relu(self, name, images):
        self.lines.append(f"  %{name} = nn.relu %{images[0]} : {tensor(images[1])}")
        return self.pin(name, images[1])

    def pin(self, name, shape):
        """Adds a pin of %name if the plan has a placement for it."""
        placement = self._plan.of_value(name)
        if not placement:
            return name, shape
        self.lines.append(f"  %{name}.pinned = sbp.pin %{name} : {tensor(shape)} "
                          f"to {placement}")
        return f"{name}.pinned", shape

    def get(self, parameters):
        """Reads all `parameters`, each by its own name."""
        for each in parameters:
            self.lines.append(
                f"  %{each.name} = nn.get @{each.name} : {tensor(each.shape)}")

    def call(self, name, function, operands, shape):
        """Adds %name, the result of @function on `operands`."""
        names = [operand for operand, _ in operands]
        types = ", ".join(tensor(operand_shape) for _, operand_shape in operands)
        self.lines += [f"  %{name} = call @{function}(",
                       *(f"      %{each}," for each in names[:-1]),
                       f"      %{names[-1]})",
                       f"      : ({types})", f"      -> {tensor(shape)}"]
        return name, shape


def layer(function, arguments, body, result):
    """Returns the private @function of `arguments`, which returns the value `result`."""
    taken = ",\n    ".join(f"%{name}: {tensor(shape)}" for name, shape in arguments)
    name, shape = result
    lines = "\n".join(body.lines)
    return (f"func.func private @{function}(\n    {taken})\n"
            f"    -> {tensor(shape)} {{\n{lines}\n"
            f"  return %{name} : {tensor(shape)}\n}}\n")


def loss_entry(config, plan, body, logits):
    """Returns the entry that computes the value `logits` by `body`, and the loss from
    it."""
    batch = config.batch
    images = tensor((batch, 3, config.extent, config.extent))
    labels = tensor((batch,), "i32")
    pin = plan.of_input()
    text = "\n".join(body.lines)
    name, shape = logits
    return f"""// The loss that training minimises, in nats per image.
func.func @loss(%images: {images} {{nn.input = "images"{pin}}},
                %labels: {labels} {{nn.input = "labels"{pin}}})
    -> (tensor<f32> {{nn.output = "loss"}})
    attributes {{nn.optimizer = #nn.sgd<momentum = 0.9>}} {{
{text}
  %loss = nn.cross_entropy %{name}, %labels
      : ({tensor(shape)}, {labels}) -> tensor<f32>
  return %loss : tensor<f32>
}}
"""


def module(title, writer, config, plan, parameters, functions):
    """Returns the module as text: `functions` and `parameters`."""
    count = sum(math.prod(each.shape) for each in parameters)
    extents = ", ".join(f"{field.name} {getattr(config, field.name)}"
                        for field in dataclasses.fields(config))
    lines = "".join(f"nn.parameter @{each.name} : {tensor(each.shape)} = "
                    f"{each.initializer}{plan.of_parameter(each.role)}\n"
                    for each in parameters)
    return "\n".join([
        f"// {title}: {extents}.\n"
        f"// {count} parameters. Written by models/{writer}.\n" + plan.machine(),
        lines, *functions])


def write(writer, output, make):
    """Writes the text that `make()` returns to the file `output`, where "-" is standard
    output. Ends the program with an error if either fails."""
    try:
        text = make()
        if output == "-":
            sys.stdout.write(text)
        else:
            with open(output, "w") as file:
                file.write(text)
    except (ValueError, OSError) as error:
        sys.exit(f"{writer}: {error}")
