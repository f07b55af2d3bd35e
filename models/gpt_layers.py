"""The parameters and layers of a GPT-2, as IR.

The heads of attention have a dimension of their own, in weights as well ([width, heads, head
width]). So no reshape is needed, and to split the heads over ranks is to split this
dimension.
"""

import dataclasses
import math

import floats


# Parameters, their updates, and the scores for the loss have f32, regardless of the element
# type in layers.
KEPT = "f32"


@dataclasses.dataclass(frozen=True)
class Parameter:
    name: str
    type: str         # in layers: a type alias
    kept_type: str    # as a parameter
    shape: tuple
    initializer: str
    comment: str = ""  # heading before this parameter

    @property
    def role(self):
        """The name of the parameter's kind in plans."""
        return self.name.split(".")[-1]


def parameters(config):
    """Returns all parameters, in the order of their use."""
    shapes = parameter_shapes(config)
    normal = "#nn.normal<0.02>"
    # Each layer adds to the residual stream twice. With these values its variance stays one.
    residual = f"#nn.normal<{floats.literal(0.02 / math.sqrt(2 * config.layers))}>"

    def parameter(name, shape_name, initializer, comment=""):
        return Parameter(name, f"!{shape_name}", kept(config, shape_name),
                         shapes[shape_name], initializer, comment)

    def norm(prefix, comment):
        return [parameter(f"{prefix}.gain", "vector", "#nn.ones", comment),
                parameter(f"{prefix}.shift", "vector", "#nn.zeros")]

    result = [parameter("token_table", "token_table", normal, "Embedding."),
              parameter("position_table", "position_table", normal)]
    for layer in range(config.layers):
        attention = f"layer{layer}.attention"
        result += norm(attention, f"Layer {layer}.")
        for name in ("query", "key", "value"):
            result += [
                parameter(f"{attention}.{name}", "to_heads", normal),
                parameter(f"{attention}.{name}_bias", "head_bias", "#nn.zeros")]
        result += [
            parameter(f"{attention}.output", "from_heads", residual),
            parameter(f"{attention}.output_bias", "vector", "#nn.zeros")]
        feed_forward = f"layer{layer}.feed_forward"
        result += norm(feed_forward, "")
        result += [
            parameter(f"{feed_forward}.up", "up", normal),
            parameter(f"{feed_forward}.up_bias", "up_bias", "#nn.zeros"),
            parameter(f"{feed_forward}.down", "down", residual),
            parameter(f"{feed_forward}.down_bias", "vector", "#nn.zeros")]
    result += norm("final", "Scores.")
    if not config.tie_head:
        result.append(parameter("head", "token_table", normal))
    return result


def parameter_shapes(config):
    """Returns the shape of each kind of parameter, by the name of its type alias."""
    width, heads, head_width = config.width, config.heads, config.head_width
    return {
        "vector": (width,),
        "token_table": (config.vocabulary, width),
        "position_table": (config.sequence, width),
        "to_heads": (width, heads, head_width),
        "head_bias": (heads, 1, head_width),
        "from_heads": (heads, head_width, width),
        "up": (width, config.hidden),
        "up_bias": (config.hidden,),
        "down": (config.hidden, width),
    }


def parameter_types(config):
    shapes = parameter_shapes(config).items()
    text = "".join(alias(name, shape, config.compute) for name, shape in shapes)
    if config.compute != KEPT:
        text += "".join(alias(f"{name}_{KEPT}", shape, KEPT) for name, shape in shapes)
    return text


def kept(config, name):
    """Returns the type alias of `name` with element type f32."""
    return f"!{name}" if config.compute == KEPT else f"!{name}_{KEPT}"


def alias(name, shape, element):
    extents = "".join(f"{extent}x" for extent in shape)
    return f"!{name} = tensor<{extents}{element}>\n"


class Layers:
    """The functions for one batch size. Names of functions, and of types that depend on
    the batch size, begin with `prefix`."""

    def __init__(self, config, plan, cut, batch, prefix):
        self._config = config
        self._plan = plan
        self._cut = cut
        self._batch = batch
        self._prefix = prefix

    def types(self):
        config, batch, length = self._config, self._batch, self._config.sequence
        p, compute = self._prefix, config.compute
        logits = (batch, length, config.vocabulary)
        text = alias(f"{p}tokens", (batch, length), "i32")
        text += alias(f"{p}stream", (batch, length, config.width), compute)
        text += alias(f"{p}heads", (batch, config.heads, length, config.head_width),
                      compute)
        text += alias(f"{p}hidden", (batch, length, config.hidden), compute)
        text += alias(f"{p}logits", logits, compute)
        if compute != KEPT:
            text += alias(f"{p}logits_{KEPT}", logits, KEPT)
        return text if p else text + alias("scalar", (), KEPT)

    def functions(self):
        return "\n".join([self._embed(), self._attention(), self._feed_forward(),
                          self._score()])

    def call_all(self):
        """Returns the body of an entry, from %tokens to %logits, which has the type
        `logits_type()`."""
        p = self._prefix
        head = "token_table" if self._config.tie_head else "head"
        lines = [
            *self._get("token_table", "!token_table"),
            *self._get("position_table", "!position_table"),
            f"%stream0 = call @{p}embed(%tokens, %token_table, %position_table)"
            f"{self._cut.of_layer(-1)}",
            f"    : (!{p}tokens, !token_table, !position_table) -> !{p}stream"]
        # The parameters of a layer are adjacent: groups them by "layer0.attention".
        groups = {}
        for parameter in parameters(self._config):
            group, _, _ = parameter.name.rpartition(".")
            groups.setdefault(group, []).append(parameter)
        stream = 0
        for layer in range(self._config.layers):
            for kind in ("attention", "feed_forward"):
                group = groups[f"layer{layer}.{kind}"]
                lines += ["", f"// Layer {layer}, {kind.replace('_', ' ')}."]
                for parameter in group:
                    lines += self._get(parameter.name, parameter.type)
                lines += self._call(kind, stream, group, self._cut.of_layer(layer))
                stream += 1
        lines += [
            "",
            *self._get("final.gain", "!vector"),
            *self._get("final.shift", "!vector")]
        if not self._config.tie_head:
            lines += self._get("head", "!token_table")
        logits = "logits" if self._config.compute == KEPT else "logits.computed"
        lines += [
            f"%{logits} = call @{p}score(%stream{stream}, %final.gain, %final.shift, %{head})"
            f"{self._cut.of_layer(self._config.layers)}",
            f"    : (!{p}stream, !vector, !vector, !token_table) -> !{p}logits"]
        if self._config.compute != KEPT:
            lines.append(f"%logits = nn.cast %{logits} "
                         f": !{p}logits -> {self.logits_type()}")
        return "\n".join(f"  {line}" if line else "" for line in lines)

    def logits_type(self):
        return kept(self._config, f"{self._prefix}logits")

    # ---- The layers ---------------------------------------------------------

    def _embed(self):
        p = self._prefix
        return f"""// Adds the embedding of its position to that of each token.
func.func private @{p}embed(
    %tokens: !{p}tokens, %token_table: !token_table,
    %position_table: !position_table) -> !{p}stream {{
{self._value("embedded", "embedded", "stream", f'''nn.embedding %token_table, %tokens
      : (!token_table, !{p}tokens) -> !{p}stream''')}
  %stream = nn.add %embedded, %position_table
      : (!{p}stream, !position_table) -> !{p}stream
  return %stream : !{p}stream
}}
"""

    def _attention(self):
        p = self._prefix
        scale = floats.literal(1 / math.sqrt(self._config.head_width), digits=9)
        projections = "\n".join(f"""
{self._value(f"{name}.product", "head_product", "heads", f'''nn.einsum "btd,dhk->bhtk" %normalized, %{name}
      : (!{p}stream, !to_heads) -> !{p}heads''')}
  %{plural} = nn.add %{name}.product, %{name}_bias : (!{p}heads, !head_bias) -> !{p}heads"""
            for name, plural in (("query", "queries"), ("key", "keys"),
                                 ("value", "values")))
        return f"""// Causal self-attention: each token attends to itself and to earlier tokens.
func.func private @{p}attention(
    %stream: !{p}stream, %gain: !vector, %shift: !vector,
    %query: !to_heads, %query_bias: !head_bias,
    %key: !to_heads, %key_bias: !head_bias,
    %value: !to_heads, %value_bias: !head_bias,
    %output: !from_heads, %output_bias: !vector) -> !{p}stream {{
{self._normalize()}
{projections}

  %seen = nn.attention causal %queries, %keys, %values {{scale = {scale} : f64}}
      : (!{p}heads, !{p}heads, !{p}heads) -> !{p}heads
{self._value("projected", "projected", "stream", f'''nn.einsum "bhtk,hkd->btd" %seen, %output
      : (!{p}heads, !from_heads) -> !{p}stream''')}
{self._add_to_stream("output_bias")}
}}
"""

    def _feed_forward(self):
        p = self._prefix
        return f"""// Feed-forward layer, applied to each token separately.
func.func private @{p}feed_forward(
    %stream: !{p}stream, %gain: !vector, %shift: !vector,
    %up: !up, %up_bias: !up_bias, %down: !down, %down_bias: !vector)
    -> !{p}stream {{
{self._normalize()}
{self._value("up.product", "hidden_product", "hidden", f'''nn.einsum "btd,df->btf" %normalized, %up
      : (!{p}stream, !up) -> !{p}hidden''')}
  %hidden = nn.add %up.product, %up_bias : (!{p}hidden, !up_bias) -> !{p}hidden
  %active = nn.gelu tanh %hidden : !{p}hidden
{self._value("projected", "projected", "stream", f'''nn.einsum "btf,fd->btd" %active, %down
      : (!{p}hidden, !down) -> !{p}stream''')}
{self._add_to_stream("down_bias")}
}}
"""

    def _score(self):
        p = self._prefix
        return f"""// Scores of the next token: logits over the vocabulary.
func.func private @{p}score(
    %stream: !{p}stream, %gain: !vector, %shift: !vector,
    %head: !token_table) -> !{p}logits {{
{self._normalize()}
{self._value("logits", "logits", "logits", f'''nn.einsum "btd,vd->btv" %normalized, %head
      : (!{p}stream, !token_table) -> !{p}logits''')}
  return %logits : !{p}logits
}}
"""

    # ---- What layers share --------------------------------------------------

    def _value(self, name, role, type_, operation):
        """Defines %name, and pins it if the plan has a placement for its role."""
        placement = self._plan.of_value(role)
        if not placement:
            return f"  %{name} = {operation}"
        return (f"  %{name}.free = {operation}\n"
                f"  %{name} = sbp.pin %{name}.free "
                f": !{self._prefix}{type_} to {placement}")

    def _normalize(self):
        p = self._prefix
        return self._value("normalized", "normalized", "stream", f"""nn.layer_norm %stream, %gain, %shift
      : (!{p}stream, !vector, !vector) -> !{p}stream""")

    def _add_to_stream(self, bias):
        p = self._prefix
        return f"""  %biased = nn.add %projected, %{bias} : (!{p}stream, !vector) -> !{p}stream
  %next = nn.add %stream, %biased : (!{p}stream, !{p}stream) -> !{p}stream
  return %next : !{p}stream"""

    def _get(self, name, type_):
        """Reads a parameter, which has the type `type_` in layers."""
        kept_type = kept(self._config, type_.removeprefix("!"))
        if kept_type == type_:
            return [f"%{name} = nn.get @{name} : {type_}"]
        return [f"%{name}.{KEPT} = nn.get @{name} : {kept_type}",
                f"%{name} = nn.cast %{name}.{KEPT} : {kept_type} -> {type_}"]

    def _call(self, kind, stream, group, stage):
        """Calls the layer `kind` with the parameters `group`. `stage` is the attribute of
        the call."""
        p = self._prefix
        arguments = [f"%stream{stream}"] + [f"%{each.name}" for each in group]
        types = [f"!{p}stream"] + [each.type for each in group]
        return [f"%stream{stream + 1} = call @{p}{kind}(",
                *wrap(arguments, "    ", f"){stage}"),
                *wrap(types, "    : (", f") -> !{p}stream")]


def wrap(items, first, last, width=78):
    """Returns lines with `items`, joined by commas. They begin with `first`, end with
    `last`, and have at most `width` characters."""
    lines, line = [], first
    for index, item in enumerate(items):
        piece = item + (last if index + 1 == len(items) else ",")
        if len(line) + len(piece) + 1 > width and line.strip():
            lines.append(line)
            line = " " * len(first)
        line += piece if line == first or not line.strip() else " " + piece
    return lines + [line]
