#ifndef CODEGEN_CPU_KERNELOP_TD_
#define CODEGEN_CPU_KERNELOP_TD_

include "mlir/IR/OpBase.td"

def CpuKernelOpInterface : OpInterface<"CpuKernelOpInterface"> {
  let cppNamespace = "::sbp::cpu";
  let description = [{
    An op on local tensors of static shape that can be emitted as a CPU kernel.

    The ops of the nn dialect get it from `codegen/cpu/lower`, attached from
    outside; an op of another dialect may implement it itself, and its layer then
    compiles like any other.
  }];
  let methods = [
    InterfaceMethod<[{
      How many bytes of scratch memory the kernel works in, besides its operands
      and results.
    }], "int64_t", "getScratchBytes", (ins "const ::sbp::cpu::Target &":$target),
      /*methodBody=*/"", /*defaultImplementation=*/"return 0;">,
    InterfaceMethod<[{
      Whether the kernel is still right when result number `result` is in the very
      buffer of operand number `operand`.
    }], "bool", "canWriteInPlace", (ins "unsigned":$result, "unsigned":$operand),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
      Emits the kernel's code: reads the operands' buffers, writes every element
      of the results'.
    }], "void", "buildKernel", (ins
      "::sbp::KernelBuilder &":$builder,
      "const ::sbp::cpu::KernelArguments &":$arguments)>,
  ];
}

#endif  // CODEGEN_CPU_KERNELOP_TD_
