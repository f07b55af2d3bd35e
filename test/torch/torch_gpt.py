"""The GPT of models/gpt.py in PyTorch, with parameters of the same names and shapes."""

import math

import torch
import torch.nn.functional as F


class Gpt:
    """The GPT on `parameters`: {name: tensor}, in the order of models/gpt_layers.py."""

    def __init__(self, parameters):
        self.parameters = parameters
        self._layers = sum(name.endswith("attention.query") for name in parameters)

    def loss(self, tokens, targets):
        """Returns the loss in nats per token of `targets`, [batch, sequence] like
        `tokens`."""
        logits = self.logits(tokens)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())

    def logits(self, tokens):
        """Returns the scores of the next token, [batch, sequence, vocabulary]."""
        get = self.parameters.get
        stream = get("token_table")[tokens] + get("position_table")
        for layer in range(self._layers):
            stream = stream + self._attention(stream, f"layer{layer}.attention.")
            stream = stream + self._feed_forward(stream, f"layer{layer}.feed_forward.")
        return self._normalize(stream, "final.") @ get("head", get("token_table")).T

    def _normalize(self, stream, prefix):
        return F.layer_norm(stream, stream.shape[-1:],
                            self.parameters[prefix + "gain"],
                            self.parameters[prefix + "shift"])

    def _attention(self, stream, prefix):
        normalized = self._normalize(stream, prefix)
        heads = []
        for name in ("query", "key", "value"):
            weight = self.parameters[prefix + name]      # [width, heads, head width]
            bias = self.parameters[prefix + name + "_bias"]
            product = normalized @ weight.flatten(1)
            product = product.unflatten(-1, weight.shape[1:]).transpose(1, 2)
            heads.append(product + bias)                 # [batch, heads, sequence, _]
        seen = self._attend(*heads).transpose(1, 2).flatten(2)
        output = self.parameters[prefix + "output"]      # [heads, head width, width]
        return seen @ output.flatten(0, 1) + self.parameters[prefix + "output_bias"]

    def _attend(self, query, key, value):
        """Returns causal attention; all tensors are [batch, heads, sequence, head
        width]."""
        scores = (query / math.sqrt(query.shape[-1])) @ key.transpose(-1, -2)
        length = scores.shape[-1]
        later = torch.ones(length, length, dtype=torch.bool).triu(1)
        weights = scores.masked_fill(later, float("-inf")).softmax(-1)
        return weights @ value

    def _feed_forward(self, stream, prefix):
        get = self.parameters.get
        hidden = self._normalize(stream, prefix) @ get(prefix + "up")
        hidden = F.gelu(hidden + get(prefix + "up_bias"), approximate="tanh")
        return hidden @ get(prefix + "down") + get(prefix + "down_bias")


class FusedGpt(Gpt):
    """The same GPT with the attention that PyTorch has from version 2 on."""

    def _attend(self, query, key, value):
        return F.scaled_dot_product_attention(query, key, value, is_causal=True)
