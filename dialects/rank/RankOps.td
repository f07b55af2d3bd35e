#ifndef DIALECTS_RANK_RANKOPS_TD_
#define DIALECTS_RANK_RANKOPS_TD_

include "dialects/rank/RankAttrs.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Rank_Network : Resource<"::sbp::rank::Network">;

class Rank_Op<string mnemonic, list<Trait> traits = []>
    : Op<Rank_Dialect, mnemonic, traits>;

def Rank_ProgramOp : Rank_Op<"program", [
    Symbol, SymbolTable, IsolatedFromAbove, NoTerminator, SingleBlock, NoRegionArguments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "program of some of the ranks";
  let description = [{
    Holds the `nn.parameter` and `func.func` ops, on local tensors, that the ranks
    `ranks` of `mesh` run.

    ```mlir
    rank.program @front on @cluster ranks [0, 1] {
      func.func @double(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
        %y = nn.add %x, %x : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
        return %y : tensor<2x8xf32>
      }
    }
    ```

    Made by `--sbp-localize`; consumed by code generation and the interpreter.

    **Constraints**
    - (C1) `ranks` has at least one number; its numbers ascend, and are ranks of the mesh.
    - (C2) No other program of the module lists one of these ranks.
    - (C3) `mesh` names an `sbp.machine` or an `sbp.mesh` of the module.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$mesh,
                       DenseI64ArrayAttr:$ranks);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$sym_name `on` $mesh `ranks` $ranks attr-dict-with-keyword $body";
}

// ---- Collectives ------------------------------------------------------------

// An op of a group of ranks, which differ at most in their coordinates along `axes`.
// These are axes of the program's mesh, or of the group that `rank.group` names:
//
//   rank.all_reduce sum %y over ["data"] {rank.group = @front} : tensor<32xf32>
class Rank_AxesOp<string mnemonic, list<Trait> traits = []>
    : Rank_Op<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<SymbolUserOpInterface>], traits)>;

// A collective, for which all members of the group wait. All members run the same
// collectives in the same order, so a pass must not remove, duplicate, reorder or merge
// them. Therefore a collective has an effect: it writes to the resource Rank_Network.
class Rank_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Rank_AxesOp<mnemonic, !listconcat([
        MemoryEffects<[MemWrite<Rank_Network>]>], traits)>;

// An op that communicates nothing, and therefore has no effect.
class Rank_MoveFreeOp<string mnemonic, list<Trait> traits = []>
    : Rank_AxesOp<mnemonic, !listconcat([Pure], traits)>;

def Rank_AllReduceOp : Rank_CollectiveOp<"all_reduce", [
    AllTypesMatch<["input", "result"]>]> {
  let summary = "reduction of the members' tensors, on every member";
  let description = [{
    result = the elementwise reduction of the inputs of all members of the group: from
    Partial to Broadcast.

    ```mlir
    %z = rank.all_reduce sum %y over ["gpu"] : tensor<32x1024xf32>
    ```

    **Constraints**
    - (C1) Input and result have the same type.
    - (C2) The op is in a `rank.program`. `axes` names at least one axis of its mesh, or of
      the group `rank.group`, in the mesh's order.
  }];
  let arguments = (ins Rank_Reduction:$reduction, AnyStaticShapeTensor:$input,
                       StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$reduction $input `over` $axes attr-dict `:` type($input)";
}

def Rank_AllGatherOp : Rank_CollectiveOp<"all_gather"> {
  let summary = "concatenation of the members' parts, on every member";
  let description = [{
    result = the inputs of all members of the group, concatenated along `dim` in the order
    of the members: from Split to Broadcast.

    ```mlir
    %z = rank.all_gather %y dim 0 over ["gpu"] : tensor<2x8xf32> -> tensor<8x8xf32>
    ```

    **Constraints**
    - (C1) Input and result have the same rank and element type, and equal extents except
      along `dim`, which is one of their dimensions.
    - (C2) The input's extent along `dim` is that of some member's part of the result's.
    - (C3) The op is in a `rank.program`. `axes` names at least one axis of its mesh, or of
      the group `rank.group`, in the mesh's order.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, I64Attr:$dim,
                       StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$input `dim` $dim `over` $axes attr-dict `:` type($input) "
                       "`->` type($result)";
}

def Rank_ReduceScatterOp : Rank_CollectiveOp<"reduce_scatter"> {
  let summary = "reduction of the members' tensors, split over the members";
  let description = [{
    result = this member's part, along `dim`, of the elementwise reduction of the inputs of
    all members of the group: from Partial to Split.

    ```mlir
    %z = rank.reduce_scatter sum %y dim 0 over ["gpu"]
       : tensor<8x8xf32> -> tensor<2x8xf32>
    ```

    **Constraints**
    - (C1) Input and result have the same rank and element type, and equal extents except
      along `dim`, which is one of their dimensions.
    - (C2) The result's extent along `dim` is that of some member's part of the input's.
    - (C3) The op is in a `rank.program`. `axes` names at least one axis of its mesh, or of
      the group `rank.group`, in the mesh's order.
  }];
  let arguments = (ins Rank_Reduction:$reduction, AnyStaticShapeTensor:$input,
                       I64Attr:$dim, StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$reduction $input `dim` $dim `over` $axes attr-dict `:` "
                       "type($input) `->` type($result)";
}

def Rank_AllToAllOp : Rank_CollectiveOp<"all_to_all"> {
  let summary = "change of the split dimension";
  let description = [{
    Every member sends every other member a block. The input is a part along `gather_dim`
    and whole along `split_dim`; the result is whole along `gather_dim` and a part along
    `split_dim`: from Split along the one to Split along the other.

    ```mlir
    %z = rank.all_to_all %y gather 0 split 1 over ["gpu"]
       : tensor<2x8xf32> -> tensor<8x2xf32>
    ```

    **Constraints**
    - (C1) Input and result have the same rank and element type, and equal extents except
      along `gather_dim` and `split_dim`, which are two different dimensions of them.
    - (C2) The input's extent along `gather_dim` is that of some member's part of the
      result's, and the result's extent along `split_dim` that of some member's part of
      the input's.
    - (C3) The op is in a `rank.program`. `axes` names at least one axis of its mesh, or of
      the group `rank.group`, in the mesh's order.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, I64Attr:$gather_dim,
                       I64Attr:$split_dim, StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$input `gather` $gather_dim `split` $split_dim `over` $axes "
                       "attr-dict `:` type($input) `->` type($result)";
}

def Rank_HaloExchangeOp : Rank_CollectiveOp<"halo_exchange"> {
  let summary = "this member's part of a dimension, with its neighbours' borders";
  let description = [{
    result = the input, extended along `dim` by the `low` elements before it and the `high`
    elements after it, which other members of the group have. Beyond the ends of the whole
    dimension, whose extent is `extent`, elements are the neutral element of `reduction`:
    0 for a sum, the lowest value of the type for a maximum, the highest for a minimum.

    ```mlir
    %z = rank.halo_exchange sum %y dim 2 of 32 low 1 high 1 over ["gpu"]
       : tensor<8x3x8x32xf32> -> tensor<8x3x10x32xf32>
    ```

    Made by ops that exchange halos themselves (`plugins/halo`).

    **Constraints**
    - (C1) Input and result have the same rank and element type, and equal extents except
      along `dim`, which is one of their dimensions. There the result's extent is
      low + the input's extent + high; `low` and `high` are at least 0.
    - (C2) The input's extent along `dim` is that of some member's part of `extent`.
    - (C3) The op is in a `rank.program`. `axes` names at least one axis of its mesh, or of
      the group `rank.group`, in the mesh's order.
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
  let summary = "declaration of a tensor that one group of ranks sends to another";
  let description = [{
    Declares the placement `source` of the tensor on the ranks that send it (`rank.send`),
    and the placement `target` on the ranks that receive it (`rank.receive`). Every
    receiving rank gets its part from ranks that have it.

    ```mlir
    rank.transfer @t0 : tensor<64x1024xf32, #sbp.nd<@front, [S(0)]>>
        to tensor<64x1024xf32, #sbp.nd<@back, [B]>>
    ```

    Made by `--sbp-localize`, in the module, beside the rank programs.

    **Constraints**
    - (C1) Both types are placed, on different meshes, and neither is Partial.
    - (C2) Both types have the same shape and element type.
    - (C3) The mesh of each placement is an `sbp.machine` or `sbp.mesh` of the module, with
      one axis per component.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<AnyRankedTensor>:$source,
                       TypeAttrOf<AnyRankedTensor>:$target);
  let assemblyFormat = "$sym_name `:` $source `to` $target attr-dict";
}

def Rank_SendOp : Rank_Op<"send", [MemoryEffects<[MemWrite<Rank_Network>]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "send of this rank's part of a tensor to another group";
  let description = [{
    Sends the input, this rank's part of the tensor of `transfer`, to the ranks of the
    target group that need it. The rank does not wait until they receive it.

    ```mlir
    rank.send %y through @t0 : tensor<32x1024xf32>
    ```

    **Constraints**
    - (C1) The op is in a `rank.program`, and `transfer` names a `rank.transfer` of the
      module.
    - (C2) The ranks of the program are in the transfer's source group, and their parts of
      the tensor have the type of the input.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, FlatSymbolRefAttr:$transfer);
  let assemblyFormat = "$input `through` $transfer attr-dict `:` type($input)";
}

def Rank_ReceiveOp : Rank_Op<"receive", [MemoryEffects<[MemWrite<Rank_Network>]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "receipt of this rank's part of a tensor from another group";
  let description = [{
    result = this rank's part of the tensor of `transfer`, from ranks of the source group.

    ```mlir
    %y = rank.receive through @t0 : tensor<64x1024xf32>
    ```

    **Constraints**
    - (C1) The op is in a `rank.program`, and `transfer` names a `rank.transfer` of the
      module.
    - (C2) The ranks of the program are in the transfer's target group, and their parts of
      the tensor have the type of the result.
  }];
  let arguments = (ins FlatSymbolRefAttr:$transfer);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "`through` $transfer attr-dict `:` type($result)";
}

// ---- Ops without communication -----------------------------------------------

def Rank_SliceOp : Rank_MoveFreeOp<"slice"> {
  let summary = "this member's part of a dimension";
  let description = [{
    result = this member's part of the input along `dim`: from Broadcast to Split.

    ```mlir
    %z = rank.slice %y dim 0 over ["gpu"] : tensor<8x8xf32> -> tensor<2x8xf32>
    ```

    **Constraints**
    - (C1) Input and result have the same rank and element type, and equal extents except
      along `dim`, which is one of their dimensions.
    - (C2) The result's extent along `dim` is that of some member's part of the input's.
    - (C3) The op is in a `rank.program`. `axes` names at least one axis of its mesh, or of
      the group `rank.group`, in the mesh's order.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, I64Attr:$dim,
                       StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$input `dim` $dim `over` $axes attr-dict `:` type($input) "
                       "`->` type($result)";
}

def Rank_PadOp : Rank_MoveFreeOp<"pad"> {
  let summary = "this member's part, with the neutral element around it";
  let description = [{
    result = the input at the position of this member's part along `dim`, and the neutral
    element of `reduction` elsewhere: 0 for a sum, the lowest value of the type for a
    maximum, the highest for a minimum. From Split to Partial.

    ```mlir
    %z = rank.pad sum %y dim 0 over ["gpu"] : tensor<2x8xf32> -> tensor<8x8xf32>
    ```

    **Constraints**
    - (C1) Input and result have the same rank and element type, and equal extents except
      along `dim`, which is one of their dimensions.
    - (C2) The input's extent along `dim` is that of some member's part of the result's.
    - (C3) The op is in a `rank.program`. `axes` names at least one axis of its mesh, or of
      the group `rank.group`, in the mesh's order.
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
    result = the input on member 0 of the group, and on the other members the neutral
    element of `reduction` everywhere: from Broadcast to Partial.

    ```mlir
    %z = rank.to_partial sum %y over ["gpu"] : tensor<8x8xf32>
    ```

    **Constraints**
    - (C1) Input and result have the same type.
    - (C2) The op is in a `rank.program`. `axes` names at least one axis of its mesh, or of
      the group `rank.group`, in the mesh's order.
  }];
  let arguments = (ins Rank_Reduction:$reduction, AnyStaticShapeTensor:$input,
                       StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$reduction $input `over` $axes attr-dict `:` type($input)";
}

def Rank_OffsetOp : Rank_MoveFreeOp<"offset"> {
  let summary = "index at which this member's part of an extent begins";
  let description = [{
    result = the first index of this member's part of `extent`.

    ```mlir
    %begin = rank.offset 50304 over ["gpu"] : tensor<i64>
    ```

    **Constraints**
    - (C1) The op is in a `rank.program`. `axes` names at least one axis of its mesh, or of
      the group `rank.group`, in the mesh's order.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$extent, StrArrayAttr:$axes);
  let results = (outs 0DTensorOf<[I64]>:$result);
  let assemblyFormat = "$extent `over` $axes attr-dict `:` type($result)";
}

// ---- Kernels ------------------------------------------------------------------

def Rank_FusedOp : Rank_Op<"fused", [Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "element-wise ops that one kernel computes";
  let description = [{
    result = what the body yields, for each element from the elements at the same position
    of the operands. Operands broadcast as those of `nn.add` do. A tensor between two ops
    of the body is not stored.

    ```mlir
    %z = rank.fused(%x, %bias) : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32> {
    ^bb0(%a: tensor<8x4xf32>, %b: tensor<4xf32>):
      %biased = nn.add %a, %b : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
      %relu = nn.relu %biased : tensor<8x4xf32>
      rank.yield %relu : tensor<8x4xf32>
    }
    ```

    Made by `--sbp-fuse-elementwise`. Each result has the bits that the ops of the body
    compute one by one.

    **Constraints**
    - (C1) The arguments of the body have the types of the operands, and the yielded values
      those of the results.
    - (C2) There is an operand and a result. All results, and all results of ops of the body, have one
      shape; those of constants may have any.
    - (C3) Operands broadcast to that shape.
    - (C4) The ops of the body have no regions and no side effects.
  }];
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$operands);
  let results = (outs Variadic<AnyStaticShapeTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`(` $operands `)` `:` functional-type($operands, $results) "
                       "attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Rank_YieldOp : Rank_Op<"yield", [Pure, Terminator, ReturnLike,
    HasParent<"FusedOp">]> {
  let summary = "results of a `rank.fused`";
  let description = [{
    Ends the body of a `rank.fused`, and names its results.

    **Constraints**
    - (C1) The op is in the body of a `rank.fused`.
  }];
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

#endif  // DIALECTS_RANK_RANKOPS_TD_
