// Parameters, constants, indices, and repeated calls: ops without tensor operands.

#ifndef DIALECTS_NN_NNMODELOPS_TD_
#define DIALECTS_NN_NNMODELOPS_TD_

include "dialects/nn/NnBase.td"
include "mlir/Interfaces/CallInterfaces.td"

def Nn_ParameterOp : Nn_BaseOp<"parameter", [Symbol]> {
  let summary = "declaration of a parameter, a tensor that persists between steps";
  let description = [{
    Declares a weight, or with `state` a tensor of the optimiser's state. `initializer`
    gives its initial value, which is the same under every placement. With `frozen` the
    weight is not trained.

    ```mlir
    nn.parameter @w : tensor<1024x4096xf32> = #nn.normal<0.02>
    nn.parameter @b : tensor<4096xf32> = #nn.zeros {sbp.pin = #sbp.nd<@cluster, [B]>}
    nn.parameter @w.m : tensor<1024x4096xf32> = #nn.zeros {state}
    ```

    After placement the type has the placement in which the ranks keep the parameter.

    **Constraints**
    - (C1) The initial value fits the element type: `#nn.normal` and `#nn.uniform` need
      floating point, and each number of `initializer` is finite in the element type (an
      integer, if that is an integer type).
    - (C2) The placement of a placed type is not Partial.
    - (C3) `initializer` is `#nn.normal`, `#nn.uniform`, `#nn.constant`, `#nn.zeros` or
      `#nn.ones`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Nn_Tensor>:$type,
                       Nn_InitializerAttr:$initializer,
                       UnitAttr:$state, UnitAttr:$frozen);
  let assemblyFormat = "$sym_name `:` $type `=` $initializer attr-dict";
  let hasVerifier = 1;
}

def Nn_GetOp : Nn_BaseOp<"get", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    MemoryEffects<[MemRead]>]> {
  let summary = "the value of a parameter";
  let description = [{
    ```mlir
    %w = nn.get @w : tensor<1024x4096xf32>
    ```

    With `before = n` the result is the value that the parameter had n steps ago, or its
    initial value in the first n steps. A schedule without a flush reads such weights: a
    step begins before the previous step has updated them.

    ```mlir
    %w = nn.get @w {before = 1} : tensor<1024x4096xf32>
    ```

    **Constraints**
    - (C1) `name` names an `nn.parameter` of the module, whose type is that of the
      result.
    - (C2) `before` is at least 0.
  }];
  let arguments = (ins FlatSymbolRefAttr:$name,
                       DefaultValuedOptionalAttr<
                           ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$before);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

def Nn_SetOp : Nn_BaseOp<"set", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    MemoryEffects<[MemWrite]>]> {
  let summary = "sets the value of a parameter for the next step";
  let description = [{
    ```mlir
    nn.set @w, %updated : tensor<1024x4096xf32>
    ```

    Made by `--sbp-differentiate`. A function sets a parameter at most once, and
    after every `nn.get` of it.

    **Constraints**
    - (C1) `name` names an `nn.parameter` of the module, whose type is that of the
      value.
  }];
  let arguments = (ins FlatSymbolRefAttr:$name, Nn_Tensor:$value);
  let assemblyFormat = "$name `,` $value attr-dict `:` type($value)";
}

def Nn_ConstantOp : Nn_WholeComputeOp<"constant"> {
  let summary = "constant tensor";
  let description = [{
    The result is the literal `value`.

    ```mlir
    %zero = nn.constant dense<0.0> : tensor<f32>
    %rare = nn.constant sparse<[[0], [6]], [1.0, 2.0]> : tensor<8xf32>
    ```

    A `dense` literal of one repeated element may be split like any tensor; every device
    has the whole of other literals. The bytes of a `dense_resource` stand at the end of
    the file, in row-major order, little-endian, with one byte per `i1`.

    **Constraints**
    - (C1) The literal has the shape and the element type of the result.
    - (C2) The literal is `dense`, `sparse` or `dense_resource`. The file has the
      resource of a `dense_resource`, with as many bytes as the type takes.
    - (C3) A `sparse` literal takes at most 1 GiB, zeros included.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Nn_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the literal is `dense` with one repeated element.
    bool isSplat();
    /// Returns all elements of the literal, zeros included.
    ::mlir::DenseElementsAttr getElements();
  }];
}

def Nn_IotaOp : Nn_WholeComputeOp<"iota"> {
  let summary = "index of each element along a dimension";
  let description = [{
    result[i0, i1, ...] = i_dim + start.

    ```mlir
    %column = nn.iota dim 1 : () -> tensor<4x5xi32>
    ```

    `start` is 0 by default. It is used in local programs: the index at which a rank's
    part begins.

    **Constraints**
    - (C1) `dim` is a dimension of the result.
  }];
  let arguments = (ins Optional<0DTensorOf<[I64]>>:$start, I64Attr:$dim);
  let results = (outs Nn_NumberTensor:$result);
  let assemblyFormat =
      "(`from` $start^)? `dim` $dim attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Nn_RepeatOp : Nn_BaseOp<"repeat", [
    DeclareOpInterfaceMethods<CallOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "repeated call of a function, with results carried to the next call";
  let description = [{
    Calls the function `callee` `times` times. Its arguments are the operands of the op,
    followed by the results of the previous call; those are zeros in the first call. The
    results of the op are those of the last call.

    ```mlir
    %sum = nn.repeat 8 @part(%w, %xs)
        : (tensor<4x5xf32>, tensor<2x8x4xf32>) -> tensor<f32>
    ```

    Here `@part` takes a matrix, all samples, and the sum of the previous calls, and
    returns the next sum. `nn.repetition` gives it the number of the call, by which it
    selects its samples.

    With `only` the op makes only the calls with these numbers; other ops, which may call
    another function, make the other calls:

    ```mlir
    %first = nn.repeat 8 only [0, 1, 4, 5] @part(%w, %xs)
        : (tensor<4x5xf32>, tensor<2x8x4xf32>) -> tensor<f32>
    %second = nn.repeat 8 only [2, 3, 6, 7] @other(%w, %xs)
        : (tensor<4x5xf32>, tensor<2x8x4xf32>) -> tensor<f32>
    ```

    Made by `--sbp-differentiate` for a batch in micro-batches, and by
    `--sbp-divide-pipes` for micro-batches that take different pipes.

    **Constraints**
    - (C1) `times` is at least 1.
    - (C2) `only` has at least one number; its numbers ascend, and are from 0 to
      `times` - 1.
    - (C3) `callee` names a function, whose arguments have the types of the operands
      followed by those of the results, and whose results have those of the results.

    Code generation (`codegen/plan/TaskList.h`) refuses a program in which the callee, or
    a function that it calls, sets a parameter or contains an `nn.repeat`.
  }];
  let arguments = (ins I64Attr:$times, OptionalAttr<DenseI64ArrayAttr>:$only,
                       FlatSymbolRefAttr:$callee,
                       Variadic<Nn_Tensor>:$operands);
  let results = (outs Variadic<Nn_Tensor>:$results);
  let assemblyFormat = "$times (`only` $only^)? $callee `(` $operands `)` attr-dict "
                       "`:` functional-type($operands, $results)";
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "int64_t":$times,
                                 "::llvm::StringRef":$callee,
                                 "::mlir::ValueRange":$operands)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the numbers of the calls that the op makes, in their order.
    ::llvm::SmallVector<int64_t> numbers();

    // Of the CallOpInterface: arguments and results have no attributes here.
    ::mlir::ArrayAttr getArgAttrsAttr() { return nullptr; }
    ::mlir::ArrayAttr getResAttrsAttr() { return nullptr; }
    void setArgAttrsAttr(::mlir::ArrayAttr) {}
    void setResAttrsAttr(::mlir::ArrayAttr) {}
    ::mlir::Attribute removeArgAttrsAttr() { return nullptr; }
    ::mlir::Attribute removeResAttrsAttr() { return nullptr; }
  }];
}

def Nn_RepetitionOp : Nn_WholeComputeOp<"repetition"> {
  let summary = "number of the current call by nn.repeat";
  let description = [{
    The result is the number of the call by `nn.repeat` in which the op runs, in the
    callee itself and in the functions that it calls: 0, 1, ..., `times` - 1, or the
    numbers in `only`.

    ```mlir
    %k = nn.repetition : tensor<i64>
    ```

    A program with this op outside of a repeated function cannot be run.

    **Constraints**
    - (C1) The result is a tensor<i64>.
  }];
  let results = (outs 0DTensorOf<[I64]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

#endif  // DIALECTS_NN_NNMODELOPS_TD_
