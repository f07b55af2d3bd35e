// Ops that rearrange, repeat, cut or join tensors without computing.

#ifndef DIALECTS_NN_NNSHAPEOPS_TD_
#define DIALECTS_NN_NNSHAPEOPS_TD_

include "dialects/nn/NnBase.td"

def Nn_ReshapeOp : Nn_ComputeOp<"reshape", [Nn_KeepsElements]> {
  let summary = "the same elements in another shape";
  let description = [{
    Gives the elements, in row-major order, the shape of the result.

    ```mlir
    %y = nn.reshape %x : tensor<8x32x64xf32> -> tensor<256x64xf32>
    ```

    Where dimensions are merged or split, a mesh axis may split the leading one of them,
    into parts of equal size.

    **Constraints**
    - (C1) Input and result have the same number of elements, and the same element type.
  }];
  let arguments = (ins Nn_Tensor:$input);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Nn_TransposeOp : Nn_ComputeOp<"transpose", [Sbp_InfersTypes, Nn_KeepsElements]> {
  let summary = "permutation of dimensions";
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of the input.

    ```mlir
    %y = nn.transpose %x [1, 0] : tensor<4x5xf32> -> tensor<5x4xf32>
    ```

    **Constraints**
    - (C1) `permutation` has each dimension of the input exactly once.
    - (C2) The result has the permuted shape, and the input's element type.
  }];
  let arguments = (ins Nn_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$input $permutation attr-dict `:` type($input) `->` "
                       "type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Nn_BroadcastOp : Nn_ComputeOp<"broadcast", [Nn_KeepsElements]> {
  let summary = "repetition along dimensions";
  let description = [{
    Repeats the input to the shape of the result. Shapes are aligned at the last
    dimension; an extent of 1, or a missing dimension, repeats.

    ```mlir
    %y = nn.broadcast %x : tensor<4x1xf32> -> tensor<2x4x5xf32>
    ```

    **Constraints**
    - (C1) Input and result have the same element type.
    - (C2) Aligned at the last dimension, each extent of the input is 1 or that of the
      result.
  }];
  let arguments = (ins Nn_Tensor:$input);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Nn_SliceOp : Nn_WholeComputeOp<"slice", [Sbp_InfersTypes]> {
  let summary = "a contiguous block of a tensor";
  let description = [{
    result[i0, i1, ...] = input[offsets[0] + i0, offsets[1] + i1, ...], with shape
    `sizes`. The text has `offsets`, then `sizes`.

    ```mlir
    %y = nn.slice %x [0, 2] [4, 3] : tensor<4x8xf32> -> tensor<4x3xf32>
    ```

    **Constraints**
    - (C1) `offsets` and `sizes` have one number per dimension of the input.
    - (C2) In each dimension 0 <= offset, 0 <= size, and offset + size <= extent of the
      input.
    - (C3) The result has the shape `sizes`, and the input's element type.
  }];
  let arguments = (ins Nn_Tensor:$input, DenseI64ArrayAttr:$offsets,
                       DenseI64ArrayAttr:$sizes);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$input $offsets $sizes attr-dict `:` type($input) `->` "
                       "type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Nn_PartOp : Nn_ComputeOp<"part", [Sbp_InfersTypes,
    DeclareOpInterfaceMethods<Nn_IndexOpInterface>]> {
  let summary = "the slice of a tensor at an index of one dimension";
  let description = [{
    result[..., ...] = input[..., index, ...], where `index` is the coordinate along
    `dim`. The result lacks this dimension. An index outside the dimension is clamped to
    the first or the last one.

    ```mlir
    %y = nn.part %k of %x dim 1
       : (tensor<i64>, tensor<2x8x4xf32>) -> tensor<2x4xf32>
    ```

    **Constraints**
    - (C1) `dim` is a dimension of the input.
    - (C2) Its extent is at least 1.
    - (C3) The result has the input's shape without `dim`, and its element type.
  }];
  let arguments = (ins 0DTensorOf<[I64]>:$index, Nn_Tensor:$input, I64Attr:$dim);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$index `of` $input `dim` $dim attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_PadOp : Nn_ComputeOp<"pad", [Sbp_InfersTypes, Nn_KeepsElements]> {
  let summary = "a tensor with zeros around it";
  let description = [{
    Puts `low[d]` zeros before the input and `high[d]` zeros after it along each
    dimension d. The text has `low`, then `high`.

    ```mlir
    %y = nn.pad %x [0, 2] [0, 3] : tensor<4x3xf32> -> tensor<4x8xf32>
    ```

    **Constraints**
    - (C1) `low` and `high` have one number per dimension of the input.
    - (C2) No number is negative.
    - (C3) The result has the extents low[d] + extent + high[d], and the input's element
      type.
  }];
  let arguments = (ins Nn_Tensor:$input, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$input $low $high attr-dict `:` type($input) `->` "
                       "type($result)";
  let hasFolder = 1;
}

def Nn_ConcatOp : Nn_ComputeOp<"concat", [Sbp_InfersTypes, Nn_KeepsElements]> {
  let summary = "concatenation along a dimension";
  let description = [{
    Joins the inputs along `dim`, in their order.

    ```mlir
    %z = nn.concat %x, %y dim 1
       : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>
    ```

    **Constraints**
    - (C1) There is at least one input.
    - (C2) All inputs have the same element type.
    - (C3) `dim` is a dimension of the first input.
    - (C4) All inputs have the same rank, and equal extents except along `dim`.
    - (C5) The result has the sum of the extents along `dim`, the inputs' extents in the
      other dimensions, and their element type.
  }];
  let arguments = (ins Variadic<Nn_Tensor>:$inputs, I64Attr:$dim);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$inputs `dim` $dim attr-dict `:` "
                       "functional-type(operands, results)";
  let hasFolder = 1;
}

#endif  // DIALECTS_NN_NNSHAPEOPS_TD_
