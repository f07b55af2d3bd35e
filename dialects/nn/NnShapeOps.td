// The same elements in another arrangement.

#ifndef DIALECTS_NN_NNSHAPEOPS_TD_
#define DIALECTS_NN_NNSHAPEOPS_TD_

include "dialects/nn/NnBase.td"

def Nn_ReshapeOp : Nn_ComputeOp<"reshape", [Nn_KeepsElements]> {
  let summary = "the same elements, row-major, in another shape";
  let description = [{
    ```mlir
    %y = nn.reshape %x : tensor<8x32x64xf32> -> tensor<256x64xf32>
    ```

    Of dimensions that merge or split, the leading one may be split over a mesh
    axis, where the parts are equal.

    **Constraints**
    - (C1) Both shapes have as many elements, and one element type.
  }];
  let arguments = (ins Nn_Tensor:$input);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Nn_TransposeOp : Nn_ComputeOp<"transpose", [Nn_InfersTypes, Nn_KeepsElements]> {
  let summary = "permutes dimensions";
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of the input.

    ```mlir
    %y = nn.transpose %x [1, 0] : tensor<4x5xf32> -> tensor<5x4xf32>
    ```
  }];
  let arguments = (ins Nn_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$input $permutation attr-dict `:` type($input) `->` "
                       "type($result)";
}

def Nn_BroadcastOp : Nn_ComputeOp<"broadcast", [Nn_KeepsElements]> {
  let summary = "repeats a tensor along dimensions";
  let description = [{
    Shapes are aligned at the last dimension; an extent of 1, or a missing
    dimension, repeats.

    ```mlir
    %y = nn.broadcast %x : tensor<4x1xf32> -> tensor<2x4x5xf32>
    ```
  }];
  let arguments = (ins Nn_Tensor:$input);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Nn_SliceOp : Nn_WholeComputeOp<"slice", [Nn_InfersTypes]> {
  let summary = "a box of a tensor";
  let description = [{
    ```mlir
    %y = nn.slice %x [0, 2] [4, 3] : tensor<4x8xf32> -> tensor<4x3xf32>
    ```

    `offsets`, then `sizes`.
  }];
  let arguments = (ins Nn_Tensor:$input, DenseI64ArrayAttr:$offsets,
                       DenseI64ArrayAttr:$sizes);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$input $offsets $sizes attr-dict `:` type($input) `->` "
                       "type($result)";
}

def Nn_PartOp : Nn_ComputeOp<"part", [Nn_InfersTypes,
    DeclareOpInterfaceMethods<Nn_IndexOpInterface>]> {
  let summary = "what a tensor has at an index of one dimension";
  let description = [{
    ```mlir
    %y = nn.part %k of %x dim 1
       : (tensor<i64>, tensor<2x8x4xf32>) -> tensor<2x4xf32>
    ```

    Indices count from 0; one that is beyond the dimension stands for the nearest
    that is not.
  }];
  let arguments = (ins 0DTensorOf<[I64]>:$index, Nn_Tensor:$input, I64Attr:$dim);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$index `of` $input `dim` $dim attr-dict `:` "
                       "functional-type(operands, results)";
}

def Nn_PadOp : Nn_ComputeOp<"pad", [Nn_InfersTypes, Nn_KeepsElements]> {
  let summary = "a tensor with zeros around it";
  let description = [{
    ```mlir
    %y = nn.pad %x [0, 2] [0, 3] : tensor<4x3xf32> -> tensor<4x8xf32>
    ```

    `low`, then `high`: how many zeros stand before and after each dimension.
  }];
  let arguments = (ins Nn_Tensor:$input, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$input $low $high attr-dict `:` type($input) `->` "
                       "type($result)";
}

def Nn_ConcatOp : Nn_ComputeOp<"concat", [Nn_InfersTypes, Nn_KeepsElements]> {
  let summary = "tensors one after another along a dimension";
  let description = [{
    ```mlir
    %z = nn.concat %x, %y dim 1
       : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Variadic<Nn_Tensor>:$inputs, I64Attr:$dim);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$inputs `dim` $dim attr-dict `:` "
                       "functional-type(operands, results)";
}

#endif  // DIALECTS_NN_NNSHAPEOPS_TD_
