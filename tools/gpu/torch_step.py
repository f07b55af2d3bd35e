"""A training step of GPT-2 small in PyTorch on a GPU, for the comparison in tools/check-gpu.

Prints a line of JSON per type. Runs in any Python with PyTorch for CUDA.
"""

import json
import statistics
import sys

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    sys.exit("there is no PyTorch")

LAYERS, WIDTH, HEADS, VOCABULARY, BATCH, SEQUENCE = 12, 768, 12, 50257, 8, 1024


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.between = torch.nn.LayerNorm(WIDTH), torch.nn.LayerNorm(WIDTH)
        self.heads, self.output = torch.nn.Linear(WIDTH, 3 * WIDTH), torch.nn.Linear(WIDTH, WIDTH)
        self.up, self.down = torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, stream):
        query, key, value = (
            part.unflatten(-1, (HEADS, -1)).transpose(1, 2)
            for part in self.heads(self.before(stream)).chunk(3, -1))
        seen = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        stream = stream + self.output(seen.transpose(1, 2).flatten(2))
        hidden = F.gelu(self.up(self.between(stream)), approximate="tanh")
        return stream + self.down(hidden)


class Gpt(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = torch.nn.Embedding(VOCABULARY, WIDTH)
        self.positions = torch.nn.Parameter(torch.zeros(SEQUENCE, WIDTH))
        self.layers = torch.nn.Sequential(*(Block() for _ in range(LAYERS)))
        self.final = torch.nn.LayerNorm(WIDTH)

    def forward(self, tokens, targets):
        stream = self.layers(self.tokens(tokens) + self.positions)
        logits = F.linear(self.final(stream), self.tokens.weight)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def step_times(dtype):
    """Returns the milliseconds of steps, after some that are not counted."""
    torch.manual_seed(1)
    model = Gpt().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    batch = torch.randint(VOCABULARY, (2, BATCH, SEQUENCE), device="cuda")
    times = []
    for number in range(12):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        with torch.autocast("cuda", dtype, enabled=dtype != torch.float32):
            loss = model(*batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        end.record()
        torch.cuda.synchronize()
        if number >= 4:
            times.append(begin.elapsed_time(end))
    return times


def main():
    if not torch.cuda.is_available():
        sys.exit("PyTorch sees no GPU")
    for dtype in torch.float32, torch.bfloat16:
        print(json.dumps({"peer": f"PyTorch {torch.__version__}", "type": str(dtype),
                          "milliseconds": round(statistics.median(step_times(dtype)), 1)}))


if __name__ == "__main__":
    main()
