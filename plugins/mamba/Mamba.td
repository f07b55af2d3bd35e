// The dialect of the plug-in: the layer of Mamba-2 that the nn dialect lacks, and its
// gradient. It is a model to copy: docs/adding-an-op.md explains it line by line.

#ifndef PLUGINS_MAMBA_MAMBA_TD_
#define PLUGINS_MAMBA_MAMBA_TD_

include "codegen/cpu/KernelOp.td"
include "codegen/cuda/KernelOp.td"
include "codegen/kernels/KernelOp.td"
include "dialects/nn/NnInterfaces.td"
include "dialects/sbp/SbpOpBase.td"
include "dialects/support/AttributeText.td"

def Mamba_Dialect : Dialect {
  let name = "mamba";
  let cppNamespace = "::sbp::mamba";
  let summary = "Ops of Mamba-2 (Dao and Gu, 2024) that the nn dialect lacks";
}

defvar Mamba_Tensor = StaticShapeTensorOf<[AnyFloat]>;

// What both ops have. Sbp_WholeComputeOp: `groups` is the number of groups of the whole
// tensor, so the op builds its local form itself, with fewer groups. Sbp_InfersTypes: the
// result types follow from the operands, by inferReturnTypes.
class Mamba_Op<string mnemonic, list<Trait> traits>
    : Sbp_WholeComputeOp<Mamba_Dialect, mnemonic, [Sbp_InfersTypes] # traits>;

// Differentiable, and its kernel is written once for all targets.
def Mamba_GatedNormOp : Mamba_Op<"gated_norm", [
    DeclareOpInterfaceMethods<Nn_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<KernelOpInterface, ["canWriteInPlace"]>]> {
  let summary = "gated root mean square normalisation of groups";
  let description = [{
    With h = input * silu(gate), and the last dimension divided into `groups` groups of
    neighbours,

        result = h / sqrt(mean(h^2) + epsilon) * scale

    where the mean is that of an element's group. Mamba-2 normalises each group by itself
    so that devices that split the last dimension need not communicate (section 8.1).

    ```mlir
    %y = mamba.gated_norm %x, %z, %scale groups 4
       : (tensor<8x32x64xf32>, tensor<8x32x64xf32>, tensor<64xf32>)
       -> tensor<8x32x64xf32>
    ```

    **Constraints**
    - (C1) `input` has at least one dimension, and `gate` has its shape and element type.
    - (C2) `scale` has rank 1, the extent of the input's last dimension, and its element
      type.
    - (C3) `groups` is at least 1, and the last extent is a positive multiple of it.
    - (C4) `epsilon` is finite and at least 0.
    - (C5) The result has the input's shape and element type.
  }];
  let arguments = (ins Mamba_Tensor:$input, Mamba_Tensor:$gate, Mamba_Tensor:$scale,
                       I64Attr:$groups,
                       DefaultValuedAttr<F64Attr, "1.0e-5">:$epsilon);
  let results = (outs Mamba_Tensor:$result);
  let assemblyFormat =
      "operands `groups` $groups"
      # Sbp_Attributes<["groups"]>.format
      # " `:` functional-type(operands, results)";
}

// The gradient of `scale` is a sum over positions. Parallel loops cannot add up what other
// iterations write, so the op has a kernel for CPUs and one for GPUs.
def Mamba_GatedNormGradOp : Mamba_Op<"gated_norm_grad", [
    DeclareOpInterfaceMethods<CpuKernelOpInterface, ["canWriteInPlaceOnCpu"]>,
    DeclareOpInterfaceMethods<CudaKernelOpInterface,
                              ["canWriteInPlaceOnGpu", "getGpuScratchBytes"]>]> {
  let summary = "gradients of mamba.gated_norm";
  let description = [{
    The gradients of the operands of `mamba.gated_norm`, whose result has the gradient
    `gradient`. Constraints are those of `mamba.gated_norm`; `gradient` has the type of
    `input`, and each result has that of its operand.
  }];
  let arguments = (ins Mamba_Tensor:$input, Mamba_Tensor:$gate, Mamba_Tensor:$scale,
                       Mamba_Tensor:$gradient, I64Attr:$groups,
                       DefaultValuedAttr<F64Attr, "1.0e-5">:$epsilon);
  let results = (outs Mamba_Tensor:$input_gradient, Mamba_Tensor:$gate_gradient,
                      Mamba_Tensor:$scale_gradient);
  let assemblyFormat =
      "operands `groups` $groups"
      # Sbp_Attributes<["groups"]>.format
      # " `:` functional-type(operands, results)";
}

#endif  // PLUGINS_MAMBA_MAMBA_TD_
