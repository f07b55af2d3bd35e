// Batch normalisation, in ops that can each be distributed.
//
// A channel is normalised by its mean and variance over all samples and space.
// So that samples can lie on several devices, the statistics are ops of their own
// before it: each is a reduction, of which a split leaves terms of a small sum.

#ifndef DIALECTS_NN_NNBATCHNORMOPS_TD_
#define DIALECTS_NN_NNBATCHNORMOPS_TD_

include "dialects/nn/NnBase.td"

def Nn_BatchVarianceOp : Nn_WholeComputeOp<"batch_variance", [Nn_InfersTypes]> {
  let summary = "mean square distance of each channel from a centre";
  let description = [{
    `input` [N, C, ...], `center` [C]; result [C]: the mean of (input - center)^2
    over all dimensions but the channels', which is the biased variance if `center`
    is the mean:

    ```mlir
    %mean = nn.reduce mean %x over [0, 2, 3] : tensor<8x64x9x9xf32> -> tensor<64xf32>
    %variance = nn.batch_variance %x, %mean
       : (tensor<8x64x9x9xf32>, tensor<64xf32>) -> tensor<64xf32>
    ```

    `count`, which exists in local programs, is the number of elements per channel
    of the whole tensor.
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$center,
                       OptionalAttr<I64Attr>:$count);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `,` $center attr-dict `:` "
                       "functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// What the mean divides by.
    int64_t getDivisor();
  }];
}

def Nn_BatchNormOp : Nn_ComputeOp<"batch_norm", [Nn_InfersTypes]> {
  let summary = "normalises channels by given statistics";
  let description = [{
    (x - mean) / sqrt(variance + epsilon) * gamma + beta, where `input` is
    [N, C, ...] and mean, variance, gamma and beta are [C]. With statistics of the
    input itself that is training, with those of other data inference:

    ```mlir
    %y = nn.batch_norm %x, %mean, %variance, %gamma, %beta
       : (tensor<8x64x9x9xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>,
          tensor<64xf32>) -> tensor<8x64x9x9xf32>
    ```

    **Constraints**
    - (C1) The input has rank 2 or more, and each vector an element per channel.
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$mean,
                       Nn_FloatTensor:$variance, Nn_FloatTensor:$gamma,
                       Nn_FloatTensor:$beta,
                       DefaultValuedAttr<Nn_NotNegative, "1.0e-5">:$epsilon);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `,` $mean `,` $variance `,` $gamma `,` $beta "
                       "attr-dict `:` functional-type(operands, results)";
}

def Nn_BatchNormSumsOp : Nn_ComputeOp<"batch_norm_sums", [Nn_InfersTypes]> {
  let summary = "sums of which the gradients of nn.batch_norm are made";
  let description = [{
    Per channel, with g the gradient of the result: the sum of g * (x - mean), and
    the sum of g.

    ```mlir
    %products, %sums = nn.batch_norm_sums %x, %mean, %g
       : (tensor<8x64x9x9xf32>, tensor<64xf32>, tensor<8x64x9x9xf32>)
       -> (tensor<64xf32>, tensor<64xf32>)
    ```
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$mean,
                       Nn_FloatTensor:$gradient);
  let results = (outs Nn_FloatTensor:$products, Nn_FloatTensor:$sums);
  let assemblyFormat = "$input `,` $mean `,` $gradient attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_BatchNormGradOp : Nn_WholeComputeOp<"batch_norm_grad", [Nn_InfersTypes]> {
  let summary = "gradient of nn.batch_norm by statistics of its own input";
  let description = [{
    The gradient with respect to the input, also by way of its mean and variance.
    With r = 1 / sqrt(variance + epsilon), per channel:

        gamma * r * (g - (sums + (x - mean) * r^2 * products) / count)

    `products` and `sums` are those of nn.batch_norm_sums. `count`, which exists
    in local programs, is the number of elements per channel of the whole tensor.
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$mean,
                       Nn_FloatTensor:$variance, Nn_FloatTensor:$gamma,
                       Nn_FloatTensor:$gradient, Nn_FloatTensor:$products,
                       Nn_FloatTensor:$sums,
                       DefaultValuedAttr<Nn_NotNegative, "1.0e-5">:$epsilon,
                       OptionalAttr<I64Attr>:$count);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `,` $mean `,` $variance `,` $gamma `,` $gradient `,` "
                       "$products `,` $sums attr-dict `:` "
                       "functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// The elements per channel of the whole tensor.
    int64_t getDivisor();
  }];
}

#endif  // DIALECTS_NN_NNBATCHNORMOPS_TD_
