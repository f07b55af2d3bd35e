// Contractions, reductions, normalisations, look-ups and losses.

#ifndef DIALECTS_NN_NNTENSOROPS_TD_
#define DIALECTS_NN_NNTENSOROPS_TD_

include "dialects/nn/NnBase.td"

def Nn_EinsumOp : Nn_ComputeOp<"einsum", [Nn_InfersTypes]> {
  let summary = "any contraction of two tensors";
  let description = [{
    One letter per dimension. A letter that the result lacks is summed; all
    matrix products, their batched forms and their gradients are this op.

    ```mlir
    %y = nn.einsum "bi,ij->bj" %x, %w
       : (tensor<64x8xf32>, tensor<8x4xf32>) -> tensor<64x4xf32>
    ```

    **Constraints**
    - (C1) The equation reads "letters,letters->letters", one letter per dimension
      of each tensor, none twice in one tensor.
    - (C2) A letter has one extent.
    - (C3) A letter of the result is in an operand, and a letter that is in one
      operand only is in the result (sum it first by `nn.reduce`).
  }];
  let arguments = (ins StrAttr:$equation, Nn_FloatTensor:$lhs,
                       Nn_FloatTensor:$rhs);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$equation $lhs `,` $rhs attr-dict `:` "
                       "functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// The letters of the left operand, the right operand and the result.
    ::sbp::nn::EinsumLetters getLetters();
  }];
}

def Nn_AttentionOp : Nn_ComputeOp<"attention", [Nn_InfersTypes]> {
  let summary = "softmax(scale * q k^T) v, fused";
  let description = [{
    `query` [..., T, D], `key` [..., S, D], `value` [..., S, E]; result [..., T, E].
    The leading dimensions (batch, heads) are equal. With `causal` row t sees the
    columns up to t + S - T; a row that sees none gives zeros.

    ```mlir
    %y = nn.attention causal %q, %k, %v {scale = 0.125 : f64}
       : (tensor<8x6x256x64xf32>, tensor<8x6x256x64xf32>, tensor<8x6x256x64xf32>)
       -> tensor<8x6x256x64xf32>
    ```

    No tensor of T x S elements is ever stored.
  }];
  let arguments = (ins UnitAttr:$causal, Nn_FloatTensor:$query,
                       Nn_FloatTensor:$key, Nn_FloatTensor:$value,
                       F64Attr:$scale);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "(`causal` $causal^)? $query `,` $key `,` $value attr-dict "
                       "`:` functional-type(operands, results)";
}

def Nn_ReduceOp : Nn_WholeComputeOp<"reduce", [Nn_InfersTypes]> {
  let summary = "sum, max, min or mean over dimensions";
  let description = [{
    ```mlir
    %s = nn.reduce sum %x over [0, 2] : tensor<2x3x4xf32> -> tensor<3xf32>
    %m = nn.reduce mean %x over [1] keep : tensor<2x3xf32> -> tensor<2x1xf32>
    ```

    Of no elements the sum is 0, the maximum the lowest value of the type (-inf)
    and the minimum the highest. `keep` leaves the reduced dimensions with extent 1.
    `count`, which exists in local programs, is what a mean divides by when it is
    not the product of the reduced extents.

    **Constraints**
    - (C1) Dimensions are in range, ascending, without repetition.
    - (C2) A mean is of floating point.
  }];
  let arguments = (ins Nn_ReduceKind:$kind, Nn_NumberTensor:$input,
                       DenseI64ArrayAttr:$dims, UnitAttr:$keep,
                       OptionalAttr<I64Attr>:$count);
  let results = (outs Nn_NumberTensor:$result);
  let assemblyFormat = "$kind $input `over` $dims (`keep` $keep^)? attr-dict `:` "
                       "type($input) `->` type($result)";
  let extraClassDeclaration = [{
    /// What a mean divides by.
    int64_t getDivisor();
  }];
}

class Nn_SoftmaxLikeOp<string mnemonic>
    : Nn_ComputeOp<mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins Nn_FloatTensor:$input, I64Attr:$dim);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `dim` $dim attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def Nn_SoftmaxOp : Nn_SoftmaxLikeOp<"softmax"> {
  let summary = "exp(x) / sum exp(x) along a dimension";
  let description = [{
    ```mlir
    %p = nn.softmax %x dim 1 : tensor<4x5xf32>
    ```
  }];
}

def Nn_LogSoftmaxOp : Nn_SoftmaxLikeOp<"log_softmax"> {
  let summary = "x - log(sum exp(x)) along a dimension";
  let description = [{
    ```mlir
    %p = nn.log_softmax %x dim 1 : tensor<4x5xf32>
    ```
  }];
}

def Nn_LayerNormOp : Nn_ComputeOp<"layer_norm", [Nn_InfersTypes]> {
  let summary = "normalises the last dimension to mean 0 and variance 1";
  let description = [{
    (x - mean) / sqrt(variance + epsilon) * gamma + beta, the variance being the
    biased one. `gamma` and `beta` have the extent of the last dimension.

    ```mlir
    %y = nn.layer_norm %x, %gamma, %beta
       : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$gamma,
                       Nn_FloatTensor:$beta,
                       DefaultValuedAttr<Nn_NotNegative, "1.0e-5">:$epsilon);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `,` $gamma `,` $beta attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_RmsNormOp : Nn_ComputeOp<"rms_norm", [Nn_InfersTypes]> {
  let summary = "divides the last dimension by its root mean square";
  let description = [{
    x / sqrt(mean(x^2) + epsilon) * gamma.

    ```mlir
    %y = nn.rms_norm %x, %gamma : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$gamma,
                       DefaultValuedAttr<Nn_NotNegative, "1.0e-5">:$epsilon);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat =
      "$input `,` $gamma attr-dict `:` functional-type(operands, results)";
}

def Nn_EmbeddingOp : Nn_WholeComputeOp<"embedding", [Nn_InfersTypes,
    DeclareOpInterfaceMethods<Nn_IndexOpInterface>]> {
  let summary = "rows of a table";
  let description = [{
    `table` [V, D], `indices` [...]; result [..., D]. An index outside the table
    gives zeros: so a table split by rows gives Partial sums.

    ```mlir
    %e = nn.embedding %table, %tokens
       : (tensor<256x64xf32>, tensor<8x32xi32>) -> tensor<8x32x64xf32>
    ```

    `first_row` exists in local programs: the index of the table's first row.
  }];
  let arguments = (ins Nn_FloatTensor:$table, Nn_IntegerTensor:$indices,
                       Optional<0DTensorOf<[I64]>>:$first_row);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$table `,` $indices (`from` $first_row^)? attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_CrossEntropyOp : Nn_WholeComputeOp<"cross_entropy", [Nn_InfersTypes,
    DeclareOpInterfaceMethods<Nn_IndexOpInterface>]> {
  let summary = "mean negative log-likelihood of integer labels";
  let description = [{
    `logits` [..., V], `labels` [...]; the mean over all labels of
    -log_softmax(logits)[label]. A label that is no class makes the loss NaN.

    ```mlir
    %loss = nn.cross_entropy %logits, %labels
          : (tensor<8x32x256xf32>, tensor<8x32xi32>) -> tensor<f32>
    ```

    `count`, which exists in local programs, is the number of labels of the whole
    tensor.
  }];
  let arguments = (ins Nn_FloatTensor:$logits, Nn_IntegerTensor:$labels,
                       OptionalAttr<I64Attr>:$count);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$logits `,` $labels attr-dict `:` "
                       "functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// What the mean divides by.
    int64_t getDivisor();
  }];
}

def Nn_MseOp : Nn_WholeComputeOp<"mse", [Nn_InfersTypes]> {
  let summary = "mean squared error";
  let description = [{
    ```mlir
    %loss = nn.mse %x, %y : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<f32>
    ```

    `count`, which exists in local programs, is the number of elements of the whole
    tensor.
  }];
  let arguments = (ins Nn_FloatTensor:$lhs, Nn_FloatTensor:$rhs,
                       OptionalAttr<I64Attr>:$count);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// What the mean divides by.
    int64_t getDivisor();
  }];
}

#endif  // DIALECTS_NN_NNTENSOROPS_TD_
