#ifndef CODEGEN_CPU_KERNELOP_TD_
#define CODEGEN_CPU_KERNELOP_TD_

include "mlir/IR/OpBase.td"

def CpuKernelOpInterface : OpInterface<"CpuKernelOpInterface"> {
  let cppNamespace = "::sbp::cpu";
  let description = [{
    An op on local tensors of static shape that can be emitted as a CPU kernel.

    `codegen/cpu/lower` attaches the interface to ops of the nn dialect. An op of
    another dialect may implement it itself, and then compiles like any other. It may
    implement `KernelOpInterface` and `CudaKernelOpInterface` as well, and answer
    differently for each: only `buildKernel` has the same name in all three, and its
    arguments differ.
  }];
  let methods = [
    InterfaceMethod<[{
      Returns the bytes of scratch memory that the kernel needs besides its operands
      and results.
    }], "int64_t", "getCpuScratchBytes", (ins "const ::sbp::cpu::Target &":$target),
      /*methodBody=*/"", /*defaultImplementation=*/"return 0;">,
    InterfaceMethod<[{
      Whether the kernel is still correct if result `result` is in the buffer of
      operand `operand`.
    }], "bool", "canWriteInPlaceOnCpu", (ins "unsigned":$result, "unsigned":$operand),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
      Emits the kernel's code, which reads the operands' buffers and writes every
      element of the results' buffers.
    }], "void", "buildKernel", (ins
      "::sbp::KernelBuilder &":$builder,
      "const ::sbp::cpu::KernelArguments &":$arguments)>,
  ];
}

#endif  // CODEGEN_CPU_KERNELOP_TD_
