// Ops whose rules are right or wrong, as a test wants them.

include "codegen/cpu/KernelOp.td"
include "codegen/cuda/KernelOp.td"
include "codegen/kernels/KernelOp.td"
include "dialects/sbp/SbpOpBase.td"

def Trial_Dialect : Dialect {
  let name = "trial";
  let cppNamespace = "::sbp::trial";
}

defvar Trial_Tensor = StaticShapeTensorOf<[AnyFloat]>;

// An op with the loops that its attributes declare. `reductions`, `wholes` and `even` list
// loops; `passes` lists the operands of partial passes of sums. An element of `fetching` is
// a communicating signature: its loop, and the dimension along which each operand and
// result is split, or -1.
def Trial_DeclaredOp : Sbp_ComputeOp<Trial_Dialect, "declared", [
    DeclareOpInterfaceMethods<CommunicatingOpInterface>]> {
  let arguments = (ins Variadic<AnyType>:$inputs, DenseI64ArrayAttr:$extents,
                       ArrayAttr:$operand_loops, ArrayAttr:$result_loops,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$reductions,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$wholes,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$even,
                       DefaultValuedAttr<ArrayAttr, "{}">:$passes,
                       DefaultValuedAttr<ArrayAttr, "{}">:$fetching,
                       DefaultValuedAttr<F64Attr, "1.0">:$flops);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $inputs `loops` $extents `:` $operand_loops `->` $result_loops attr-dict `:`
    functional-type(operands, results)
  }];
}

// An elementwise op of two operands, linear in the second.
class Trial_GateOp<string mnemonic, list<Trait> traits>
    : Sbp_ComputeOp<Trial_Dialect, mnemonic, traits> {
  let arguments = (ins Trial_Tensor:$gate, Trial_Tensor:$value);
  let results = (outs Trial_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def Trial_GateOp : Trial_GateOp<"gate", [Sbp_SameTypeUpToPlacement]>;
def Trial_StrictGateOp : Trial_GateOp<"strict_gate", [SameOperandsAndResultType]>;
def Trial_InferringGateOp
    : Trial_GateOp<"inferring_gate", [InferTypeOpAdaptorBase<[{
      static bool isCompatibleReturnTypes(::mlir::TypeRange, ::mlir::TypeRange) {
        return true;
      }
    }]>]>;

// An op on pairs of neighbours in the only dimension. With `in_pairs` its loop runs over
// pairs, and otherwise over elements, which is wrong.
def Trial_SwapOp : Sbp_ComputeOp<Trial_Dialect, "swap", [Sbp_SameTypeUpToPlacement]> {
  let arguments = (ins Trial_Tensor:$input, UnitAttr:$in_pairs);
  let results = (outs Trial_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

// An op whose local form has the type of the whole tensor.
def Trial_UncutOp : Sbp_WholeComputeOp<Trial_Dialect, "uncut"> {
  let arguments = (ins Trial_Tensor:$input);
  let results = (outs Trial_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}

// An elementwise op with the signature (B) -> (S(0)) in which it cuts its operand, which it
// then forgets to do.
def Trial_CuttingOp : Sbp_ComputeOp<Trial_Dialect, "cutting", [
    DeclareOpInterfaceMethods<CommunicatingOpInterface>]> {
  let arguments = (ins Trial_Tensor:$input);
  let results = (outs Trial_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}

// An elementwise op that builds no local form, one with two results, or one that it takes out
// of the program again.
def Trial_UnbuiltOp : Sbp_WholeComputeOp<Trial_Dialect, "unbuilt", [Sbp_SameTypeUpToPlacement]> {
  let arguments = (ins Trial_Tensor:$input, UnitAttr:$with_two_results,
                       UnitAttr:$elsewhere);
  let results = (outs Trial_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}

// An elementwise op with the signature (B) -> (S(0)) in which it cuts its operand. On one
// mesh axis it does, unless an attribute says otherwise; on several it forgets the result.
def Trial_SlicingOp : Sbp_ComputeOp<Trial_Dialect, "slicing", [
    Sbp_SameTypeUpToPlacement, DeclareOpInterfaceMethods<CommunicatingOpInterface>]> {
  let arguments = (ins Trial_Tensor:$input, UnitAttr:$returns_twice,
                       UnitAttr:$returns_null, UnitAttr:$over_no_axis);
  let results = (outs Trial_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}

// An op that does not declare its interface: the dialect attaches it. `extent` is that of
// its loop.
def Trial_AttachedOp : Op<Trial_Dialect, "attached", [Pure, Sbp_SameTypeUpToPlacement]> {
  let arguments = (ins Trial_Tensor:$input, I64Attr:$extent);
  let results = (outs Trial_Tensor:$result);
  let assemblyFormat = "$input `loop` $extent attr-dict `:` functional-type(operands, results)";
}

// An op with a kernel for all targets and one for each, of which the one for CPUs alone can
// write in place.
def Trial_CopyOp : Sbp_ComputeOp<Trial_Dialect, "copy", [
    SameOperandsAndResultType, DeclareOpInterfaceMethods<KernelOpInterface>,
    DeclareOpInterfaceMethods<CpuKernelOpInterface, ["canWriteInPlaceOnCpu"]>,
    DeclareOpInterfaceMethods<CudaKernelOpInterface>]> {
  let arguments = (ins Trial_Tensor:$input);
  let results = (outs Trial_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

// A copy whose kernel for GPUs has no launch, or with `mixed` adds an index to an element.
def Trial_BadGpuCopyOp : Sbp_ComputeOp<Trial_Dialect, "bad_gpu_copy", [
    SameOperandsAndResultType, DeclareOpInterfaceMethods<KernelOpInterface>,
    DeclareOpInterfaceMethods<CudaKernelOpInterface>]> {
  let arguments = (ins Trial_Tensor:$input, UnitAttr:$mixed);
  let results = (outs Trial_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}
