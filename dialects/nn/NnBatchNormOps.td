// Batch normalisation, as several ops that can each be distributed.
//
// Each channel is normalised by its mean and variance over all samples and
// spatial positions. The statistics are ops of their own, before the
// normalisation, so that the samples may be split over devices. Each statistic
// is a reduction. If its samples are split, each device has a term of a sum,
// with one element per channel.

#ifndef DIALECTS_NN_NNBATCHNORMOPS_TD_
#define DIALECTS_NN_NNBATCHNORMOPS_TD_

include "dialects/nn/NnBase.td"

def Nn_BatchVarianceOp : Nn_WholeComputeOp<"batch_variance", [Sbp_InfersTypes]> {
  let summary = "mean square deviation of each channel from a center";
  let description = [{
    result[c] = the mean of (input[:, c, ...] - center[c])^2, for `input` [N, C, ...] and
    `center` [C]. If `center` is the mean of each channel, that is the biased variance:

    ```mlir
    %mean = nn.reduce mean %x over [0, 2, 3] : tensor<8x64x9x9xf32> -> tensor<64xf32>
    %variance = nn.batch_variance %x, %mean
       : (tensor<8x64x9x9xf32>, tensor<64xf32>) -> tensor<64xf32>
    ```

    The mean divides by `count`, or without one by the number of elements per channel.
    `count` is used in local programs, where a rank has some of the elements.

    **Constraints**
    - (C1) `input` has at least two dimensions, and `center` has rank 1, one element per
      channel, and the input's element type.
    - (C2) The result has the shape and element type of `center`.
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$center,
                       Nn_OptionalCount:$count);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `,` $center attr-dict `:` "
                       "functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// Returns the number of elements per channel by which the mean divides.
    int64_t getDivisor();
  }];
}

def Nn_BatchNormOp : Nn_ComputeOp<"batch_norm", [Sbp_InfersTypes]> {
  let summary = "batch normalisation by given statistics";
  let description = [{
    result = (x - mean) / sqrt(variance + epsilon) * gamma + beta, per channel, for
    `input` x [N, C, ...] and `mean`, `variance`, `gamma` and `beta` [C]. Training passes
    the statistics of the input itself, inference those of other data:

    ```mlir
    %y = nn.batch_norm %x, %mean, %variance, %gamma, %beta
       : (tensor<8x64x9x9xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>,
          tensor<64xf32>) -> tensor<8x64x9x9xf32>
    ```

    **Constraints**
    - (C1) `input` has at least two dimensions, and the other operands have rank 1, one
      element per channel, and the input's element type.
    - (C2) `epsilon` is finite and at least 0.
    - (C3) The result has the input's shape and element type.
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$mean,
                       Nn_FloatTensor:$variance, Nn_FloatTensor:$gamma,
                       Nn_FloatTensor:$beta,
                       DefaultValuedAttr<Nn_NotNegative, "1.0e-5">:$epsilon);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat =
      "$input `,` $mean `,` $variance `,` $gamma `,` $beta"
      # Sbp_Attributes<>.format
      # " `:` functional-type(operands, results)";
}

def Nn_BatchNormSumsOp : Nn_ComputeOp<"batch_norm_sums", [Sbp_InfersTypes]> {
  let summary = "sums per channel for the gradients of nn.batch_norm";
  let description = [{
    For `input` x [N, C, ...], `mean` [C] and the gradient g [N, C, ...] of the result of
    `nn.batch_norm`, per channel:

        products = sum(g * (x - mean))
        sums     = sum(g)

    ```mlir
    %products, %sums = nn.batch_norm_sums %x, %mean, %g
       : (tensor<8x64x9x9xf32>, tensor<64xf32>, tensor<8x64x9x9xf32>)
       -> (tensor<64xf32>, tensor<64xf32>)
    ```

    **Constraints**
    - (C1) `input` has at least two dimensions, and `mean` has rank 1, one element per
      channel, and the input's element type.
    - (C2) `gradient` has the input's shape and element type.
    - (C3) Both results have the shape and element type of `mean`.
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$mean,
                       Nn_FloatTensor:$gradient);
  let results = (outs Nn_FloatTensor:$products, Nn_FloatTensor:$sums);
  let assemblyFormat = "$input `,` $mean `,` $gradient attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_BatchNormGradOp : Nn_WholeComputeOp<"batch_norm_grad", [Sbp_InfersTypes]> {
  let summary = "gradient of nn.batch_norm with respect to its input";
  let description = [{
    The gradient with respect to `input` x, if `mean` and `variance` are the statistics
    of x, through which x contributes as well. With the gradient g of the result and
    r = 1 / sqrt(variance + epsilon), per channel:

        result = gamma * r * (g - (sums + (x - mean) * r^2 * products) / count)

    `products` and `sums` are the results of `nn.batch_norm_sums`. `count` defaults to
    the number of elements per channel; local programs have it, where a rank has some of
    the elements.

    ```mlir
    %d = nn.batch_norm_grad %x, %mean, %variance, %gamma, %g, %products, %sums
       : (tensor<8x64x9x9xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>,
          tensor<8x64x9x9xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<8x64x9x9xf32>
    ```

    **Constraints**
    - (C1) `input` has at least two dimensions, and `mean`, `variance`, `gamma`,
      `products` and `sums` have rank 1, one element per channel, and the input's
      element type.
    - (C2) `gradient` has the input's shape and element type.
    - (C3) `epsilon` is finite and at least 0.
    - (C4) The result has the input's shape and element type.
  }];
  let arguments = (ins Nn_FloatTensor:$input, Nn_FloatTensor:$mean,
                       Nn_FloatTensor:$variance, Nn_FloatTensor:$gamma,
                       Nn_FloatTensor:$gradient, Nn_FloatTensor:$products,
                       Nn_FloatTensor:$sums,
                       DefaultValuedAttr<Nn_NotNegative, "1.0e-5">:$epsilon,
                       Nn_OptionalCount:$count);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat =
      "$input `,` $mean `,` $variance `,` $gamma `,` $gradient `,` "
      "$products `,` $sums"
      # Sbp_Attributes<>.format
      # " `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// Returns `count`, or the number of elements per channel.
    int64_t getDivisor();
  }];
}

#endif  // DIALECTS_NN_NNBATCHNORMOPS_TD_
