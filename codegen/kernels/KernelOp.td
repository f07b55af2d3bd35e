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

def ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::sbp";
  let description = [{
    An op that computes each element of its results from one element of each operand:
    from the element at the same position. All results have one shape, to which the
    operands broadcast: aligned at the last dimension, an extent of 1 or a missing
    dimension repeats. The op has no effects.

    The op's kernel for all targets follows from this interface, and the op needs no
    `KernelOpInterface`. A result may be written to the buffer of an operand of its type.
    Element-wise ops that follow one another are computed by one kernel
    (`rank.fused`), with the same bits.
  }];
  let methods = [
    InterfaceMethod<[{
      Emits the computation of one element of each result from `operands`, one element
      of each operand, and returns these elements. The values may also be vectors of
      elements. `x` emits the arithmetic.
    }], "::llvm::SmallVector<::mlir::Value>", "buildElement", (ins
      "::sbp::Arithmetic &":$x, "::mlir::ValueRange":$operands)>,
  ];
}

#endif  // CODEGEN_KERNELS_KERNELOP_TD_
