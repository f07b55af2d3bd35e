// Ops whose windows slide over space: convolution, pooling, and their gradients.

#ifndef DIALECTS_NN_NNWINDOWOPS_TD_
#define DIALECTS_NN_NNWINDOWOPS_TD_

include "dialects/nn/NnBase.td"

// Where windows stand (dialects/nn/Window.h), and in local programs the first
// output of a rank's part, in those dimensions of space that `first_in` lists.
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
    /// One window per dimension of space.
    ::sbp::nn::Windows getWindows();
  }];
}

// ---- Convolution ------------------------------------------------------------

// The three tensors of a convolution, two of which give the third:
// input [N, C, space...], filter [F, C, window...], output [N, F, space...].
class Nn_ConvolutionLikeOp<string mnemonic> : Nn_WindowOp<mnemonic>;

def Nn_ConvolutionOp : Nn_ConvolutionLikeOp<"convolution"> {
  let summary = "a filter slid over space";
  let description = [{
    `input` [N, C, space...], `filter` [F, C, window...]; result [N, F, space...]:

        result[n, f, o] = sum over c, k of
            filter[f, c, k] * input[n, c, o * stride + k * dilation - low]

    where what lies outside the input counts as zero. In each dimension of space
    there are (input + low + high - dilation * (window - 1) - 1) / stride + 1
    outputs. Strides and dilations that are not said are 1, paddings 0.

    ```mlir
    %y = nn.convolution %x, %w strides [2, 2] low [1, 1] high [1, 1]
       : (tensor<8x3x32x32xf32>, tensor<64x3x3x3xf32>) -> tensor<8x64x16x16xf32>
    ```

    Samples, filters and channels may be split, and the outputs in space, for
    which every device has the whole input: no halos are exchanged. `first`, which
    exists in local programs, is the first output of a rank's part in the dimensions
    of space `first_in`; in the others it is 0:

    ```mlir
    %part = nn.convolution %x, %w from %row in [0] low [1, 1] high [1, 1]
       : (tensor<8x3x32x32xf32>, tensor<64x3x3x3xf32>, tensor<i64>)
       -> tensor<8x64x16x32xf32>
    ```

    **Constraints**
    - (C1) Input, filter and result have equal rank, at least 3, and one element type.
    - (C2) Strides, paddings and dilations have one number per dimension of space;
      strides and dilations are at least 1, paddings at least 0.
    - (C3) Input and filter have as many channels, input and result as many samples,
      and the result has a channel per filter.
    - (C4) The result has as many outputs as there are windows; with `first` it may
      have fewer.
  }];
  let arguments = !con((ins Nn_FloatTensor:$input, Nn_FloatTensor:$filter),
                       Nn_windowArguments);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `,` $filter " # windowFormat;
}

def Nn_ConvolutionInputGradOp : Nn_ConvolutionLikeOp<"convolution_input_grad"> {
  let summary = "gradient of nn.convolution with respect to the input";
  let description = [{
    Each element of `gradient` [N, F, space...], times the filter, is added where
    its window stands in the result [N, C, space...]. Constraints as those of
    nn.convolution.

    ```mlir
    %d = nn.convolution_input_grad %w, %g low [1, 1] high [1, 1]
       : (tensor<64x3x3x3xf32>, tensor<8x64x32x32xf32>) -> tensor<8x3x32x32xf32>
    ```
  }];
  let arguments = !con((ins Nn_FloatTensor:$filter, Nn_FloatTensor:$gradient),
                       Nn_windowArguments);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$filter `,` $gradient " # windowFormat;
}

def Nn_ConvolutionFilterGradOp
    : Nn_ConvolutionLikeOp<"convolution_filter_grad"> {
  let summary = "gradient of nn.convolution with respect to the filter";
  let description = [{
    The sum, over samples and outputs, of the elements of `gradient`
    [N, F, space...] times what their windows see of `input`; result
    [F, C, window...]. Constraints as those of nn.convolution.

    ```mlir
    %d = nn.convolution_filter_grad %x, %g low [1, 1] high [1, 1]
       : (tensor<8x3x32x32xf32>, tensor<8x64x32x32xf32>) -> tensor<64x3x3x3xf32>
    ```
  }];
  let arguments = !con((ins Nn_FloatTensor:$input, Nn_FloatTensor:$gradient),
                       Nn_windowArguments);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$input `,` $gradient " # windowFormat;
}

// ---- Pooling ----------------------------------------------------------------

def Nn_PoolOp : Nn_WindowOp<"pool"> {
  let summary = "maximum, minimum, sum or mean of what a window sees";
  let description = [{
    `input` [N, C, space...]; the result has an element for each place of the
    window in space. For maxima and minima padding is absent; for sums and means it
    is zeros, so that a mean divides by the window's extent everywhere.

    ```mlir
    %y = nn.pool max %x over [2, 2] strides [2, 2]
       : (tensor<8x64x32x32xf32>) -> tensor<8x64x16x16xf32>
    ```

    `first` and the constraints C2 and C4 are those of nn.convolution.

    **Constraints**
    - (C1) Input and result have equal rank, at least 3, one element type, and
      equally many samples and channels.
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
    Adds the elements of `gradient` where their windows stand: to all elements of
    a sum or mean, to the first extreme one otherwise, first as in row-major order.

    ```mlir
    %d = nn.pool_grad max %x, %g over [2, 2] strides [2, 2]
       : (tensor<8x64x32x32xf32>, tensor<8x64x16x16xf32>) -> tensor<8x64x32x32xf32>
    ```
  }];
  let arguments = !con((ins Nn_ReduceKind:$kind, Nn_FloatTensor:$input,
                            Nn_FloatTensor:$gradient, DenseI64ArrayAttr:$extents),
                       Nn_windowArguments);
  let results = (outs Nn_FloatTensor:$result);
  let assemblyFormat = "$kind $input `,` $gradient `over` $extents " # windowFormat;
}

#endif  // DIALECTS_NN_NNWINDOWOPS_TD_
