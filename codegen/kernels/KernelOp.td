#ifndef CODEGEN_KERNELS_KERNELOP_TD_
#define CODEGEN_KERNELS_KERNELOP_TD_

include "mlir/IR/OpBase.td"

def KernelOpInterface : OpInterface<"KernelOpInterface"> {
  let cppNamespace = "::sbp";
  let description = [{
    An op on local tensors of static shape whose kernel is written once for all
    targets, in loops whose iterations are independent.

    An op of any dialect may implement this interface; it then compiles for every
    target. If a target has a kernel of its own for the op, the target uses that
    one instead.
  }];
  let methods = [
    InterfaceMethod<[{
      Whether result `result` may be written to the buffer of operand `operand`
      (both are numbers).
    }], "bool", "canWriteInPlace", (ins "unsigned":$result, "unsigned":$operand),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
      Emits the kernel's code, which reads the buffers of the operands and writes
      every element of the buffers of the results.
    }], "void", "buildKernel", (ins
      "::sbp::KernelBuilder &":$builder,
      "const ::sbp::KernelArguments &":$arguments)>,
  ];
}

#endif  // CODEGEN_KERNELS_KERNELOP_TD_
