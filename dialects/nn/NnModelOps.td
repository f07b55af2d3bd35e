// Parameters, and values that come from nowhere.

#ifndef DIALECTS_NN_NNMODELOPS_TD_
#define DIALECTS_NN_NNMODELOPS_TD_

include "dialects/nn/NnBase.td"
include "mlir/Interfaces/CallInterfaces.td"

def Nn_ParameterOp : Nn_BaseOp<"parameter", [Symbol]> {
  let summary = "a tensor that lives from step to step";
  let description = [{
    A weight, or with `state` a piece of optimiser state. It begins as
    `initializer` says, the same numbers under every placement.

    ```mlir
    nn.parameter @w : tensor<1024x4096xf32> = #nn.normal<0.02>
    nn.parameter @b : tensor<4096xf32> = #nn.zeros {sbp.pin = #sbp.nd<@cluster, [B]>}
    nn.parameter @w.m : tensor<1024x4096xf32> = #nn.zeros {state}
    ```

    `frozen` weights are not trained. After placement the type carries the
    placement in which every rank keeps the parameter.

    **Constraints**
    - (C1) The initial value fits the element type: `normal` and `uniform` need
      floating point.
    - (C2) A placed parameter is not Partial.
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

    With `before` it is the value that the parameter had so many steps ago, or its
    first value where there are not so many steps yet. A schedule without a flush
    reads such weights: it begins a step before the last one has changed them.

    ```mlir
    %w = nn.get @w {before = 1} : tensor<1024x4096xf32>
    ```

    **Constraints**
    - (C1) `name` is a parameter of the module, and has the result's type.
    - (C2) `before` is not negative.
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
  let summary = "gives a parameter its value for the next step";
  let description = [{
    ```mlir
    nn.set @w, %updated : tensor<1024x4096xf32>
    ```

    Made by `--sbp-differentiate`. A function sets a parameter at most once, and
    after every `nn.get` of it.

    **Constraints**
    - (C1) `name` is a parameter of the module, and has the value's type.
  }];
  let arguments = (ins FlatSymbolRefAttr:$name, Nn_Tensor:$value);
  let assemblyFormat = "$name `,` $value attr-dict `:` type($value)";
}

def Nn_ConstantOp : Nn_WholeComputeOp<"constant"> {
  let summary = "a literal tensor";
  let description = [{
    ```mlir
    %zero = nn.constant dense<0.0> : tensor<f32>
    %rare = nn.constant sparse<[[0], [6]], [1.0, 2.0]> : tensor<8xf32>
    ```

    A `dense` splat may be split like any tensor; other literals are the same on
    all devices. A `dense_resource` has its bytes at the end of the file, row by
    row and little-endian, an `i1` in one byte.

    **Constraints**
    - (C1) The literal has the shape and the element type of the result.
    - (C2) It is `dense`, `sparse` or `dense_resource`; the file has the bytes of
      the latter, as many as the type takes.
    - (C3) A `sparse` one takes at most 1 GiB, zeros included.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Nn_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the literal is one number, written once.
    bool isSplat();
    /// All elements, zeros included.
    ::mlir::DenseElementsAttr getElements();
  }];
}

def Nn_IotaOp : Nn_WholeComputeOp<"iota"> {
  let summary = "the index along a dimension";
  let description = [{
    Element [i0, i1, ...] of the result is i_dim, plus `start` when given.

    ```mlir
    %column = nn.iota dim 1 : () -> tensor<4x5xi32>
    ```

    `start` exists in local programs: where a rank's part begins.
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
  let summary = "calls a function several times, each time with what it gave last";
  let description = [{
    The function takes the operands, and behind them what it returned the time
    before; at first, zeros. The results are what it returns the last time.

    ```mlir
    %sum = nn.repeat 8 @part(%w, %xs)
        : (tensor<4x5xf32>, tensor<2x8x4xf32>) -> tensor<f32>
    ```

    `@part` takes a matrix, all samples and the sum so far, and returns the next
    sum. Which of the samples are its own, it knows by the number of the call,
    `nn.repetition`.

    With `only` it makes some of these calls alone, and others, which may call
    another function, the rest:

    ```mlir
    %first = nn.repeat 8 only [0, 1, 4, 5] @part(%w, %xs)
        : (tensor<4x5xf32>, tensor<2x8x4xf32>) -> tensor<f32>
    %second = nn.repeat 8 only [2, 3, 6, 7] @other(%w, %xs)
        : (tensor<4x5xf32>, tensor<2x8x4xf32>) -> tensor<f32>
    ```

    Made by `--sbp-differentiate` for a batch in micro-batches, and by
    `--sbp-divide-pipes` for micro-batches that take several ways.

    **Constraints**
    - (C1) `times` is at least 1.
    - (C2) `only` has at least one number; they ascend, from 0 to `times` - 1.
    - (C3) `callee` is a function from the types of the operands and those of the
      results to those of the results.

    A plan (`codegen/plan/TaskList.h`) is refused where the function, or one that it
    calls, sets a parameter or repeats another one.
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
    /// The numbers of the calls, in their order.
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
  let summary = "which of the calls of a function that is repeated this one is";
  let description = [{
    ```mlir
    %k = nn.repetition : tensor<i64>
    ```

    0 in the first call by `nn.repeat`, 1 in the second, and so on, or as its `only`
    says; in what the function calls, as in itself. Elsewhere a program with it cannot be run.
  }];
  let results = (outs 0DTensorOf<[I64]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

#endif  // DIALECTS_NN_NNMODELOPS_TD_
