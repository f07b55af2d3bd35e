// Elementwise ops: each element of the result depends on one element of each operand.

#ifndef DIALECTS_NN_NNELEMENTWISEOPS_TD_
#define DIALECTS_NN_NNELEMENTWISEOPS_TD_

include "dialects/nn/NnBase.td"

// ---- One operand ------------------------------------------------------------

// An elementwise op with one operand x; `formula` is the result in terms of x.
class Nn_UnaryOp<string mnemonic, string formula, Type element = Nn_FloatTensor>
    : Nn_ComputeOp<mnemonic, [SameOperandsAndResultType]> {
  let description = "    result = " # formula # [{, for each element x of the operand.

    ```mlir
    %y = nn.}] # mnemonic # [{ %x : tensor<4x8xf32>
    ```

    **Constraints**
    - (C1) Operand and result have the same type.
  }];
  let arguments = (ins element:$input);
  let results = (outs element:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Nn_NegOp : Nn_UnaryOp<"neg", "-x", Nn_NumberTensor> {
  let summary = "negation";
  let hasFolder = 1;
}
def Nn_ExpOp : Nn_UnaryOp<"exp", "e^x"> {
  let summary = "exponential function";
}
def Nn_LogOp : Nn_UnaryOp<"log", "ln(x)"> {
  let summary = "natural logarithm";
}
def Nn_SqrtOp : Nn_UnaryOp<"sqrt", "sqrt(x)"> {
  let summary = "square root";
}
def Nn_RsqrtOp : Nn_UnaryOp<"rsqrt", "1 / sqrt(x)"> {
  let summary = "reciprocal square root";
}
def Nn_TanhOp : Nn_UnaryOp<"tanh", "tanh(x)"> {
  let summary = "hyperbolic tangent";
}
def Nn_SigmoidOp : Nn_UnaryOp<"sigmoid", "1 / (1 + e^-x)"> {
  let summary = "logistic function";
}
def Nn_ReluOp : Nn_UnaryOp<"relu", "max(x, 0)"> {
  let summary = "rectified linear unit";
  let hasFolder = 1;
}
def Nn_SiluOp : Nn_UnaryOp<"silu", "x * sigmoid(x)"> {
  let summary = "sigmoid linear unit";
}
def Nn_GeluOp : Nn_UnaryOp<"gelu", ""> {
  let summary = "Gaussian error linear unit";
  let description = [{
    result = x * Phi(x), where Phi is the cumulative distribution function of the
    standard normal distribution: x/2 * (1 + erf(x / sqrt(2))). With `tanh` it is the
    approximation

        x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3)))

    ```mlir
    %a = nn.gelu %h : tensor<64x4096xf32>
    %b = nn.gelu tanh %h : tensor<64x4096xf32>
    ```

    **Constraints**
    - (C1) Operand and result have the same type.
  }];
  let arguments = (ins Nn_FloatTensor:$input, UnitAttr:$tanh);
  let assemblyFormat = "(`tanh` $tanh^)? $input attr-dict `:` type($input)";
}

def Nn_CastOp : Nn_ComputeOp<"cast"> {
  let summary = "conversion to another element type";
  let description = [{
    Converts each element to the element type of the result. Floating point to integer
    rounds toward zero; a number outside the integer type's range becomes an unspecified
    integer. An i1 becomes 0 or 1. A number becomes the i1 `x != 0`.

    ```mlir
    %f = nn.cast %i : tensor<4xi32> -> tensor<4xf32>
    ```

    **Constraints**
    - (C1) Operand and result have the same shape.
  }];
  let arguments = (ins Nn_Tensor:$input);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

// ---- Two and three operands, broadcasting -----------------------------------

// An elementwise op with operands a and b, whose shapes broadcast; `formula` is the
// result in terms of a and b.
class Nn_BinaryOp<string mnemonic, string formula>
    : Nn_ComputeOp<mnemonic, [Sbp_InfersTypes]> {
  let description = "    result = " # formula # [{, for each pair of elements a and b.
    Shapes broadcast as in NumPy: aligned at the last dimension, where an extent of 1 or
    a missing dimension repeats.

    ```mlir
    %y = nn.}] # mnemonic # [{ %a, %b : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
    ```

    **Constraints**
    - (C1) Both operands have the same element type.
    - (C2) Aligned at the last dimension, their extents are pairwise equal, or one of
      them is 1.
    - (C3) The result has this element type and the broadcast shape.
  }];
  let arguments = (ins Nn_NumberTensor:$lhs, Nn_NumberTensor:$rhs);
  let results = (outs Nn_NumberTensor:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

def Nn_AddOp : Nn_BinaryOp<"add", "a + b"> {
  let summary = "elementwise addition";
  let hasFolder = 1;
}
def Nn_SubOp : Nn_BinaryOp<"sub", "a - b"> {
  let summary = "elementwise subtraction";
  let hasFolder = 1;
}
def Nn_MulOp : Nn_BinaryOp<"mul", "a * b"> {
  let summary = "elementwise multiplication";
  let hasFolder = 1;
}
def Nn_DivOp : Nn_BinaryOp<"div", "a / b (of integers rounded toward zero, and 0 if b is 0)"> {
  let summary = "elementwise division";
  let hasFolder = 1;
}
def Nn_MaxOp : Nn_BinaryOp<"max", "max(a, b) (NaN if a or b is NaN)"> {
  let summary = "elementwise maximum";
  let hasFolder = 1;
}
def Nn_MinOp : Nn_BinaryOp<"min", "min(a, b) (NaN if a or b is NaN)"> {
  let summary = "elementwise minimum";
  let hasFolder = 1;
}

def Nn_CompareOp : Nn_ComputeOp<"compare", [Sbp_InfersTypes]> {
  let summary = "elementwise comparison";
  let description = [{
    Compares each pair of elements by `predicate`: `eq`, `ne`, `lt`, `le`, `gt` or `ge`.
    Shapes broadcast as those of `nn.add`. A comparison with NaN is false, except `ne`,
    which is true.

    ```mlir
    %mask = nn.compare ge %row, %column
        : (tensor<4x1xi32>, tensor<1x4xi32>) -> tensor<4x4xi1>
    ```

    **Constraints**
    - (C1) Both operands have the same element type.
    - (C2) Aligned at the last dimension, their extents are pairwise equal, or one of
      them is 1.
    - (C3) The result has element type i1 and the broadcast shape.
  }];
  let arguments = (ins Nn_Predicate:$predicate, Nn_NumberTensor:$lhs,
                       Nn_NumberTensor:$rhs);
  let results = (outs Nn_BoolTensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_SelectOp : Nn_ComputeOp<"select", [Sbp_InfersTypes]> {
  let summary = "elementwise choice by a mask";
  let description = [{
    result = `on_true` where `condition` is true, `on_false` elsewhere. The three shapes
    broadcast as those of `nn.add`.

    ```mlir
    %y = nn.select %mask, %a, %b
        : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    ```

    **Constraints**
    - (C1) `on_true` and `on_false` have the same element type.
    - (C2) Aligned at the last dimension, the extents of the three operands are equal,
      or 1.
    - (C3) The result has this element type and the broadcast shape.
  }];
  let arguments = (ins Nn_BoolTensor:$condition, Nn_Tensor:$on_true,
                       Nn_Tensor:$on_false);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$condition `,` $on_true `,` $on_false attr-dict `:` "
                       "functional-type(operands, results)";
  let hasFolder = 1;
}

#endif  // DIALECTS_NN_NNELEMENTWISEOPS_TD_
