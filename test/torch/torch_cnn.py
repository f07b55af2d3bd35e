"""The network of models/cnn.py in PyTorch, with parameters of the same names and shapes."""

import torch.nn.functional as F


class Cnn:
    """The network on `parameters`: {name: tensor}, in the order of models/cnn.py."""

    def __init__(self, parameters):
        self._parameters = parameters
        self._blocks = sum(name.endswith(".first") for name in parameters)

    def loss(self, images, labels):
        """Returns the loss, in nats per label."""
        return F.cross_entropy(self.logits(images), labels)

    def logits(self, images):
        """Returns the scores of the classes, [batch, classes]."""
        images = F.relu(self._convolve(images, "stem"))
        for block in range(self._blocks):
            images = self._block(images, f"block{block}.")
        pooled = images.mean((2, 3))
        return pooled @ self._parameters["head"] + self._parameters["head_bias"]

    def _block(self, images, prefix):
        shortcut = images
        stride = 1
        if prefix + "shortcut" in self._parameters:
            # The first block of each stage except the first stage changes the channels.
            stride = 2
            shortcut = self._convolve(images, prefix + "shortcut", stride)
        first = F.relu(self._convolve(images, prefix + "first", stride))
        return F.relu(self._convolve(first, prefix + "second") + shortcut)

    def _convolve(self, images, name, stride=1):
        weight = self._parameters[name]
        product = F.conv2d(images, weight, stride=stride, padding=weight.shape[2] // 2)
        return F.batch_norm(product, None, None, self._parameters[name + "_gain"],
                            self._parameters[name + "_shift"], training=True)
