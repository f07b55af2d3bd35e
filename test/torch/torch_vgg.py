"""The network of models/vgg.py in PyTorch, with parameters of the same names and shapes."""

import torch.nn.functional as F

# Convolutions of VGG-16 after which the extent is halved.
POOLED = (1, 3, 6, 9, 12)


class Vgg:
    """The network on `parameters`: {name: tensor}, in the order of models/vgg.py for 16
    layers."""

    def __init__(self, parameters):
        self._parameters = parameters

    def loss(self, images, labels):
        """Returns the loss, in nats per label."""
        return F.cross_entropy(self.logits(images), labels)

    def logits(self, images):
        """Returns the scores of the classes, [batch, classes]."""
        parameters = self._parameters
        for number in range(POOLED[-1] + 1):
            name = f"convolution{number}.filter"
            product = F.conv2d(images, parameters[name], padding=1)
            images = F.relu(product + parameters[name + "_bias"])
            if number in POOLED:
                images = F.max_pool2d(images, 2)
        values = images.flatten(1)
        for name in ("hidden1", "hidden2"):
            values = F.relu(self._dense(values, name))
        return self._dense(values, "head")

    def _dense(self, values, name):
        weight = self._parameters[name]
        return (values @ weight.reshape(-1, weight.shape[-1])
                + self._parameters[name + "_bias"])
