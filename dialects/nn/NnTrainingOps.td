// Gradients, and the update steps of optimisers. --sbp-differentiate makes these ops; it
// builds all other gradients from the ops of the forward pass.

#ifndef DIALECTS_NN_NNTRAININGOPS_TD_
#define DIALECTS_NN_NNTRAININGOPS_TD_

include "dialects/nn/NnBase.td"

// ---- Gradients --------------------------------------------------------------

// The gradient of the elementwise op `forward`: `input` is the operand of that op,
// `gradient` the gradient of its result.
class Nn_UnaryGradOp<string mnemonic, string forward>
    : Nn_ComputeOp<mnemonic, [Sbp_InfersTypes]> {
  let summary = "gradient of nn." # forward;
  let description = "    result = gradient * " # forward # [{'(input), elementwise, where
    `gradient` is the gradient of the result of `nn.}] # forward # [{`.

    ```mlir
    %d = nn.}] # mnemonic # [{ %x, %g : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```

    **Constraints**
    - (C1) Both operands have the same shape and element type.
    - (C2) The result has this shape and element type.
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$gradient);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `,` $gradient attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_GeluGradOp : Nn_UnaryGradOp<"gelu_grad", "gelu"> {
  let arguments = (ins UnitAttr:$tanh, Nn_FloatTensor:$input,
                       Nn_FloatTensor:$gradient);
  let assemblyFormat = "(`tanh` $tanh^)? $input `,` $gradient attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_SiluGradOp : Nn_UnaryGradOp<"silu_grad", "silu">;

// The gradient of `forward`, a softmax or its logarithm; `formula` is the result in terms
// of `output` y and `gradient` g.
class Nn_SoftmaxLikeGradOp<string mnemonic, string forward, string formula>
    : Nn_ComputeOp<mnemonic, [Sbp_InfersTypes]> {
  let summary = "gradient of nn." # forward;
  let description = "    result = " # formula # [{, where the sum is along `dim`, y is
    `output`, the result of `nn.}] # forward # [{`, and g is `gradient`, its gradient.

    ```mlir
    %d = nn.}] # mnemonic # [{ %y, %g dim 1
       : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    ```

    **Constraints**
    - (C1) `dim` is a dimension of `output`.
    - (C2) Both operands have the same shape and element type.
    - (C3) The result has this shape and element type.
  }];
  let arguments = (ins Nn_FloatTensor:$output, Nn_FloatTensor:$gradient,
                       I64Attr:$dim);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$output `,` $gradient `dim` $dim attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_SoftmaxGradOp
    : Nn_SoftmaxLikeGradOp<"softmax_grad", "softmax", "y * (g - sum(g * y))">;
def Nn_LogSoftmaxGradOp
    : Nn_SoftmaxLikeGradOp<"log_softmax_grad", "log_softmax", "g - exp(y) * sum(g)">;

def Nn_LayerNormGradOp : Nn_ComputeOp<"layer_norm_grad", [Sbp_InfersTypes]> {
  let summary = "gradients of nn.layer_norm with respect to input, gamma and beta";
  let description = [{
    For `input` x [..., D], `gamma` [D] and the gradient g [..., D] of the result of
    `nn.layer_norm`, with n = (x - mean) / sqrt(variance + epsilon) and h = g * gamma:

        input_gradient = (h - mean(h) - n * mean(h * n)) / sqrt(variance + epsilon)
        gamma_gradient = sum of g * n over all dimensions but the last
        beta_gradient  = sum of g over all dimensions but the last

    Means and variance are those of the last dimension.

    ```mlir
    %dx, %dgamma, %dbeta = nn.layer_norm_grad %x, %gamma, %g
       : (tensor<4x8xf32>, tensor<8xf32>, tensor<4x8xf32>)
       -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
    ```

    **Constraints**
    - (C1) `input` has at least one dimension.
    - (C2) `gamma` has rank 1, the extent of the input's last dimension, and its element
      type.
    - (C3) `gradient` has the input's shape and element type.
    - (C4) `epsilon` is finite and at least 0.
    - (C5) `input_gradient` has the shape and element type of `input`, and the other
      results have those of `gamma`.
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$gamma,
                       Nn_FloatTensor:$gradient,
                       DefaultValuedAttr<Nn_NotNegative, "1.0e-5">:$epsilon);
  let results = (outs Nn_FloatTensor:$input_gradient,
                      Nn_FloatTensor:$gamma_gradient,
                      Nn_FloatTensor:$beta_gradient);
  let assemblyFormat =
      "$input `,` $gamma `,` $gradient"
      # Sbp_Attributes<>.format
      # " `:` functional-type(operands, results)";
}

def Nn_RmsNormGradOp : Nn_ComputeOp<"rms_norm_grad", [Sbp_InfersTypes]> {
  let summary = "gradients of nn.rms_norm with respect to input and gamma";
  let description = [{
    For `input` x [..., D], `gamma` [D] and the gradient g [..., D] of the result of
    `nn.rms_norm`, with n = x / sqrt(mean(x^2) + epsilon) and h = g * gamma:

        input_gradient = (h - n * mean(h * n)) / sqrt(mean(x^2) + epsilon)
        gamma_gradient = sum of g * n over all dimensions but the last

    Means are those of the last dimension.

    ```mlir
    %dx, %dgamma = nn.rms_norm_grad %x, %gamma, %g
       : (tensor<4x8xf32>, tensor<8xf32>, tensor<4x8xf32>)
       -> (tensor<4x8xf32>, tensor<8xf32>)
    ```

    **Constraints**
    - (C1) `input` has at least one dimension.
    - (C2) `gamma` has rank 1, the extent of the input's last dimension, and its element
      type.
    - (C3) `gradient` has the input's shape and element type.
    - (C4) `epsilon` is finite and at least 0.
    - (C5) `input_gradient` has the shape and element type of `input`, and
      `gamma_gradient` has those of `gamma`.
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$gamma,
                       Nn_FloatTensor:$gradient,
                       DefaultValuedAttr<Nn_NotNegative, "1.0e-5">:$epsilon);
  let results = (outs Nn_FloatTensor:$input_gradient,
                      Nn_FloatTensor:$gamma_gradient);
  let assemblyFormat =
      "$input `,` $gamma `,` $gradient"
      # Sbp_Attributes<>.format
      # " `:` functional-type(operands, results)";
}

def Nn_EmbeddingGradOp : Nn_WholeComputeOp<"embedding_grad",
    [DeclareOpInterfaceMethods<Nn_IndexOpInterface>]> {
  let summary = "gradient of nn.embedding with respect to the table";
  let description = [{
    Adds gradient[i, :] to result[indices[i] - first_row, :] for each position i of
    `indices` [...]; `gradient` is [..., D], the result [V, D]. An index outside the
    result adds nothing. `first_row` is as in `nn.embedding`.

    ```mlir
    %d = nn.embedding_grad %tokens, %g
       : (tensor<8x32xi32>, tensor<8x32x64xf32>) -> tensor<256x64xf32>
    ```

    **Constraints**
    - (C1) `gradient` and the result have the same element type.
    - (C2) The result has rank 2, and `gradient` has the shape of `indices`, then the
      result's last extent.
  }];
  let arguments = (ins Nn_IntegerTensor:$indices, Nn_FloatTensor:$gradient,
                       Optional<0DTensorOf<[I64]>>:$first_row);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$indices `,` $gradient (`from` $first_row^)? attr-dict "
                       "`:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Nn_CrossEntropyGradOp
    : Nn_WholeComputeOp<"cross_entropy_grad", [Sbp_InfersTypes,
        DeclareOpInterfaceMethods<Nn_IndexOpInterface>]> {
  let summary = "gradient of nn.cross_entropy with respect to the logits";
  let description = [{
    result = gradient * (softmax(logits) - one_hot(labels)) / count, for `logits`
    [..., V], `labels` [...] and the gradient of the scalar result of
    `nn.cross_entropy`. The one-hot vector of a label outside 0 to V - 1 is zero. `count`
    defaults to the number of labels; local programs have it, where a rank has some of
    the labels.

    ```mlir
    %d = nn.cross_entropy_grad %logits, %labels, %g
       : (tensor<8x32x256xf32>, tensor<8x32xi32>, tensor<f32>) -> tensor<8x32x256xf32>
    ```

    **Constraints**
    - (C1) `labels` has the shape of `logits` without its last dimension.
    - (C2) The result has the shape and element type of `logits`.
  }];
  let arguments = (ins Nn_FloatTensor:$logits, Nn_IntegerTensor:$labels,
                       Nn_FloatScalar:$gradient, Nn_OptionalCount:$count);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$logits `,` $labels `,` $gradient attr-dict `:` "
                       "functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// Returns the number of labels by which the mean divides.
    int64_t getDivisor();
  }];
}

def Nn_AttentionGradOp : Nn_ComputeOp<"attention_grad", [Sbp_InfersTypes]> {
  let summary = "gradients of nn.attention with respect to query, key and value";
  let description = [{
    For the operands of `nn.attention` and the gradient g [..., T, E] of its result, with
    p = softmax(scale * query * key^T) and d = p * (g value^T - rowsum(p * g value^T)):

        query_gradient = scale * d key
        key_gradient   = scale * d^T query
        value_gradient = p^T g

    `causal` and `scale` are as in `nn.attention`.

    ```mlir
    %dq, %dk, %dv = nn.attention_grad causal %q, %k, %v, %g {scale = 0.125 : f64}
       : (tensor<8x6x256x64xf32>, tensor<8x6x256x64xf32>, tensor<8x6x256x64xf32>,
          tensor<8x6x256x64xf32>)
       -> (tensor<8x6x256x64xf32>, tensor<8x6x256x64xf32>, tensor<8x6x256x64xf32>)
    ```

    **Constraints**
    - (C1) `query`, `key` and `value` have the same element type.
    - (C2) They have the shapes [..., T, D], [..., S, D] and [..., S, E], with the same
      leading dimensions.
    - (C3) `gradient` has the shape [..., T, E] and this element type.
    - (C4) The results have the shapes and element types of `query`, `key` and `value`.
  }];
  let arguments = (ins UnitAttr:$causal, Nn_FloatTensor:$query,
                       Nn_FloatTensor:$key, Nn_FloatTensor:$value,
                       Nn_FloatTensor:$gradient, F64Attr:$scale);
  let results = (outs Nn_FloatTensor:$query_gradient,
                      Nn_FloatTensor:$key_gradient,
                      Nn_FloatTensor:$value_gradient);
  let assemblyFormat =
      "(`causal` $causal^)? $query `,` $key `,` $value `,` $gradient"
      # Sbp_Attributes<["causal"]>.format
      # " `:` functional-type(operands, results)";
}

// ---- Optimisers -------------------------------------------------------------

def Nn_SgdOp : Nn_ComputeOp<"sgd", [Sbp_InfersTypes]> {
  let summary = "update step of stochastic gradient descent";
  let description = [{
    updated = w - learning_rate * (g + weight_decay * w), for `parameter` w and
    `gradient` g.

    ```mlir
    %w2 = nn.sgd %w, %g, %lr {weight_decay = 0.0 : f64}
        : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```

    **Constraints**
    - (C1) `parameter` and `gradient` have the same shape and element type.
    - (C2) `weight_decay` is finite and at least 0.
    - (C3) The result has the shape and element type of `parameter`.
  }];
  let arguments = (ins Nn_FloatTensor:$parameter, Nn_FloatTensor:$gradient,
                       Nn_FloatScalar:$learning_rate, Nn_NotNegative:$weight_decay);
  let results = (outs Nn_FloatTensor:$updated);
  let assemblyFormat =
      "$parameter `,` $gradient `,` $learning_rate"
      # Sbp_Attributes<>.format
      # " `:` functional-type(operands, results)";
}

def Nn_MomentumOp : Nn_ComputeOp<"momentum", [Sbp_InfersTypes]> {
  let summary = "update step of stochastic gradient descent with momentum";
  let description = [{
    For `parameter` w, `gradient` g and `velocity` v:

        updated_velocity = momentum * v + g + weight_decay * w
        updated          = w - learning_rate * updated_velocity

    ```mlir
    %w2, %v2 = nn.momentum %w, %g, %v, %lr {momentum = 0.9 : f64, weight_decay = 0.0 : f64}
        : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>)
        -> (tensor<4xf32>, tensor<4xf32>)
    ```

    **Constraints**
    - (C1) `parameter`, `gradient` and `velocity` have the same shape and element type.
    - (C2) `momentum` and `weight_decay` are finite and at least 0.
    - (C3) Both results have the shape and element type of `parameter`.
  }];
  let arguments = (ins Nn_FloatTensor:$parameter, Nn_FloatTensor:$gradient,
                       Nn_FloatTensor:$velocity, Nn_FloatScalar:$learning_rate,
                       Nn_NotNegative:$momentum, Nn_NotNegative:$weight_decay);
  let results = (outs Nn_FloatTensor:$updated,
                      Nn_FloatTensor:$updated_velocity);
  let assemblyFormat =
      "$parameter `,` $gradient `,` $velocity `,` $learning_rate"
      # Sbp_Attributes<>.format
      # " `:` functional-type(operands, results)";
}

def Nn_AdamOp : Nn_ComputeOp<"adam", [Sbp_InfersTypes]> {
  let summary = "update step of Adam or AdamW";
  let description = [{
    For `parameter` w, `gradient` g, `first_moment` m and `second_moment` v in step t,
    with c1 = `first_correction` = 1 - beta1^t and c2 = `second_correction` =
    1 - beta2^t, which are scalars of the optimiser's state:

        g' = g + weight_decay * w                  (Adam; AdamW: g' = g)
        w  = w - learning_rate * weight_decay * w  (AdamW, the op with `decoupled`)
        m' = beta1 * m + (1 - beta1) * g'
        v' = beta2 * v + (1 - beta2) * g'^2
        w' = w - learning_rate * (m' / c1) / (sqrt(v' / c2) + epsilon)

    The results are w', m' and v'.

    ```mlir
    %w2, %m2, %v2 = nn.adam decoupled %w, %g, %m, %v, %c1, %c2, %lr
        {beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64,
         weight_decay = 0.01 : f64}
        : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>,
           tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    ```

    **Constraints**
    - (C1) `parameter`, `gradient`, `first_moment` and `second_moment` have the same
      shape and element type.
    - (C2) `beta1` and `beta2` are at least 0 and below 1.
    - (C3) `epsilon` is finite and above 0.
    - (C4) `weight_decay` is finite and at least 0.
    - (C5) The results have the shape and element type of `parameter`.
  }];
  let arguments = (ins UnitAttr:$decoupled, Nn_FloatTensor:$parameter,
                       Nn_FloatTensor:$gradient, Nn_FloatTensor:$first_moment,
                       Nn_FloatTensor:$second_moment,
                       Nn_FloatScalar:$first_correction,
                       Nn_FloatScalar:$second_correction,
                       Nn_FloatScalar:$learning_rate, Nn_Decay:$beta1,
                       Nn_Decay:$beta2, Nn_Positive:$epsilon, Nn_NotNegative:$weight_decay);
  let results = (outs Nn_FloatTensor:$updated,
                      Nn_FloatTensor:$updated_first_moment,
                      Nn_FloatTensor:$updated_second_moment);
  let assemblyFormat =
      "(`decoupled` $decoupled^)? $parameter `,` $gradient `,` "
      "$first_moment `,` $second_moment `,` $first_correction `,` "
      "$second_correction `,` $learning_rate"
      # Sbp_Attributes<["decoupled"]>.format
      # " `:` functional-type(operands, results)";
}

#endif  // DIALECTS_NN_NNTRAININGOPS_TD_
