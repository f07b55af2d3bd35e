// Element by element.

#ifndef DIALECTS_NN_NNELEMENTWISEOPS_TD_
#define DIALECTS_NN_NNELEMENTWISEOPS_TD_

include "dialects/nn/NnBase.td"

// ---- One operand ------------------------------------------------------------

class Nn_UnaryOp<string mnemonic, Type element = Nn_FloatTensor,
                 list<Trait> traits = []>
    : Nn_ComputeOp<mnemonic, !listconcat([SameOperandsAndResultType], traits)> {
  let arguments = (ins element:$input);
  let results = (outs element:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Nn_NegOp : Nn_UnaryOp<"neg", Nn_NumberTensor> {
  let summary = "-x";
}
def Nn_ExpOp : Nn_UnaryOp<"exp"> {
  let summary = "e to the power x";
}
def Nn_LogOp : Nn_UnaryOp<"log"> {
  let summary = "natural logarithm";
}
def Nn_SqrtOp : Nn_UnaryOp<"sqrt"> {
  let summary = "square root";
}
def Nn_RsqrtOp : Nn_UnaryOp<"rsqrt"> {
  let summary = "1 / sqrt(x)";
}
def Nn_TanhOp : Nn_UnaryOp<"tanh"> {
  let summary = "hyperbolic tangent";
}
def Nn_SigmoidOp : Nn_UnaryOp<"sigmoid"> {
  let summary = "1 / (1 + exp(-x))";
}
def Nn_ReluOp : Nn_UnaryOp<"relu"> {
  let summary = "max(x, 0)";
}
def Nn_SiluOp : Nn_UnaryOp<"silu"> {
  let summary = "x * sigmoid(x)";
}
def Nn_GeluOp : Nn_UnaryOp<"gelu"> {
  let summary = "Gaussian error linear unit";
  let description = [{
    x * Phi(x), exactly (by erf), or with `tanh` by the usual approximation
    x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))).

    ```mlir
    %a = nn.gelu %h : tensor<64x4096xf32>
    %b = nn.gelu tanh %h : tensor<64x4096xf32>
    ```
  }];
  let arguments = (ins Nn_FloatTensor:$input, UnitAttr:$tanh);
  let assemblyFormat = "(`tanh` $tanh^)? $input attr-dict `:` type($input)";
}

def Nn_CastOp : Nn_ComputeOp<"cast"> {
  let summary = "changes the element type";
  let description = [{
    Float to integer rounds toward zero, and what no integer of the type is close
    to becomes an unspecified one; i1 becomes 0 or 1, and anything becomes
    i1 by comparison with zero.

    ```mlir
    %f = nn.cast %i : tensor<4xi32> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Nn_Tensor:$input);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

// ---- Two and three operands, broadcasting -----------------------------------

class Nn_BinaryOp<string mnemonic>
    : Nn_ComputeOp<mnemonic, [Nn_InfersTypes]> {
  let description = [{
    Shapes broadcast as in NumPy: aligned at the last dimension, an extent of 1
    (or a missing dimension) repeats.

    ```mlir
    %y = nn.}] # mnemonic # [{ %a, %b : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
    ```
  }];
  let arguments = (ins Nn_NumberTensor:$lhs, Nn_NumberTensor:$rhs);
  let results = (outs Nn_NumberTensor:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

def Nn_AddOp : Nn_BinaryOp<"add"> {
  let summary = "a + b";
}
def Nn_SubOp : Nn_BinaryOp<"sub"> {
  let summary = "a - b";
}
def Nn_MulOp : Nn_BinaryOp<"mul"> {
  let summary = "a * b";
}
def Nn_DivOp : Nn_BinaryOp<"div"> {
  let summary = "a / b; integers round toward zero, and a / 0 is 0";
}
def Nn_MaxOp : Nn_BinaryOp<"max"> {
  let summary = "the larger of a and b; NaN when either is";
}
def Nn_MinOp : Nn_BinaryOp<"min"> {
  let summary = "the smaller of a and b; NaN when either is";
}

def Nn_CompareOp : Nn_ComputeOp<"compare", [Nn_InfersTypes]> {
  let summary = "compares two tensors";
  let description = [{
    Predicates: `eq ne lt le gt ge`; shapes broadcast. Ordered: a comparison with
    NaN is false, except `ne`.

    ```mlir
    %mask = nn.compare ge %row, %column
        : (tensor<4x1xi32>, tensor<1x4xi32>) -> tensor<4x4xi1>
    ```
  }];
  let arguments = (ins Nn_Predicate:$predicate, Nn_NumberTensor:$lhs,
                       Nn_NumberTensor:$rhs);
  let results = (outs Nn_BoolTensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_SelectOp : Nn_ComputeOp<"select", [Nn_InfersTypes]> {
  let summary = "one of two elements, by a mask";
  let description = [{
    ```mlir
    %y = nn.select %mask, %a, %b
        : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    ```

    Shapes broadcast.
  }];
  let arguments = (ins Nn_BoolTensor:$condition, Nn_Tensor:$on_true,
                       Nn_Tensor:$on_false);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$condition `,` $on_true `,` $on_false attr-dict `:` "
                       "functional-type(operands, results)";
}

#endif  // DIALECTS_NN_NNELEMENTWISEOPS_TD_
