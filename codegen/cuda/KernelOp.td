#ifndef CODEGEN_CUDA_KERNELOP_TD_
#define CODEGEN_CUDA_KERNELOP_TD_

include "mlir/IR/OpBase.td"

def CudaKernelOpInterface : OpInterface<"CudaKernelOpInterface"> {
  let cppNamespace = "::sbp::cuda";
  let description = [{
    An op on local tensors of static shape that has a kernel for GPUs of its own.

    The ops of the nn dialect get it from `codegen/cuda/lower`, attached from
    outside, where loops whose iterations are independent (KernelOpInterface) do
    not say enough.
  }];
  let methods = [
    InterfaceMethod<[{
      How many bytes of scratch memory the kernel works in, besides its operands
      and results.
    }], "int64_t", "getScratchBytes", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return 0;">,
    InterfaceMethod<[{
      Whether the kernel is still right when result number `result` is in the very
      buffer of operand number `operand`.
    }], "bool", "canWriteInPlace", (ins "unsigned":$result, "unsigned":$operand),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
      Emits the kernel's code: launches, one behind the other, which read the
      operands' buffers and write every element of the results'.
    }], "void", "buildKernel", (ins "::sbp::cuda::Launches &":$launches)>,
  ];
}

#endif  // CODEGEN_CUDA_KERNELOP_TD_
