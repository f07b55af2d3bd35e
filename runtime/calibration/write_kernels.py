#!/usr/bin/python3
"""Writes the kernels with which sbprun --calibrate measures GPUs, as a program of two ranks in
the local form:

  write_kernels.py > kernels.mlir

Each entry is one kernel: a product of two square matrices, or a sum of two tensors. A last
entry has a collective, for the functions that move and add up rows.
"""

# Extents of the matrices. Products of the largest ones reach the peak of a GPU, and sums of
# the largest ones are larger than its caches.
EXTENTS = [64, 128, 256, 512, 1024, 2048, 4096]
TYPES = ["f32", "bf16"]


def main():
    print('sbp.machine @gpus [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]')
    print("rank.program @all on @gpus ranks [0, 1] {")
    for kind in TYPES:
        for extent in EXTENTS:
            write(f"product_{kind}_{extent}", f"{extent}x{extent}x{kind}",
                  'nn.einsum "ik,kj->ij"')
    for shape in ["1x1", *(f"{extent}x{extent}" for extent in EXTENTS)]:
        write(f"add_{shape}", f"{shape}xf32", "nn.add")
    print("""  func.func @reduce(%x: tensor<2x4xf32> {nn.input = "x", rank.whole = tensor<4x4xf32, #sbp.nd<@gpus, [S(0)]>>}) -> (tensor<4xf32> {nn.output = "y", rank.whole = tensor<4xf32, #sbp.nd<@gpus, [B]>>}) {
    %sum = nn.reduce sum %x over [0] : tensor<2x4xf32> -> tensor<4xf32>
    %y = rank.all_reduce sum %sum over ["gpu"] : tensor<4xf32>
    return %y : tensor<4xf32>
  }
}""")


def write(name, shape, op):
    """Writes an entry with one op on two tensors."""
    tensor = f"tensor<{shape}>"
    whole = f"rank.whole = tensor<{shape}, #sbp.nd<@gpus, [B]>>"
    print(f"""  func.func @{name}(%a: {tensor} {{nn.input = "a", {whole}}}, %b: {tensor} {{nn.input = "b", {whole}}}) -> ({tensor} {{nn.output = "c", {whole}}}) {{
    %c = {op} %a, %b : ({tensor}, {tensor}) -> {tensor}
    return %c : {tensor}
  }}""")


if __name__ == "__main__":
    main()
