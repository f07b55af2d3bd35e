// Contractions, reductions, normalisations, table lookups and losses.

#ifndef DIALECTS_NN_NNTENSOROPS_TD_
#define DIALECTS_NN_NNTENSOROPS_TD_

include "dialects/nn/NnBase.td"

def Nn_EinsumOp : Nn_ComputeOp<"einsum", [Sbp_InfersTypes]> {
  let summary = "contraction of two tensors, in Einstein's notation";
  let description = [{
    `equation` names each dimension of the operands and the result by a letter. The
    result is the product of the operands, summed over the letters that the result
    lacks. "bi,ij->bj" is

        result[b, j] = sum over i of lhs[b, i] * rhs[i, j]

    Matrix products, batched ones, and their gradients are all this op.

    ```mlir
    %y = nn.einsum "bi,ij->bj" %x, %w
       : (tensor<64x8xf32>, tensor<8x4xf32>) -> tensor<64x4xf32>
    ```

    **Constraints**
    - (C1) `equation` has the form "letters,letters->letters", with one letter per
      dimension of each operand, and no letter twice in one tensor.
    - (C2) Both operands have the same element type.
    - (C3) A letter has the same extent in both operands.
    - (C4) Each letter of the result is in an operand, and a letter that is in one
      operand only is in the result (`nn.reduce` sums over such a dimension).
    - (C5) The result has the extents of its letters, and the operands' element type.
  }];
  let arguments = (ins StrAttr:$equation, Nn_FloatTensor:$lhs,
                       Nn_FloatTensor:$rhs);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$equation $lhs `,` $rhs attr-dict `:` "
                       "functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// Returns the letters of `lhs`, `rhs` and the result.
    ::sbp::nn::EinsumLetters getLetters();
  }];
}

def Nn_AttentionOp : Nn_ComputeOp<"attention", [Sbp_InfersTypes]> {
  let summary = "scaled dot-product attention";
  let description = [{
    result = softmax(scale * query * key^T) * value, where the softmax is along the S
    columns, for `query` [..., T, D], `key` [..., S, D] and `value` [..., S, E]. The
    leading dimensions are batch and heads. With `causal`, row t attends to the columns
    up to t + S - T only; a row without columns gives zeros.

    ```mlir
    %y = nn.attention causal %q, %k, %v {scale = 0.125 : f64}
       : (tensor<8x6x256x64xf32>, tensor<8x6x256x64xf32>, tensor<8x6x256x64xf32>)
       -> tensor<8x6x256x64xf32>
    ```

    No tensor of T x S elements is stored.

    **Constraints**
    - (C1) All operands have the same element type.
    - (C2) `query`, `key` and `value` have the shapes [..., T, D], [..., S, D] and
      [..., S, E], with the same leading dimensions.
    - (C3) The result has the shape [..., T, E] and this element type.
  }];
  let arguments = (ins UnitAttr:$causal, Nn_FloatTensor:$query,
                       Nn_FloatTensor:$key, Nn_FloatTensor:$value,
                       F64Attr:$scale);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat =
      "(`causal` $causal^)? $query `,` $key `,` $value"
      # Sbp_Attributes<["causal"]>.format
      # " `:` functional-type(operands, results)";
}

def Nn_ReduceOp : Nn_WholeComputeOp<"reduce", [Sbp_InfersTypes]> {
  let summary = "reduction over dimensions";
  let description = [{
    Reduces the dimensions `dims` by `kind`: `sum`, `max`, `min` or `mean`. With `keep`
    the reduced dimensions stay, with extent 1.

    ```mlir
    %s = nn.reduce sum %x over [0, 2] : tensor<2x3x4xf32> -> tensor<3xf32>
    %m = nn.reduce mean %x over [1] keep : tensor<2x3xf32> -> tensor<2x1xf32>
    ```

    Without elements the sum is 0, the maximum is the lowest value of the type (-inf) and
    the minimum the highest. A mean divides by `count`, or without one by the product of
    the reduced extents. `count` is used in local programs, where a rank reduces a part
    of the elements.

    **Constraints**
    - (C1) `dims` are dimensions of the input, in ascending order, without repetition.
    - (C2) The input of a mean has floating-point elements.
    - (C3) The result has the input's shape without `dims` (with `keep`, with extent 1
      there), and its element type.
  }];
  let arguments = (ins Nn_ReduceKind:$kind, Nn_NumberTensor:$input,
                       DenseI64ArrayAttr:$dims, UnitAttr:$keep,
                       Nn_OptionalCount:$count);
  let results = (outs Nn_NumberTensor:$result);
  let assemblyFormat = "$kind $input `over` $dims (`keep` $keep^)? attr-dict `:` "
                       "type($input) `->` type($result)";
  let extraClassDeclaration = [{
    /// Returns the number of elements by which a mean divides.
    int64_t getDivisor();
  }];
}

// An op that normalises along one dimension; `formula` is the result in terms of the
// elements x along it.
class Nn_SoftmaxLikeOp<string mnemonic, string formula>
    : Nn_ComputeOp<mnemonic, [SameOperandsAndResultType]> {
  let description = "    result = " # formula # [{, where the sum is along `dim`.

    ```mlir
    %p = nn.}] # mnemonic # [{ %x dim 1 : tensor<4x5xf32>
    ```

    **Constraints**
    - (C1) Input and result have the same type.
    - (C2) `dim` is a dimension of the input.
  }];
  let arguments = (ins Nn_FloatTensor:$input, I64Attr:$dim);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `dim` $dim attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def Nn_SoftmaxOp : Nn_SoftmaxLikeOp<"softmax", "exp(x) / sum(exp(x))"> {
  let summary = "softmax along a dimension";
}

def Nn_LogSoftmaxOp : Nn_SoftmaxLikeOp<"log_softmax", "x - log(sum(exp(x)))"> {
  let summary = "logarithm of the softmax along a dimension";
}

def Nn_LayerNormOp : Nn_ComputeOp<"layer_norm", [Sbp_InfersTypes]> {
  let summary = "layer normalisation of the last dimension";
  let description = [{
    result = (x - mean) / sqrt(variance + epsilon) * gamma + beta, for `input` x
    [..., D], `gamma` [D] and `beta` [D]. Mean and biased variance are those of the last
    dimension.

    ```mlir
    %y = nn.layer_norm %x, %gamma, %beta
       : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```

    **Constraints**
    - (C1) `input` has at least one dimension.
    - (C2) `gamma` and `beta` have rank 1, the extent of the input's last dimension, and
      its element type.
    - (C3) `epsilon` is finite and at least 0.
    - (C4) The result has the input's shape and element type.
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$gamma,
                       Nn_FloatTensor:$beta,
                       DefaultValuedAttr<Nn_NotNegative, "1.0e-5">:$epsilon);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat =
      "$input `,` $gamma `,` $beta"
      # Sbp_Attributes<>.format
      # " `:` functional-type(operands, results)";
}

def Nn_RmsNormOp : Nn_ComputeOp<"rms_norm", [Sbp_InfersTypes]> {
  let summary = "root mean square normalisation of the last dimension";
  let description = [{
    result = x / sqrt(mean(x^2) + epsilon) * gamma, for `input` x [..., D] and `gamma`
    [D]. The mean is that of the last dimension.

    ```mlir
    %y = nn.rms_norm %x, %gamma : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```

    **Constraints**
    - (C1) `input` has at least one dimension.
    - (C2) `gamma` has rank 1, the extent of the input's last dimension, and its element
      type.
    - (C3) `epsilon` is finite and at least 0.
    - (C4) The result has the input's shape and element type.
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$gamma,
                       DefaultValuedAttr<Nn_NotNegative, "1.0e-5">:$epsilon);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat =
      "$input `,` $gamma"
      # Sbp_Attributes<>.format
      # " `:` functional-type(operands, results)";
}

def Nn_EmbeddingOp : Nn_WholeComputeOp<"embedding", [Sbp_InfersTypes,
    DeclareOpInterfaceMethods<Nn_IndexOpInterface>]> {
  let summary = "lookup of table rows by index";
  let description = [{
    result[..., d] = table[indices[...] - first_row, d], for `table` [V, D] and `indices`
    [...]. An index outside the table gives zeros, so that a table split by rows gives
    Partial sums.

    ```mlir
    %e = nn.embedding %table, %tokens
       : (tensor<256x64xf32>, tensor<8x32xi32>) -> tensor<8x32x64xf32>
    ```

    `first_row` is the index of the table's first row, 0 by default. It is used in local
    programs, where a rank has some of the rows.

    **Constraints**
    - (C1) `table` has rank 2.
    - (C2) The result has the shape of `indices`, then D, and the table's element type.
  }];
  let arguments = (ins Nn_FloatTensor:$table, Nn_IntegerTensor:$indices,
                       Optional<0DTensorOf<[I64]>>:$first_row);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$table `,` $indices (`from` $first_row^)? attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_CrossEntropyOp : Nn_WholeComputeOp<"cross_entropy", [Sbp_InfersTypes,
    DeclareOpInterfaceMethods<Nn_IndexOpInterface>]> {
  let summary = "mean cross-entropy of integer labels";
  let description = [{
    result = the mean over all labels of -log_softmax(logits)[..., label], for `logits`
    [..., V] and `labels` [...]. A label outside 0 to V - 1 makes the result NaN.

    ```mlir
    %loss = nn.cross_entropy %logits, %labels
          : (tensor<8x32x256xf32>, tensor<8x32xi32>) -> tensor<f32>
    ```

    The mean divides by `count`, or without one by the number of labels. `count` is used
    in local programs, where a rank has some of the labels.

    **Constraints**
    - (C1) `labels` has the shape of `logits` without its last dimension.
    - (C2) The result is a scalar of the logits' element type.
  }];
  let arguments = (ins Nn_FloatTensor:$logits, Nn_IntegerTensor:$labels,
                       Nn_OptionalCount:$count);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$logits `,` $labels attr-dict `:` "
                       "functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// Returns the number of elements by which the mean divides.
    int64_t getDivisor();
  }];
}

def Nn_MseOp : Nn_WholeComputeOp<"mse", [Sbp_InfersTypes]> {
  let summary = "mean squared error";
  let description = [{
    result = mean((lhs - rhs)^2), over all elements.

    ```mlir
    %loss = nn.mse %x, %y : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<f32>
    ```

    The mean divides by `count`, or without one by the number of elements. `count` is
    used in local programs, where a rank has some of the elements.

    **Constraints**
    - (C1) Both operands have the same shape and element type.
    - (C2) The result is a scalar of this element type.
  }];
  let arguments = (ins Nn_FloatTensor:$lhs, Nn_FloatTensor:$rhs,
                       Nn_OptionalCount:$count);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// Returns the number of elements by which the mean divides.
    int64_t getDivisor();
  }];
}

#endif  // DIALECTS_NN_NNTENSOROPS_TD_
