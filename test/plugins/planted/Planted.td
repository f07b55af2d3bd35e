// Copies of ops of nn, each with one promise that is false.

include "codegen/kernels/KernelOp.td"
include "dialects/nn/NnInterfaces.td"
include "dialects/sbp/SbpOpBase.td"
include "mlir/IR/EnumAttr.td"

def Planted_Dialect : Dialect {
  let name = "planted";
  let cppNamespace = "::sbp::planted";
}

// The op and its false promise. "Sum" is a partial pass of sums, "Max" one of maxima.
def Planted_Mistake : I32EnumAttr<"Mistake", "an op with a false promise", [
    // One operand, elementwise.
    I32EnumAttrCase<"ExpSum", 0, "exp_sum">,
    I32EnumAttrCase<"NegMax", 1, "neg_max">,
    I32EnumAttrCase<"ReluSum", 2, "relu_sum">,
    I32EnumAttrCase<"SquareSum", 3, "square_sum">,
    I32EnumAttrCase<"AbsMax", 4, "abs_max">,
    I32EnumAttrCase<"AffineSum", 5, "affine_sum">,
    I32EnumAttrCase<"ClampSum", 6, "clamp_sum">,
    I32EnumAttrCase<"ScaledByLength", 7, "scaled_by_length">,
    I32EnumAttrCase<"SquareGradient", 8, "square_gradient">,
    // Two operands, elementwise; the second may be broadcast.
    I32EnumAttrCase<"MulJointSum", 9, "mul_joint_sum">,
    I32EnumAttrCase<"DivBottomSum", 10, "div_bottom_sum">,
    I32EnumAttrCase<"SubMax", 11, "sub_max">,
    I32EnumAttrCase<"MaxSum", 12, "max_sum">,
    I32EnumAttrCase<"AddLeftSum", 13, "add_left_sum">,
    I32EnumAttrCase<"MulGradient", 14, "mul_gradient">,
    // Along the last dimension, which the result lacks.
    I32EnumAttrCase<"RowSumAsMax", 15, "row_sum_as_max">,
    I32EnumAttrCase<"RowMaxAsSum", 16, "row_max_as_sum">,
    I32EnumAttrCase<"RowMeanOfPart", 17, "row_mean_of_part">,
    // Along the last dimension, which the result has.
    I32EnumAttrCase<"SoftmaxSplitsRow", 18, "softmax_splits_row">,
    I32EnumAttrCase<"ReverseSplitsRow", 19, "reverse_splits_row">,
    I32EnumAttrCase<"ReverseInPlace", 20, "reverse_in_place">,
    I32EnumAttrCase<"SwapsAnyPart", 21, "swaps_any_part">,
    I32EnumAttrCase<"LeavesLast", 22, "leaves_last">,
    // A square matrix.
    I32EnumAttrCase<"TransposeKeepsLoops", 23, "transpose_keeps_loops">,
    // The square of one operand, with a local form that is none, or whole, or uses the whole
    // operand, or crashes.
    I32EnumAttrCase<"BuildsNothing", 24, "builds_nothing">,
    I32EnumAttrCase<"BuildsWhole", 25, "builds_whole">,
    I32EnumAttrCase<"BuildsOnWhole", 26, "builds_on_whole">,
    I32EnumAttrCase<"BuildCrashes", 27, "build_crashes">]> {
  let cppNamespace = "::sbp::planted";
}

def Planted_WrongOp : Sbp_WholeComputeOp<Planted_Dialect, "wrong", [
    DeclareOpInterfaceMethods<Nn_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<KernelOpInterface, ["canWriteInPlace"]>]> {
  let arguments = (ins Planted_Mistake:$mistake,
                       Variadic<StaticShapeTensorOf<[F32]>>:$inputs);
  let results = (outs StaticShapeTensorOf<[F32]>:$result);
  let assemblyFormat = "$mistake $inputs attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

// The operand times `factor`. Without a factor it is multiplied by the length of its rows,
// which is another one in a part. `dims` is the number of its dimensions, and is required.
def Planted_ScaledOp : Sbp_ComputeOp<Planted_Dialect, "scaled", [
    Sbp_InfersTypes, DeclareOpInterfaceMethods<KernelOpInterface>]> {
  let arguments = (ins StaticShapeTensorOf<[F32]>:$input, I64Attr:$dims,
                       OptionalAttr<F32Attr>:$factor);
  let results = (outs StaticShapeTensorOf<[F32]>:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}

class Planted_UnaryOp<string mnemonic>
    : Sbp_ComputeOp<Planted_Dialect, mnemonic, [
        Sbp_SameTypeUpToPlacement, DeclareOpInterfaceMethods<KernelOpInterface>]> {
  let arguments = (ins StaticShapeTensorOf<[F32]>:$input);
  let results = (outs StaticShapeTensorOf<[F32]>:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}

// Declares loops of extent 3, whatever the shape.
def Planted_UnfitOp : Planted_UnaryOp<"unfit">;

// Crashes where it declares the loops of a scalar.
def Planted_CrashingOp : Planted_UnaryOp<"crashing">;

// Two results; claims that the second, the square, is linear.
def Planted_PowersOp : Planted_UnaryOp<"powers"> {
  let results = (outs StaticShapeTensorOf<[F32]>:$first, StaticShapeTensorOf<[F32]>:$second);
}

// A kernel that adds an index to a number.
def Planted_MixedOp : Planted_UnaryOp<"mixed">;

// The operand plus `by`, which the local form forgets.
def Planted_ShiftedOp : Sbp_WholeComputeOp<Planted_Dialect, "shifted", [
    DeclareOpInterfaceMethods<KernelOpInterface>]> {
  let arguments = (ins StaticShapeTensorOf<[F32]>:$input, Optional<0DTensorOf<[I64]>>:$by);
  let results = (outs StaticShapeTensorOf<[F32]>:$result);
  let assemblyFormat = "$input (`by` $by^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

// Reverses each of `groups` groups of neighbours in the only dimension. The local form has the
// groups of the whole.
def Planted_GroupedOp : Planted_UnaryOp<"grouped"> {
  let arguments = (ins StaticShapeTensorOf<[F32]>:$input, I64Attr:$groups);
  let hasVerifier = 1;
}

// A product, linear in its second operand, with a trait that compares placements: so it
// refuses (B, P(sum)) -> P(sum).
def Planted_StrictOp : Sbp_ComputeOp<Planted_Dialect, "strict", [
    SameOperandsAndResultType, DeclareOpInterfaceMethods<KernelOpInterface>]> {
  let arguments = (ins StaticShapeTensorOf<[F32]>:$gate, StaticShapeTensorOf<[F32]>:$value);
  let results = (outs StaticShapeTensorOf<[F32]>:$result);
  let assemblyFormat = "$gate `,` $value attr-dict `:` type($result)";
}
