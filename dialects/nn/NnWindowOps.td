// Ops with sliding windows: convolution, pooling, and their gradients.

#ifndef DIALECTS_NN_NNWINDOWOPS_TD_
#define DIALECTS_NN_NNWINDOWOPS_TD_

include "dialects/nn/NnBase.td"

// The positions of windows (dialects/nn/Window.h). In local programs `first` has the
// index of the first output of a rank's part, for each of the spatial dimensions that
// `first_in` lists.
defvar Nn_windowArguments = (ins
    Variadic<0DTensorOf<[I64]>>:$first,
    OptionalAttr<DenseI64ArrayAttr>:$first_in,
    OptionalAttr<DenseI64ArrayAttr>:$strides,
    OptionalAttr<DenseI64ArrayAttr>:$low,
    OptionalAttr<DenseI64ArrayAttr>:$high,
    OptionalAttr<DenseI64ArrayAttr>:$dilations);

class Nn_WindowOp<string mnemonic, list<Trait> traits = []>
    : Nn_WholeComputeOp<mnemonic, traits> {
  string windowFormat = "(`from` $first^ `in` $first_in)? (`strides` $strides^)? (`low` $low^)? "
                        "(`high` $high^)? (`dilations` $dilations^)? attr-dict `:` "
                        "functional-type(operands, results)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the windows, one per spatial dimension.
    ::sbp::nn::Windows getWindows();
  }];
}

// ---- Convolution ------------------------------------------------------------

// The constraints on the three tensors of a convolution, and on its windows.
defvar Nn_convolutionConstraints = [{  **Constraints**, for the three tensors input [N, C, space...], filter
    [F, C, window...] and output [N, F, space...] of the convolution
    - (C1) They have the same rank, at least 3, and the same element type.
    - (C2) `strides`, `low`, `high` and `dilations` have one number per spatial
      dimension; strides and dilations are at least 1, paddings at least 0.
    - (C3) Input and filter have the same number of channels C, input and output the same
      number of samples N, and the output has as many channels as there are filters F.
    - (C4) A window has at least one element. The output has as many elements as windows
      fit in each spatial dimension; with `first` it may have fewer.
    - (C5) `first` has one value per dimension that `first_in` lists; those ascend and
      are spatial dimensions.
  }];

// A convolution, or one of its gradients: it computes one of the three tensors input
// [N, C, space...], filter [F, C, window...] and output [N, F, space...] from the others.
class Nn_ConvolutionLikeOp<string mnemonic> : Nn_WindowOp<mnemonic>;

def Nn_ConvolutionOp : Nn_ConvolutionLikeOp<"convolution"> {
  let summary = "convolution over any number of spatial dimensions";
  let description = !strconcat([{
    For `input` [N, C, space...] and `filter` [F, C, window...] the result
    [N, F, space...] is

        result[n, f, o] = sum over c, k of
            filter[f, c, k] * input[n, c, o * stride + k * dilation - low]

    where elements outside the input are 0. Each spatial dimension has
    (input + low + high - dilation * (window - 1) - 1) / stride + 1 outputs, rounded
    down. Strides and dilations default to 1, the paddings `low` and `high` to 0.

    ```mlir
    %y = nn.convolution %x, %w strides [2, 2] low [1, 1] high [1, 1]
       : (tensor<8x3x32x32xf32>, tensor<64x3x3x3xf32>) -> tensor<8x64x16x16xf32>
    ```

    Samples, filters and channels may be split. The outputs may be split along a spatial
    dimension as well, where every device has the whole input (`plugins/halo` exchanges
    halos instead). `first`, which is used in local programs, has the index of the first
    output of a rank's part, for each spatial dimension in `first_in`; in the others it
    is 0:

    ```mlir
    %part = nn.convolution %x, %w from %row in [0] low [1, 1] high [1, 1]
       : (tensor<8x3x32x32xf32>, tensor<64x3x3x3xf32>, tensor<i64>)
       -> tensor<8x64x16x32xf32>
    ```

  }], Nn_convolutionConstraints);
  let arguments = !con((ins Nn_FloatTensor:$input, Nn_FloatTensor:$filter),
                       Nn_windowArguments);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `,` $filter " # windowFormat;
}

def Nn_ConvolutionInputGradOp : Nn_ConvolutionLikeOp<"convolution_input_grad"> {
  let summary = "gradient of nn.convolution with respect to the input";
  let description = !strconcat([{
    For `filter` [F, C, window...] and `gradient` [N, F, space...] of the convolution's
    output, adds

        filter[f, c, k] * gradient[n, f, o]

    to result[n, c, o * stride + k * dilation - low], for all n, f, c, o and k. The other
    operands and attributes are those of `nn.convolution`.

    ```mlir
    %d = nn.convolution_input_grad %w, %g low [1, 1] high [1, 1]
       : (tensor<64x3x3x3xf32>, tensor<8x64x32x32xf32>) -> tensor<8x3x32x32xf32>
    ```

  }], Nn_convolutionConstraints);
  let arguments = !con((ins Nn_FloatTensor:$filter, Nn_FloatTensor:$gradient),
                       Nn_windowArguments);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$filter `,` $gradient " # windowFormat;
}

def Nn_ConvolutionFilterGradOp
    : Nn_ConvolutionLikeOp<"convolution_filter_grad"> {
  let summary = "gradient of nn.convolution with respect to the filter";
  let description = !strconcat([{
    For `input` [N, C, space...] and `gradient` [N, F, space...] of the convolution's
    output, the result [F, C, window...] is

        result[f, c, k] = sum over n, o of
            gradient[n, f, o] * input[n, c, o * stride + k * dilation - low]

    The other operands and attributes are those of `nn.convolution`.

    ```mlir
    %d = nn.convolution_filter_grad %x, %g low [1, 1] high [1, 1]
       : (tensor<8x3x32x32xf32>, tensor<8x64x32x32xf32>) -> tensor<64x3x3x3xf32>
    ```

  }], Nn_convolutionConstraints);
  let arguments = !con((ins Nn_FloatTensor:$input, Nn_FloatTensor:$gradient),
                       Nn_windowArguments);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `,` $gradient " # windowFormat;
}

// ---- Pooling ----------------------------------------------------------------

def Nn_PoolOp : Nn_WindowOp<"pool"> {
  let summary = "maximum, minimum, sum or mean of each window";
  let description = [{
    For `input` [N, C, space...] and a window of extents `extents`, the result
    [N, C, space...] has one element per position of the window: the maximum, minimum, sum
    or mean, by `kind`, of the inputs in the window. Maxima and minima ignore padding; for
    sums and means padding is 0, so that a mean divides by the number of elements of the
    window everywhere. `first`, `strides`, `low`, `high` and `dilations` are as in
    `nn.convolution`.

    ```mlir
    %y = nn.pool max %x over [2, 2] strides [2, 2]
       : (tensor<8x64x32x32xf32>) -> tensor<8x64x16x16xf32>
    ```

    **Constraints**
    - (C1) Input and result have the same rank, at least 3, the same element type, and
      the same numbers of samples and channels.
    - (C2) `extents`, `strides`, `low`, `high` and `dilations` have one number per spatial
      dimension; extents, strides and dilations are at least 1, paddings at least 0.
    - (C3) The result has as many elements as windows fit in each spatial dimension; with
      `first` it may have fewer.
    - (C4) `first` has one value per dimension that `first_in` lists; those ascend and
      are spatial dimensions.
  }];
  let arguments = !con((ins Nn_ReduceKind:$kind, Nn_FloatTensor:$input,
                            DenseI64ArrayAttr:$extents),
                       Nn_windowArguments);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$kind $input `over` $extents " # windowFormat;
}

def Nn_PoolGradOp : Nn_WindowOp<"pool_grad"> {
  let summary = "gradient of nn.pool";
  let description = [{
    For the `input` and the `gradient` of the result of `nn.pool`, the gradient of the
    input. Each element of `gradient` is added to all inputs of its window if `kind` is
    `sum` (for `mean`, divided by their number), and to the first maximum or minimum of
    the window in row-major order if `kind` is `max` or `min`.

    ```mlir
    %d = nn.pool_grad max %x, %g over [2, 2] strides [2, 2]
       : (tensor<8x64x32x32xf32>, tensor<8x64x16x16xf32>) -> tensor<8x64x32x32xf32>
    ```

    **Constraints**
    - (C1) `input` and `gradient` have the same rank, at least 3, the same element type,
      and the same numbers of samples and channels.
    - (C2) `extents`, `strides`, `low`, `high` and `dilations` have one number per spatial
      dimension; extents, strides and dilations are at least 1, paddings at least 0.
    - (C3) `gradient` has as many elements as windows fit in each spatial dimension; with
      `first` it may have fewer.
    - (C4) `first` has one value per dimension that `first_in` lists; those ascend and
      are spatial dimensions.
    - (C5) The result has the input's shape and element type.
  }];
  let arguments = !con((ins Nn_ReduceKind:$kind, Nn_FloatTensor:$input,
                            Nn_FloatTensor:$gradient, DenseI64ArrayAttr:$extents),
                       Nn_windowArguments);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$kind $input `,` $gradient `over` $extents " # windowFormat;
}

#endif  // DIALECTS_NN_NNWINDOWOPS_TD_
