#ifndef CODEGEN_CUDA_KERNELOP_TD_
#define CODEGEN_CUDA_KERNELOP_TD_

include "mlir/IR/OpBase.td"

def CudaKernelOpInterface : OpInterface<"CudaKernelOpInterface"> {
  let cppNamespace = "::sbp::cuda";
  let description = [{
    An op on local tensors of static shape that has a kernel of its own for GPUs.

    `codegen/cuda/lower` attaches this interface to ops of the nn dialect that
    loops with independent iterations (KernelOpInterface) cannot express well:
    their threads share memory, or they need several launches.
  }];
  let methods = [
    InterfaceMethod<[{
      Number of bytes of scratch memory that the kernel needs, besides its
      operands and results.
    }], "int64_t", "getGpuScratchBytes", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return 0;">,
    InterfaceMethod<[{
      Whether result `result` may be written to the buffer of operand `operand`
      (both are numbers).
    }], "bool", "canWriteInPlaceOnGpu", (ins "unsigned":$result, "unsigned":$operand),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
      Emits the kernel's code as a sequence of launches, which read the buffers
      of the operands and write every element of the buffers of the results.
    }], "void", "buildKernel", (ins "::sbp::cuda::Launches &":$launches)>,
  ];
}

#endif  // CODEGEN_CUDA_KERNELOP_TD_
