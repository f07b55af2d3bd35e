// Gradients that are ops of their own, and the optimisers' steps. Made by
// --sbp-differentiate; most gradients are made of the other ops.

#ifndef DIALECTS_NN_NNTRAININGOPS_TD_
#define DIALECTS_NN_NNTRAININGOPS_TD_

include "dialects/nn/NnBase.td"

// ---- Gradients --------------------------------------------------------------

// `input` is what the forward op read, `gradient` that of its result.
class Nn_UnaryGradOp<string mnemonic>
    : Nn_ComputeOp<mnemonic, [Nn_InfersTypes]> {
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$gradient);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `,` $gradient attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_GeluGradOp : Nn_UnaryGradOp<"gelu_grad"> {
  let summary = "gradient of nn.gelu";
  let arguments = (ins UnitAttr:$tanh, Nn_FloatTensor:$input,
                       Nn_FloatTensor:$gradient);
  let assemblyFormat = "(`tanh` $tanh^)? $input `,` $gradient attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_SiluGradOp : Nn_UnaryGradOp<"silu_grad"> {
  let summary = "gradient of nn.silu";
}

// `output` is what the forward op gave.
class Nn_SoftmaxLikeGradOp<string mnemonic>
    : Nn_ComputeOp<mnemonic, [Nn_InfersTypes]> {
  let arguments = (ins Nn_FloatTensor:$output, Nn_FloatTensor:$gradient,
                       I64Attr:$dim);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$output `,` $gradient `dim` $dim attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_SoftmaxGradOp : Nn_SoftmaxLikeGradOp<"softmax_grad"> {
  let summary = "gradient of nn.softmax: y * (g - sum(g * y))";
}

def Nn_LogSoftmaxGradOp : Nn_SoftmaxLikeGradOp<"log_softmax_grad"> {
  let summary = "gradient of nn.log_softmax: g - exp(y) * sum(g)";
}

def Nn_LayerNormGradOp : Nn_ComputeOp<"layer_norm_grad", [Nn_InfersTypes]> {
  let summary = "gradients of nn.layer_norm with respect to input, gamma, beta";
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$gamma,
                       Nn_FloatTensor:$gradient,
                       DefaultValuedAttr<Nn_NotNegative, "1.0e-5">:$epsilon);
  let results = (outs Nn_FloatTensor:$input_gradient,
                      Nn_FloatTensor:$gamma_gradient,
                      Nn_FloatTensor:$beta_gradient);
  let assemblyFormat = "$input `,` $gamma `,` $gradient attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_RmsNormGradOp : Nn_ComputeOp<"rms_norm_grad", [Nn_InfersTypes]> {
  let summary = "gradients of nn.rms_norm with respect to input and gamma";
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$gamma,
                       Nn_FloatTensor:$gradient,
                       DefaultValuedAttr<Nn_NotNegative, "1.0e-5">:$epsilon);
  let results = (outs Nn_FloatTensor:$input_gradient,
                      Nn_FloatTensor:$gamma_gradient);
  let assemblyFormat = "$input `,` $gamma `,` $gradient attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_EmbeddingGradOp : Nn_WholeComputeOp<"embedding_grad",
    [DeclareOpInterfaceMethods<Nn_IndexOpInterface>]> {
  let summary = "gradient of nn.embedding with respect to the table";
  let description = [{
    Adds row i of `gradient` [..., D] to row indices[i] of the result [V, D]; an
    index outside the result adds nothing.

    ```mlir
    %d = nn.embedding_grad %tokens, %g
       : (tensor<8x32xi32>, tensor<8x32x64xf32>) -> tensor<256x64xf32>
    ```
  }];
  let arguments = (ins Nn_IntegerTensor:$indices, Nn_FloatTensor:$gradient,
                       Optional<0DTensorOf<[I64]>>:$first_row);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$indices `,` $gradient (`from` $first_row^)? attr-dict "
                       "`:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Nn_CrossEntropyGradOp
    : Nn_WholeComputeOp<"cross_entropy_grad", [Nn_InfersTypes,
        DeclareOpInterfaceMethods<Nn_IndexOpInterface>]> {
  let summary = "gradient of nn.cross_entropy with respect to the logits";
  let description = [{
    gradient * (softmax(logits) - one_hot(labels)) / count; the one-hot vector of a
    label that is no class is zero.
  }];
  let arguments = (ins Nn_FloatTensor:$logits, Nn_IntegerTensor:$labels,
                       Nn_FloatScalar:$gradient, OptionalAttr<I64Attr>:$count);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$logits `,` $labels `,` $gradient attr-dict `:` "
                       "functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// What the mean divides by.
    int64_t getDivisor();
  }];
}

def Nn_AttentionGradOp : Nn_ComputeOp<"attention_grad", [Nn_InfersTypes]> {
  let summary = "gradients of nn.attention with respect to query, key and value";
  let arguments = (ins UnitAttr:$causal, Nn_FloatTensor:$query,
                       Nn_FloatTensor:$key, Nn_FloatTensor:$value,
                       Nn_FloatTensor:$gradient, F64Attr:$scale);
  let results = (outs Nn_FloatTensor:$query_gradient,
                      Nn_FloatTensor:$key_gradient,
                      Nn_FloatTensor:$value_gradient);
  let assemblyFormat = "(`causal` $causal^)? $query `,` $key `,` $value `,` "
                       "$gradient attr-dict `:` functional-type(operands, results)";
}

// ---- Optimisers -------------------------------------------------------------

def Nn_SgdOp : Nn_ComputeOp<"sgd", [Nn_InfersTypes]> {
  let summary = "one step of stochastic gradient descent";
  let description = [{
    w - learning_rate * (g + weight_decay * w).

    ```mlir
    %w2 = nn.sgd %w, %g, %lr {weight_decay = 0.0 : f64}
        : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Nn_FloatTensor:$parameter, Nn_FloatTensor:$gradient,
                       Nn_FloatScalar:$learning_rate, Nn_NotNegative:$weight_decay);
  let results = (outs Nn_FloatTensor:$updated);
  let assemblyFormat = "$parameter `,` $gradient `,` $learning_rate attr-dict "
                       "`:` functional-type(operands, results)";
}

def Nn_MomentumOp : Nn_ComputeOp<"momentum", [Nn_InfersTypes]> {
  let summary = "one step of stochastic gradient descent with momentum";
  let description = [{
    v' = momentum * v + g + weight_decay * w; w' = w - learning_rate * v'.
  }];
  let arguments = (ins Nn_FloatTensor:$parameter, Nn_FloatTensor:$gradient,
                       Nn_FloatTensor:$velocity, Nn_FloatScalar:$learning_rate,
                       Nn_NotNegative:$momentum, Nn_NotNegative:$weight_decay);
  let results = (outs Nn_FloatTensor:$updated,
                      Nn_FloatTensor:$updated_velocity);
  let assemblyFormat = "$parameter `,` $gradient `,` $velocity `,` "
                       "$learning_rate attr-dict `:` functional-type(operands, results)";
}

def Nn_AdamOp : Nn_ComputeOp<"adam", [Nn_InfersTypes]> {
  let summary = "one step of Adam or AdamW";
  let description = [{
    With c1 = `first_correction` = 1 - beta1^t and c2 = `second_correction` =
    1 - beta2^t, kept as scalars of the optimiser's state:

        g' = g + weight_decay * w                  (not `decoupled`: Adam)
        w  = w - learning_rate * weight_decay * w  (`decoupled`: AdamW)
        m' = beta1 * m + (1 - beta1) * g'
        v' = beta2 * v + (1 - beta2) * g'^2
        w' = w - learning_rate * (m' / c1) / (sqrt(v' / c2) + epsilon)
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
  let assemblyFormat = "(`decoupled` $decoupled^)? $parameter `,` $gradient `,` "
                       "$first_moment `,` $second_moment `,` $first_correction `,` "
                       "$second_correction `,` $learning_rate attr-dict `:` "
                       "functional-type(operands, results)";
}

#endif  // DIALECTS_NN_NNTRAININGOPS_TD_
