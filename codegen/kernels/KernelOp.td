#ifndef CODEGEN_KERNELS_KERNELOP_TD_
#define CODEGEN_KERNELS_KERNELOP_TD_

include "mlir/IR/OpBase.td"

def KernelOpInterface : OpInterface<"KernelOpInterface"> {
  let cppNamespace = "::sbp";
  let description = [{
    An op on local tensors of static shape whose kernel is written once for all
    targets, in loops whose iterations are independent.

    An op of another dialect may implement it itself, and its layer then compiles
    for each target. Where a target has a kernel of its own for an op, that one is
    taken.
  }];
  let methods = [
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
      "const ::sbp::KernelArguments &":$arguments)>,
  ];
}

#endif  // CODEGEN_KERNELS_KERNELOP_TD_
