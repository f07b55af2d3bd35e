"""Models as users write them, for a whole batch: its extent occurs in slices, constants,
states and merged dimensions. Each model has its data, and a loss.
"""

import math
import random

import training

BATCH = 8


class Writer:
    """Collects the text of a model, and writes the types of every op."""

    def __init__(self):
        self.parameters, self.functions, self.body, self.inputs = [], [], [], []
        self.shapes = {}

    def named(self, shape, element="f32"):
        name = f"%v{len(self.shapes)}"
        self.shapes[name] = (tuple(shape), element)
        return name

    def type_of(self, name):
        shape, element = self.shapes[name]
        return f"tensor<{''.join(f'{extent}x' for extent in shape)}{element}>"

    def types(self, *names):
        return ", ".join(map(self.type_of, names))

    def op(self, text, operands, shape, element="f32"):
        """Adds the op `text` with its operands and types."""
        result = self.named(shape, element)
        self.body.append(f"  {result} = {text} : ({self.types(*operands)}) -> "
                         f"{self.type_of(result)}")
        return result

    def input(self, label, shape, element="f32"):
        name = self.named(shape, element)
        self.inputs.append(f"{name}: {self.type_of(name)} {{nn.input = \"{label}\"}}")
        return name

    def parameter(self, shape, initial="#nn.normal<0.1>"):
        name = self.named(shape)
        label = f"@w{len(self.parameters)}"
        self.parameters.append(f"nn.parameter {label} : {self.type_of(name)} = {initial}")
        self.body.append(f"  {name} = nn.get {label} : {self.type_of(name)}")
        return name

    def constant(self, literal, shape, element="f32"):
        name = self.named(shape, element)
        self.body.append(f"  {name} = nn.constant dense<{literal}> : {self.type_of(name)}")
        return name

    def iota(self, dim, shape, element):
        return self.op(f"nn.iota dim {dim}", (), shape, element)

    def unary(self, mnemonic, value):
        shape, element = self.shapes[value]
        name = self.named(shape, element)
        self.body.append(f"  {name} = {mnemonic.format(value)} : {self.type_of(name)}")
        return name

    def binary(self, mnemonic, a, b):
        shapes = [self.shapes[value][0] for value in (a, b)]
        rank = max(map(len, shapes))
        shape = map(max, *[(1,) * (rank - len(shape)) + shape for shape in shapes])
        element = "i1" if "compare" in mnemonic else self.shapes[a][1]
        return self.op(f"{mnemonic} {a}, {b}", (a, b), shape, element)

    def einsum(self, equation, a, b, shape):
        return self.op(f"nn.einsum \"{equation}\" {a}, {b}", (a, b), shape)

    def arrow(self, text, value, shape, element=None):
        """Adds an op of one operand whose syntax has an arrow between its types."""
        result = self.named(shape, element or self.shapes[value][1])
        self.body.append(f"  {result} = {text} : {self.type_of(value)} -> "
                         f"{self.type_of(result)}")
        return result

    def reshape(self, value, shape):
        return self.arrow(f"nn.reshape {value}", value, shape)

    def transpose(self, value, order):
        shape = self.shapes[value][0]
        return self.arrow(f"nn.transpose {value} {list(order)}", value,
                          [shape[dim] for dim in order])

    def slice(self, value, dim, begin, size):
        sizes = list(self.shapes[value][0])
        offsets = [0] * len(sizes)
        sizes[dim], offsets[dim] = size, begin
        return self.arrow(f"nn.slice {value} {offsets} {sizes}", value, sizes)

    def chunks(self, value, dim, count):
        size = self.shapes[value][0][dim] // count
        return [self.slice(value, dim, index * size, size) for index in range(count)]

    def concat(self, values, dim):
        shape = list(self.shapes[values[0]][0])
        shape[dim] = sum(self.shapes[value][0][dim] for value in values)
        return self.op(f"nn.concat {', '.join(values)} dim {dim}", values, shape)

    def reduce(self, kind, value, dims):
        shape = [extent for dim, extent in enumerate(self.shapes[value][0])
                 if dim not in dims]
        return self.arrow(f"nn.reduce {kind} {value} over {list(dims)}", value, shape)

    def text(self, loss):
        return "\n".join([
            *self.parameters, *self.functions,
            f"func.func @loss({', '.join(self.inputs)})",
            "    -> (tensor<f32> {nn.output = \"loss\"}) attributes {nn.optimizer = #nn.sgd} {",
            *self.body, f"  return {loss} : tensor<f32>", "}", ""])


def rotary_gpt():
    """Returns a GPT with fused QKV, rotary positions, and labels of -100 that are
    ignored."""
    tokens, width, heads, vocabulary, layers = 6, 16, 2, 11, 2
    half = width // heads // 2
    w = Writer()
    indices = w.input("tokens", (BATCH, tokens), "i32")
    labels = w.input("labels", (BATCH, tokens), "i32")
    angles = [[t / 100 ** (i / half) for i in range(half)] for t in range(tokens)]
    cos = w.constant([[math.cos(a) for a in row] for row in angles], (tokens, half))
    sin = w.constant([[math.sin(a) for a in row] for row in angles], (tokens, half))

    def split_heads(x):
        return w.transpose(w.reshape(x, (BATCH, tokens, heads, 2 * half)), (0, 2, 1, 3))

    def turned(x):
        a, b = w.chunks(x, 3, 2)
        return w.concat([w.binary("nn.sub", w.binary("nn.mul", a, cos),
                                  w.binary("nn.mul", b, sin)),
                         w.binary("nn.add", w.binary("nn.mul", b, cos),
                                  w.binary("nn.mul", a, sin))], 3)

    table = w.parameter((vocabulary, width))
    x = w.op(f"nn.embedding {table}, {indices}", (table, indices), (BATCH, tokens, width))
    for _ in range(layers):
        gamma = w.parameter((width,), "#nn.ones")
        h = w.op(f"nn.rms_norm {x}, {gamma}", (x, gamma), (BATCH, tokens, width))
        qkv = w.einsum("bti,ij->btj", h, w.parameter((width, 3 * width)),
                       (BATCH, tokens, 3 * width))
        q, k, v = (split_heads(part) for part in w.chunks(qkv, 2, 3))
        q, k = turned(q), turned(k)
        y = w.op(f"nn.attention causal {q}, {k}, {v} {{scale = 0.35 : f64}}", (q, k, v),
                 (BATCH, heads, tokens, 2 * half))
        y = w.reshape(w.transpose(y, (0, 2, 1, 3)), (BATCH, tokens, width))
        x = w.binary("nn.add", x, w.einsum("bti,ij->btj", y, w.parameter((width, width)),
                                           (BATCH, tokens, width)))
    # As in PyTorch: rows of logits, and a mean over the labels that are not ignored.
    rows = BATCH * tokens
    logits = w.einsum("ri,ij->rj", w.reshape(x, (rows, width)),
                      w.parameter((width, vocabulary)), (rows, vocabulary))
    scores = w.unary("nn.log_softmax {} dim 1", logits)
    column = w.reshape(labels, (rows, 1))
    hit = w.binary("nn.compare eq", column, w.iota(1, (1, vocabulary), "i32"))
    hit = w.arrow(f"nn.cast {hit}", hit, (rows, vocabulary), "f32")
    total = w.reduce("sum", w.binary("nn.mul", scores, hit), (0, 1))
    count = w.reduce("sum", hit, (0, 1))
    text = w.text(w.unary("nn.neg {}", w.binary("nn.div", total, count)))

    def data(chooser):
        samples = 4 * BATCH
        yield "tokens", (samples, tokens), [chooser.randrange(vocabulary)
                                            for _ in range(samples * tokens)]
        yield "labels", (samples, tokens), [
            chooser.choice([-100, chooser.randrange(vocabulary)])
            for _ in range(samples * tokens)]
    return text, data


def floats(chooser, count):
    return [chooser.gauss(0, 1) for _ in range(count)]


def masked(chooser, count, classes):
    """Returns labels, most of the first ones of which are ignored."""
    return [chooser.randrange(classes) if chooser.random() < (index + 1) / count else -100
            for index in range(count)]


def tasks(combine):
    """Returns a network with two heads, each with labels of its own, of which -100 are
    ignored. `combine` makes the loss of a writer, the sums and the numbers of labels of
    both heads, and the output."""
    width, classes = 6, 3
    w = Writer()
    x = w.input("x", (BATCH, width))
    hidden = w.unary("nn.tanh {}", w.einsum("bi,ij->bj", x, w.parameter((width, width)),
                                            (BATCH, width)))
    sums, counts = [], []
    for label in ("first", "second"):
        column = w.reshape(w.input(label, (BATCH,), "i32"), (BATCH, 1))
        logits = w.einsum("bi,ij->bj", hidden, w.parameter((width, classes)),
                          (BATCH, classes))
        scores = w.unary("nn.log_softmax {} dim 1", logits)
        hit = w.binary("nn.compare eq", column, w.iota(1, (1, classes), "i32"))
        hit = w.arrow(f"nn.cast {hit}", hit, (BATCH, classes), "f32")
        sums.append(w.reduce("sum", w.binary("nn.mul", scores, hit), (0, 1)))
        counts.append(w.reduce("sum", hit, (0, 1)))
    text = w.text(combine(w, sums, counts, hidden))

    def data(chooser):
        samples = 4 * BATCH
        yield "x", (samples, width), floats(chooser, samples * width)
        for label in ("first", "second"):
            yield label, (samples,), [
                label for _ in range(4) for label in masked(chooser, BATCH, classes)]
    return text, data


def means_of_own_counts():
    """Returns a loss whose two terms are divided by the numbers of their labels."""
    def combine(w, sums, counts, _):
        first, second = (w.binary("nn.div", *pair) for pair in zip(sums, counts))
        half = w.constant("-0.5", ())
        return w.binary("nn.sub", w.binary("nn.mul", second, half), first)
    return tasks(combine)


def means_of_one_count():
    """Returns a loss whose two terms are divided by the same number of labels."""
    def combine(w, sums, counts, _):
        first, second = (w.binary("nn.div", each, counts[0]) for each in sums)
        return w.unary("nn.neg {}", w.binary("nn.add", first, second))
    return tasks(combine)


def mean_of_labels_and_mean():
    """Returns a loss with a mean over labels that count, a mean over samples, and a penalty
    on weights."""
    def combine(w, sums, counts, hidden):
        mean = w.reduce("mean", w.binary("nn.mul", hidden, hidden), (0, 1))
        weights = w.parameter((4,))
        penalty = w.einsum("i,i->", weights, weights, ())
        masked_mean = w.binary("nn.div", sums[0], counts[0])
        return w.binary("nn.add", w.binary("nn.sub", mean, masked_mean), penalty)
    return tasks(combine)


def lstm():
    """Returns an unrolled long short-term memory, whose initial state is zeros for each
    sample."""
    steps, width, hidden = 5, 4, 6
    w = Writer()
    xs = w.input("x", (BATCH, steps, width))
    ys = w.input("y", (BATCH, hidden))
    a = w.parameter((width, 4 * hidden))
    b = w.parameter((hidden, 4 * hidden))
    h = w.constant("0.0", (BATCH, hidden))
    c = w.constant("0.0", (BATCH, hidden))
    for step in range(steps):
        x = w.reshape(w.slice(xs, 1, step, 1), (BATCH, width))
        gates = w.binary("nn.add",
                         w.einsum("bi,ij->bj", x, a, (BATCH, 4 * hidden)),
                         w.einsum("bi,ij->bj", h, b, (BATCH, 4 * hidden)))
        i, f, o, g = w.chunks(gates, 1, 4)
        i, f, o = (w.unary("nn.sigmoid {}", gate) for gate in (i, f, o))
        c = w.binary("nn.add", w.binary("nn.mul", f, c),
                     w.binary("nn.mul", i, w.unary("nn.tanh {}", g)))
        h = w.binary("nn.mul", o, w.unary("nn.tanh {}", c))
    text = w.text(w.op(f"nn.mse {h}, {ys}", (h, ys), ()))

    def data(chooser):
        yield "x", (4 * BATCH, steps, width), floats(chooser, 4 * BATCH * steps * width)
        yield "y", (4 * BATCH, hidden), floats(chooser, 4 * BATCH * hidden)
    return text, data


def gated_mlp():
    """Returns layers whose hidden units are halved: one half gates the other one. The loss
    is the root of a mean, plus a penalty on the weights of the first layer."""
    width = 6
    w = Writer()
    x = w.input("x", (BATCH, width))
    y = w.input("y", (BATCH, width))
    first, value = None, x
    for _ in range(3):
        up, down = w.parameter((width, 4 * width)), w.parameter((2 * width, width))
        first = first or up
        a, b = w.chunks(w.einsum("bi,ij->bj", value, up, (BATCH, 4 * width)), 1, 2)
        gated = w.binary("nn.mul", w.unary("nn.silu {}", a), b)
        value = w.binary("nn.add", value,
                         w.einsum("bi,ij->bj", gated, down, (BATCH, width)))
    root = w.unary("nn.sqrt {}", w.op(f"nn.mse {value}, {y}", (value, y), ()))
    penalty = w.einsum("ij,ij->", first, first, ())
    text = w.text(w.binary("nn.add", root, penalty))

    def data(chooser):
        yield "x", (4 * BATCH, width), floats(chooser, 4 * BATCH * width)
        yield "y", (4 * BATCH, width), floats(chooser, 4 * BATCH * width)
    return text, data


def grouped_channels():
    """Returns convolutions of groups of channels, which are then shuffled."""
    channels, extent, groups, classes = 4, 6, 2, 3
    w = Writer()
    images = w.input("images", (BATCH, channels, extent, extent))
    labels = w.input("labels", (BATCH,), "i32")
    x = images
    each = channels // groups
    for _ in range(2):
        parts = []
        for group in w.chunks(x, 1, groups):
            kernel = w.parameter((each, each, 3, 3))
            parts.append(w.op(f"nn.convolution {group}, {kernel} low [1, 1] high [1, 1]",
                              (group, kernel), (BATCH, each, extent, extent)))
        x = w.unary("nn.relu {}", w.concat(parts, 1))
        x = w.reshape(x, (BATCH, groups, each, extent, extent))
        x = w.reshape(w.transpose(x, (0, 2, 1, 3, 4)), (BATCH, channels, extent, extent))
    mean = w.reduce("mean", x, (2, 3))
    logits = w.einsum("bi,ij->bj", mean, w.parameter((channels, classes)),
                      (BATCH, classes))
    text = w.text(w.op(f"nn.cross_entropy {logits}, {labels}", (logits, labels), ()))

    def data(chooser):
        size = 4 * BATCH * channels * extent * extent
        yield "images", (4 * BATCH, channels, extent, extent), floats(chooser, size)
        yield "labels", (4 * BATCH,), [chooser.randrange(classes)
                                       for _ in range(4 * BATCH)]
    return text, data


MODELS = [rotary_gpt, lstm, gated_mlp, grouped_channels, means_of_own_counts,
          means_of_one_count, mean_of_labels_and_mean]


def write(folder, model):
    """Writes `model` and its data to files. Returns the model's file and the options that
    name the data."""
    text, data = model()
    path = folder / f"{model.__name__}.mlir"
    path.write_text(text)
    options = []
    for label, shape, values in data(random.Random(7)):
        type_ = "i" if isinstance(values[0], int) else "f"
        options += training.write_data(folder, label, type_, shape, values)
    return path, options
