#ifndef DIALECTS_SBP_SBPOPS_TD_
#define DIALECTS_SBP_SBPOPS_TD_

include "dialects/sbp/SbpAttrs.td"
include "dialects/sbp/SbpInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Sbp_Op<string mnemonic, list<Trait> traits = []>
    : Op<Sbp_Dialect, mnemonic, traits>;

def Sbp_MachineOp : Sbp_Op<"machine", [Symbol]> {
  let summary = "the machine on which a program runs";
  let description = [{
    A hierarchy of levels, outermost first. A machine is also a mesh, whose axes are its
    levels.

    ```mlir
    sbp.machine @cluster [
      #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
      #sbp.level<"gpu" x 4, alpha = 5.0e-6, beta = 5.0e-12>]
    ```

    All devices are alike; `device` optionally has their memory and rates:

    ```mlir
    sbp.machine @cluster [#sbp.level<"gpu" x 4, alpha = 5.0e-6, beta = 5.0e-12>]
      device #sbp.device<memory = 4.0e10, bandwidth = 1.5e12, rates = [
        #sbp.rate<f32, 1.95e13>]>
    ```

    Made by the user, by `sbprun --calibrate`, or by `sbpc -n N`; used wherever a cost or
    a rank is needed. `machines/` has examples.

    **Constraints**
    - (C1) There are 1 to 31 levels, with different names.
    - (C2) The product of the levels' counts, the number of devices, is at most 65536.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypedArrayAttrBase<Sbp_Level, "levels">:$levels,
                       OptionalAttr<Sbp_Device>:$device);
  let assemblyFormat =
      "$sym_name $levels (`device` qualified($device)^)? attr-dict";
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::ArrayAttr":$levels), [{
      build($_builder, $_state, name, levels, ::sbp::DeviceAttr());
    }]>];
  let hasVerifier = 1;
}

def Sbp_MeshOp : Sbp_Op<"mesh", [Symbol,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "devices of a machine, arranged along named axes";
  let description = [{
    Factors the levels of a machine into named axes, major axis first. The numbers of the
    ranks are those of the machine.

    ```mlir
    sbp.mesh @grid of @cluster [
      #sbp.axis<"data" x 2 in "node">,
      #sbp.axis<"row" x 2 in "gpu">, #sbp.axis<"column" x 2 in "gpu">]
    ```

    A mesh with `ranks` is a group: it has these ranks only, in this order, row-major over
    its axes. The level of an axis determines the links between its ranks.

    ```mlir
    sbp.mesh @front of @cluster ranks [0, 1] [#sbp.axis<"data" x 2 in "gpu">]
    ```

    **Constraints**
    - (C1) There are at most 31 axes, with different names.
    - (C2) Without `ranks`, the axes name the levels of the machine in the machine's order,
      each at least once, and the product of the sizes of a level's axes is the level's
      count.
    - (C3) The numbers in `ranks` are different ranks of the machine, and their number is
      the product of the sizes of the axes.
    - (C4) The axes of a group name levels of the machine. Ranks of a group that differ
      along one axis only are in the same part of each level outside of that axis's level.
    - (C5) `machine` names an `sbp.machine` of the module.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$machine,
                       OptionalAttr<DenseI64ArrayAttr>:$ranks,
                       TypedArrayAttrBase<Sbp_Axis, "axes">:$axes);
  let assemblyFormat =
      "$sym_name `of` $machine (`ranks` $ranks^)? $axes attr-dict";
  let hasVerifier = 1;
}

def Sbp_StagesOp : Sbp_Op<"stages", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "groups of ranks on which the stages of a program run";
  let description = [{
    A program in stages is a pipeline. Stage i consists of the ops with `sbp.stage = i` in
    the entries, and runs on the i-th group:

    ```mlir
    sbp.stages [@front, @back]

    func.func @loss(%x: tensor<8x64xf32>, ...) -> tensor<f32> {
      %h = func.call @layer(%x, %w0) {sbp.stage = 0} : ...
      %y = func.call @layer(%h, %w1) {sbp.stage = 1} : ...
      ...
    ```

    An op without the attribute is in the last stage whose results it uses.

    Made by the user; consumed by `--sbp-place`.

    **Constraints**
    - (C1) There is at least one group. Each group is an `sbp.mesh` of the module, and all
      are of the same machine.
    - (C2) A module has at most one `sbp.stages`.
  }];
  let arguments = (ins FlatSymbolRefArrayAttr:$groups);
  let assemblyFormat = "$groups attr-dict";
}

def Sbp_ScheduleOp : Sbp_Op<"schedule", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the order in which groups run the tasks of their stages";
  let description = [{
    A training step divides its batch into micro-batches, each of which passes all stages
    forward, then backward. Each group of `sbp.stages` has a row, which lists the tasks of
    the group in their order, as cells `<stage><kind><micro-batch>`:

    ```mlir
    sbp.stages [@front, @back]
    sbp.schedule [
      @front "0F0,0F1,0B0,0B1",
      @back "1F0,1B0,1F1,1B1"]
    ```

    F is a forward and B a backward pass; I and W are the two halves of a backward pass,
    for inputs and for weights; R is the recomputation of a forward pass, of which only
    the inputs were kept. A row is a line of torch.distributed.pipelining's CSV
    (`docs/pipelines.md`). The rows also determine the number of micro-batches.

    With `by_messages` a group may leave the order of its row: it runs a task whose
    operands have arrived, backward passes first. For each kind of task of a stage it
    keeps the row's order of micro-batches, and it never holds more micro-batches at once
    than in the row's order.

    ```mlir
    sbp.schedule [@front "0F0,0F1,0B0,0B1", @back "1F0,1B0,1F1,1B1"] {by_messages}
    ```

    In a schedule without a flush, a step begins before the previous step has ended. Its
    rows have the update U of a stage's weights, and `<n` at a task of the step n steps
    before. The position of U determines how many steps old the weights are that a task
    reads.

    ```mlir
    sbp.schedule [@front "0F0,0B0<1,0U<1", @back "1F0,1B0,1U"]
    ```

    Made by the user, by `--schedule`, or for a program in stages with micro-batches.
    `--sbp-cut-stages` parses the rows, and checks that they can be run together. The op
    stays up to the local form.

    **Constraints**
    - (C1) The module has an `sbp.stages`, and `groups` are its groups, in the order in
      which it first names them.
    - (C2) Each group has one row, of one line.
    - (C3) A module has at most one `sbp.schedule`.
  }];
  let arguments = (ins FlatSymbolRefArrayAttr:$groups, StrArrayAttr:$rows,
                       UnitAttr:$by_messages);
  let assemblyFormat = "custom<Rows>($groups, $rows) attr-dict";
  let hasVerifier = 1;
}

def Sbp_PinOp : Sbp_Op<"pin", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "placement of a tensor that the user has decided";
  let description = [{
    The result has the value of `input`, and placement gives it exactly the placement
    `placement`; boxings before and after convert from and to those of other ops. A pin is
    never overridden: every use of the result is converted from the pinned tensor, never
    from another version of it. Uses of `input` itself are not affected, and a pin whose
    result is not used has no effect.

    ```mlir
    %h = sbp.pin %x : tensor<64x1024xf32> to #sbp.nd<@cluster, [S(0), B]>
    ```

    Parameters and inputs are pinned by an attribute instead: `{sbp.pin = #sbp.nd<...>}`
    on `nn.parameter`, or on the argument of a function; `sbp.state_pin` on a parameter
    pins its optimiser state. The verifier refuses these attributes elsewhere.

    Made by the user; consumed by `--sbp-place`.

    **Constraints**
    - (C1) The split dimensions of `placement` are dimensions of the tensor.
    - (C2) The type of `input` has no placement.
    - (C3) Input and result have the same type.
  }];
  let arguments = (ins AnyRankedTensor:$input, Sbp_NdSbp:$placement);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat =
      "$input attr-dict `:` type($input) `to` qualified($placement)";
  let hasVerifier = 1;
}

def Sbp_CastOp : Sbp_Op<"cast", [Pure]> {
  let summary = "placement that a use of a tensor needs";
  let description = [{
    The same tensor with the placement that its use needs. Placement inserts one before
    every use whose operand has another placement than the op's signature. The op is a
    request: boxing decides by which movements it is served.

    ```mlir
    %z = sbp.cast %y : tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), P(sum)]>>
                    to tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), B]>>
    ```

    With `pinned` the op replaces an `sbp.pin`, even if the placement does not change: the
    casts of its result are converted from this result.

    ```mlir
    %h = sbp.cast pinned %y : tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), P(sum)]>>
                           to tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), B]>>
    ```

    If the two placements are on different groups, another stage uses the tensor.

    Made by `--sbp-place`; consumed by `--sbp-insert-boxing`, which serves all casts of a
    tensor by as few movements as possible.

    **Constraints**
    - (C1) Both types are placed; on the same mesh, with the same number of components.
    - (C2) Both types have the same shape and element type.
  }];
  let arguments = (ins AnyRankedTensor:$input, UnitAttr:$pinned);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    (`pinned` $pinned^)? $input attr-dict `:` type($input) `to` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Sbp_BoxOp : Sbp_Op<"box", [Pure]> {
  let summary = "conversion of a tensor to another placement";
  let description = [{
    The same tensor with another placement. In a boxed program this is the only op that
    moves data between devices. It is lowered to the cheapest path of collectives
    (`passes/boxing/Transitions.h`).

    ```mlir
    %z = sbp.box %y : tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), P(sum)]>>
                   to tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), B]>>
    ```

    With `bucketed` the collectives of the op may be combined with those of others, if
    they are small, as the result is not needed before the end of a step
    (`passes/boxing/FunctionBucketing.h`).

    ```mlir
    %sum = sbp.box bucketed %gradient : tensor<1024xf32, #sbp.nd<@cluster, [P(sum)]>>
                                     to tensor<1024xf32, #sbp.nd<@cluster, [B]>>
    ```

    A box from one group to another is a transfer: each rank of the target group receives
    its part from ranks of the source group.

    ```mlir
    %z = sbp.box %y : tensor<64x1024xf32, #sbp.nd<@front, [S(0)]>>
                   to tensor<64x1024xf32, #sbp.nd<@back, [B]>>
    ```

    Made by `--sbp-insert-boxing`; consumed by `--sbp-localize`.

    **Constraints**
    - (C1) Both types are placed; on the same mesh, with the same number of components; on
      different meshes, neither is Partial.
    - (C2) Both types have the same shape and element type.
    - (C3) With `bucketed`, both placements are on the same mesh.
  }];
  let arguments = (ins AnyRankedTensor:$input, UnitAttr:$bucketed);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    (`bucketed` $bucketed^)? $input attr-dict `:` type($input) `to` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// Whether the two placements are on different meshes.
    bool crosses();
  }];
}

// ---- Ends of transfers between groups ----------------------------------------
//
// Each stage is placed as a program of its ops only. In it, sbp.arrive stands for a
// tensor from another group, and sbp.depart for the use of a tensor by another group.
// Both take any placement that is not Partial.

def Sbp_ArriveOp : Sbp_Op<"arrive", [Pure,
    DeclareOpInterfaceMethods<DistributedOpInterface>]> {
  let summary = "tensor that another group computes";
  let description = [{
    The result is a tensor from another group, Split or Broadcast on each mesh axis.

    ```mlir
    %h = sbp.arrive : tensor<64x1024xf32>
    ```

    Exists only inside of `--sbp-place`, in the program of one group.

    **Constraints**
    - (C1) The result has no Partial component.
  }];
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Sbp_DepartOp : Sbp_Op<"depart", [
    DeclareOpInterfaceMethods<DistributedOpInterface>]> {
  let summary = "use of a tensor by another group";
  let description = [{
    The input is sent to another group, Split or Broadcast on each mesh axis.

    ```mlir
    sbp.depart %h : tensor<64x1024xf32>
    ```

    Exists only inside of `--sbp-place`, in the program of one group.

    **Constraints**
    - (C1) The input has no Partial component.
  }];
  let arguments = (ins AnyRankedTensor:$input);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

#endif  // DIALECTS_SBP_SBPOPS_TD_
