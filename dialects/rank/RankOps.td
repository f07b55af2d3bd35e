#ifndef DIALECTS_RANK_RANKOPS_TD_
#define DIALECTS_RANK_RANKOPS_TD_

include "dialects/rank/RankAttrs.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Rank_Network : Resource<"::sbp::rank::Network">;

class Rank_Op<string mnemonic, list<Trait> traits = []>
    : Op<Rank_Dialect, mnemonic, traits>;

def Rank_ProgramOp : Rank_Op<"program", [
    Symbol, SymbolTable, IsolatedFromAbove, NoTerminator, SingleBlock, NoRegionArguments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the functions and parameters of some ranks";
  let description = [{
    Holds `nn.parameter` ops with local types and `func.func` ops with local
    tensors, for the ranks that it lists.

    Made by `--sbp-localize`; consumed by code generation and the interpreter.

    **Constraints**
    - (C1) `ranks` ascend and are ranks of the mesh.
    - (C2) No other program of the module has one of them.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$mesh,
                       DenseI64ArrayAttr:$ranks);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$sym_name `on` $mesh `ranks` $ranks attr-dict-with-keyword $body";
}

// ---- Collectives ------------------------------------------------------------

// The members are the ranks that differ in the coordinates of `axes` only: axes
// of the program's mesh, or of the group that `rank.group` names:
//
//   rank.all_reduce sum %y over ["data"] {rank.group = @front} : tensor<32xf32>
class Rank_AxesOp<string mnemonic, list<Trait> traits = []>
    : Rank_Op<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<SymbolUserOpInterface>], traits)>;

// A collective takes part in a meeting of its members, all of which make as many,
// in one order: none may be dropped, doubled, moved before another, or be one with
// another that looks the same here and not elsewhere. So it writes, to the network.
class Rank_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Rank_AxesOp<mnemonic, !listconcat([
        MemoryEffects<[MemWrite<Rank_Network>]>], traits)>;

// A step that moves nothing is the same wherever it stands.
class Rank_MoveFreeOp<string mnemonic, list<Trait> traits = []>
    : Rank_AxesOp<mnemonic, !listconcat([Pure], traits)>;

def Rank_AllReduceOp : Rank_CollectiveOp<"all_reduce", [
    AllTypesMatch<["input", "result"]>]> {
  let summary = "the reduction of all members' tensors, on every member";
  let description = [{
    ```mlir
    %z = rank.all_reduce sum %y over ["gpu"] : tensor<32x1024xf32>
    ```
  }];
  let arguments = (ins Rank_Reduction:$reduction, AnyStaticShapeTensor:$input,
                       StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$reduction $input `over` $axes attr-dict `:` type($input)";
}

def Rank_AllGatherOp : Rank_CollectiveOp<"all_gather"> {
  let summary = "the members' parts of a dimension, joined, on every member";
  let description = [{
    ```mlir
    %z = rank.all_gather %y dim 0 over ["gpu"] : tensor<2x8xf32> -> tensor<8x8xf32>
    ```

    **Constraints**
    - (C1) The types differ in dimension `dim` only.
    - (C2) The input's extent is a part of the result's (some member's).
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, I64Attr:$dim,
                       StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$input `dim` $dim `over` $axes attr-dict `:` type($input) "
                       "`->` type($result)";
}

def Rank_ReduceScatterOp : Rank_CollectiveOp<"reduce_scatter"> {
  let summary = "each member's part of the reduction of all members' tensors";
  let description = [{
    ```mlir
    %z = rank.reduce_scatter sum %y dim 0 over ["gpu"]
       : tensor<8x8xf32> -> tensor<2x8xf32>
    ```

    **Constraints**
    - (C1) The types differ in dimension `dim` only.
    - (C2) The result's extent is a part of the input's.
  }];
  let arguments = (ins Rank_Reduction:$reduction, AnyStaticShapeTensor:$input,
                       I64Attr:$dim, StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$reduction $input `dim` $dim `over` $axes attr-dict `:` "
                       "type($input) `->` type($result)";
}

def Rank_AllToAllOp : Rank_CollectiveOp<"all_to_all"> {
  let summary = "from parts of one dimension to parts of another";
  let description = [{
    The input is a part along `gather_dim` and whole along `split_dim`; the result
    is whole along `gather_dim` and a part along `split_dim`.

    ```mlir
    %z = rank.all_to_all %y gather 0 split 1 over ["gpu"]
       : tensor<2x8xf32> -> tensor<8x2xf32>
    ```

    **Constraints**
    - (C1) The types differ in those two dimensions only, which are different.
    - (C2) The input's extent along `gather_dim` is a part of the result's, and
      the result's along `split_dim` one of the input's.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, I64Attr:$gather_dim,
                       I64Attr:$split_dim, StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$input `gather` $gather_dim `split` $split_dim `over` $axes "
                       "attr-dict `:` type($input) `->` type($result)";
}

def Rank_HaloExchangeOp : Rank_CollectiveOp<"halo_exchange"> {
  let summary = "this member's part of a dimension, and what borders on it";
  let description = [{
    The part is widened by the `low` elements before it and the `high` ones behind
    it, which other members have. Beyond the ends of the whole dimension, whose
    extent is said, lies the neutral element of `reduction`: 0 of a sum, the lowest
    value of a maximum, the highest of a minimum.

    ```mlir
    %z = rank.halo_exchange sum %y dim 2 of 32 low 1 high 1 over ["gpu"]
       : tensor<8x3x8x32xf32> -> tensor<8x3x10x32xf32>
    ```

    Made by layers that fetch halos themselves (`plugins/halo`).

    **Constraints**
    - (C1) The types differ in dimension `dim` only, in which the result is larger by
      `low` and `high`, which are at least 0.
    - (C2) The input's extent is a part of `extent`.
  }];
  let arguments = (ins Rank_Reduction:$reduction, AnyStaticShapeTensor:$input,
                       I64Attr:$dim, I64Attr:$extent, I64Attr:$low,
                       I64Attr:$high, StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$reduction $input `dim` $dim `of` $extent `low` $low "
                       "`high` $high `over` $axes attr-dict `:` type($input) "
                       "`->` type($result)";
}

// ---- From group to group ----------------------------------------------------

def Rank_TransferOp : Rank_Op<"transfer", [Symbol,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a tensor that goes from one group of ranks to another";
  let description = [{
    Says how the tensor lies on the ranks that send it and on those that receive
    it, so that all programs mean the same. Every rank that receives fetches its
    part from ranks that have it.

    ```mlir
    rank.transfer @t0 : tensor<64x1024xf32, #sbp.nd<@front, [S(0)]>>
        to tensor<64x1024xf32, #sbp.nd<@back, [B]>>
    ```

    Made by `--sbp-localize`; stands in the module, beside the rank programs.

    **Constraints**
    - (C1) Both types are placed, on different meshes, neither Partial.
    - (C2) Shapes and element types are equal.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<AnyRankedTensor>:$source,
                       TypeAttrOf<AnyRankedTensor>:$target);
  let assemblyFormat = "$sym_name `:` $source `to` $target attr-dict";
}

def Rank_SendOp : Rank_Op<"send", [MemoryEffects<[MemWrite<Rank_Network>]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "gives this rank's part of a tensor to another group";
  let description = [{
    ```mlir
    rank.send %y through @t0 : tensor<32x1024xf32>
    ```

    The rank does not wait for those that receive it.

    **Constraints**
    - (C1) `transfer` is a rank.transfer of the module.
    - (C2) The program's ranks are of its source group, and have parts of this type.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, FlatSymbolRefAttr:$transfer);
  let assemblyFormat = "$input `through` $transfer attr-dict `:` type($input)";
}

def Rank_ReceiveOp : Rank_Op<"receive", [MemoryEffects<[MemWrite<Rank_Network>]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "this rank's part of a tensor from another group";
  let description = [{
    ```mlir
    %y = rank.receive through @t0 : tensor<64x1024xf32>
    ```

    **Constraints**
    - (C1) `transfer` is a rank.transfer of the module.
    - (C2) The program's ranks are of its target group, and have parts of this type.
  }];
  let arguments = (ins FlatSymbolRefAttr:$transfer);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "`through` $transfer attr-dict `:` type($result)";
}

// ---- Steps of a boxing that move nothing ------------------------------------

def Rank_SliceOp : Rank_MoveFreeOp<"slice"> {
  let summary = "this member's part of a dimension";
  let description = [{
    ```mlir
    %z = rank.slice %y dim 0 over ["gpu"] : tensor<8x8xf32> -> tensor<2x8xf32>
    ```

    **Constraints**
    - (C1) The types differ in dimension `dim` only.
    - (C2) The result's extent is a part of the input's.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, I64Attr:$dim,
                       StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$input `dim` $dim `over` $axes attr-dict `:` type($input) "
                       "`->` type($result)";
}

def Rank_PadOp : Rank_MoveFreeOp<"pad"> {
  let summary = "this member's part, the neutral element elsewhere";
  let description = [{
    From Split to Partial: 0 around a term of a sum, the lowest value around one
    of a maximum, the highest around one of a minimum.

    ```mlir
    %z = rank.pad sum %y dim 0 over ["gpu"] : tensor<2x8xf32> -> tensor<8x8xf32>
    ```

    **Constraints**
    - (C1) The types differ in dimension `dim` only.
    - (C2) The input's extent is a part of the result's.
  }];
  let arguments = (ins Rank_Reduction:$reduction, AnyStaticShapeTensor:$input,
                       I64Attr:$dim, StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$reduction $input `dim` $dim `over` $axes attr-dict `:` "
                       "type($input) `->` type($result)";
}

def Rank_ToPartialOp : Rank_MoveFreeOp<"to_partial", [
    AllTypesMatch<["input", "result"]>]> {
  let summary = "the tensor on member 0, the neutral element on the others";
  let description = [{
    From Broadcast to Partial.

    ```mlir
    %z = rank.to_partial sum %y over ["gpu"] : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins Rank_Reduction:$reduction, AnyStaticShapeTensor:$input,
                       StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$reduction $input `over` $axes attr-dict `:` type($input)";
}

def Rank_OffsetOp : Rank_MoveFreeOp<"offset"> {
  let summary = "where this member's part of an extent begins";
  let description = [{
    ```mlir
    %begin = rank.offset 50304 over ["gpu"] : tensor<i64>
    ```
  }];
  let arguments = (ins I64Attr:$extent, StrArrayAttr:$axes);
  let results = (outs 0DTensorOf<[I64]>:$result);
  let assemblyFormat = "$extent `over` $axes attr-dict `:` type($result)";
}

#endif  // DIALECTS_RANK_RANKOPS_TD_
