#ifndef DIALECTS_SBP_SBPOPS_TD_
#define DIALECTS_SBP_SBPOPS_TD_

include "dialects/sbp/SbpAttrs.td"
include "dialects/sbp/SbpInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Sbp_Op<string mnemonic, list<Trait> traits = []>
    : Op<Sbp_Dialect, mnemonic, traits>;

def Sbp_MachineOp : Sbp_Op<"machine", [Symbol]> {
  let summary = "the machine that a program runs on";
  let description = [{
    A hierarchy of levels, outermost first. A machine is itself a mesh, whose
    axes are its levels.

    ```mlir
    sbp.machine @cluster [
      #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
      #sbp.level<"gpu" x 4, alpha = 5.0e-6, beta = 5.0e-12>]
    ```

    All devices are alike. What one of them can do may be said too:

    ```mlir
    sbp.machine @cluster [#sbp.level<"gpu" x 4, alpha = 5.0e-6, beta = 5.0e-12>]
      device #sbp.device<memory = 4.0e10, bandwidth = 1.5e12, rates = [
        #sbp.rate<f32, 1.95e13>]>
    ```

    Made by the user, by `sbprun --calibrate`, or by `sbpc -n N`; read wherever a
    cost or a rank is needed. `machines/` has some.

    **Constraints**
    - (C1) There are 1 to 31 levels, and no two have the same name.
    - (C2) The counts multiply to at most 65536 devices.
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
  let summary = "the devices of a machine, arranged in axes of their own";
  let description = [{
    Factors the levels of a machine into named axes, major axis first. Rank
    numbers do not change: the axes of a level, in order, count its devices.

    ```mlir
    sbp.mesh @grid of @cluster [
      #sbp.axis<"data" x 2 in "node">,
      #sbp.axis<"row" x 2 in "gpu">, #sbp.axis<"column" x 2 in "gpu">]
    ```

    A mesh that lists `ranks` is a group: these ranks, in this order, row-major
    over its axes. The level of an axis says over which links its ranks talk.

    ```mlir
    sbp.mesh @front of @cluster ranks [0, 1] [#sbp.axis<"data" x 2 in "gpu">]
    ```

    **Constraints**
    - (C1) There are at most 31 axes, and no two have the same name.
    - (C2) Of a mesh of all ranks, the axes name the levels of the machine in its
      order, each at least once, and the sizes of a level's axes multiply to its
      count.
    - (C3) Of a group, `ranks` are different ranks of the machine, as many as the
      sizes of the axes multiply to.
    - (C4) Ranks of a group that differ along one axis alone differ in no level
      outside of that axis's.
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
  let summary = "the groups of ranks on which the stages of a program run";
  let description = [{
    A program in stages is a pipeline. Stage i is what carries `sbp.stage = i` in
    its entries, and runs on the i-th group:

    ```mlir
    sbp.stages [@front, @back]

    func.func @loss(%x: tensor<8x64xf32>, ...) -> tensor<f32> {
      %h = func.call @layer(%x, %w0) {sbp.stage = 0} : ...
      %y = func.call @layer(%h, %w1) {sbp.stage = 1} : ...
      ...
    ```

    What carries no stage is of the latest one whose results it takes.

    Made by the user; consumed by `--sbp-place`.

    **Constraints**
    - (C1) Each group is an sbp.mesh of the module, all of one machine.
    - (C2) A module has at most one sbp.stages.
  }];
  let arguments = (ins FlatSymbolRefArrayAttr:$groups);
  let assemblyFormat = "$groups attr-dict";
}

def Sbp_ScheduleOp : Sbp_Op<"schedule", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the order in which the groups run their stages";
  let description = [{
    A training step divides its batch into micro-batches, which go through all
    stages forward and come back. For each group of `sbp.stages` a row says what it
    does, in which order, in cells `<stage><kind><micro-batch>`:

    ```mlir
    sbp.stages [@front, @back]
    sbp.schedule [
      @front "0F0,0F1,0B0,0B1",
      @back "1F0,1B0,1F1,1B1"]
    ```

    F is a forward and B a backward; I and W are the halves of a backward, for inputs
    and for weights; R is a forward again, of which only its inputs had been kept.
    A row is a line of torch.distributed.pipelining's CSV (`docs/pipelines.md`). How
    many micro-batches there are, the rows say as well.

    With `by_messages` a group need not keep to the order of its row: it runs what
    can run, backwards first. For each kind of task of a stage it takes micro-batches
    in the order of the row, and never holds more of them at once than by the row.

    ```mlir
    sbp.schedule [@front "0F0,0F1,0B0,0B1", @back "1F0,1B0,1F1,1B1"] {by_messages}
    ```

    A row may say where the stage's weights are updated, U, and its tasks may be of
    a step so many before: then there is no flush, a step begins before the last one
    has ended. It reads weights that are so many steps old as the rows say.

    ```mlir
    sbp.schedule [@front "0F0,0B0<1,0U<1", @back "1F0,1B0,1U"]
    ```

    Made by the user, by `--schedule`, or for a program in stages with micro-batches;
    what a row means, and whether all rows together can be run, `--sbp-cut-stages`
    checks. It stays up to the local form.

    **Constraints**
    - (C1) The groups are those of the module's sbp.stages, in the order in which
      they first appear there.
    - (C2) Each has one row, which is one line.
    - (C3) A module has at most one sbp.schedule.
  }];
  let arguments = (ins FlatSymbolRefArrayAttr:$groups, StrArrayAttr:$rows,
                       UnitAttr:$by_messages);
  let assemblyFormat = "custom<Rows>($groups, $rows) attr-dict";
  let hasVerifier = 1;
}

def Sbp_PinOp : Sbp_Op<"pin", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "fixes the placement of a tensor";
  let description = [{
    The value is `input`; placement gives it exactly `placement`, boxing before
    and after where the neighbours differ. A pin is never overridden: what uses
    the result is served from it, and from no other version of the tensor. Uses
    of `input` itself are free; a pin whose result nobody uses asks for nothing.

    ```mlir
    %h = sbp.pin %x : tensor<64x1024xf32> to #sbp.nd<@cluster, [S(0), B]>
    ```

    Parameters and inputs are pinned by an attribute instead: `{sbp.pin = #sbp.nd<...>}`
    on `nn.parameter`, or on the argument of a function; `sbp.state_pin` on a parameter
    pins the optimiser state that belongs to it. Elsewhere these attributes are refused.

    Made by the user; consumed by `--sbp-place`, after which it must be gone.

    **Constraints**
    - (C1) The placement's split dimensions are dimensions of the tensor.
    - (C2) The type carries no placement yet.
  }];
  let arguments = (ins AnyRankedTensor:$input, Sbp_NdSbp:$placement);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat =
      "$input attr-dict `:` type($input) `to` qualified($placement)";
  let hasVerifier = 1;
}

def Sbp_CastOp : Sbp_Op<"cast", [Pure]> {
  let summary = "the placement in which a use wants a tensor";
  let description = [{
    A decision, not yet a movement: placement writes one before every use whose
    operand lies otherwise than the op's signature asks.

    ```mlir
    %z = sbp.cast %y : tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), P(sum)]>>
                    to tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), B]>>
    ```

    A `pinned` one stands where an `sbp.pin` stood, be the placement another one
    or the same: the casts of its result are served from that.

    ```mlir
    %h = sbp.cast pinned %y : tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), P(sum)]>>
                           to tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), B]>>
    ```

    One from group to group says that another stage wants the tensor.

    Made by `--sbp-place`; consumed by `--sbp-insert-boxing`, which serves all the
    casts of a tensor by as few movements as it can.

    **Constraints**
    - (C1) Both types are placed.
    - (C2) Shapes and element types are equal.
  }];
  let arguments = (ins AnyRankedTensor:$input, UnitAttr:$pinned);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    (`pinned` $pinned^)? $input attr-dict `:` type($input) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Sbp_BoxOp : Sbp_Op<"box", [Pure]> {
  let summary = "changes the placement of a tensor";
  let description = [{
    The same value, laid differently. Nothing moves between devices but here.
    Lowered to the cheapest path of collectives (`passes/boxing/Transitions.h`).

    ```mlir
    %z = sbp.box %y : tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), P(sum)]>>
                   to tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), B]>>
    ```

    A `bucketed` one, if it moves little, travels together with others: what it
    makes is not wanted before the end of a step (`passes/boxing/Buckets.h`).

    ```mlir
    %sum = sbp.box bucketed %gradient : tensor<1024xf32, #sbp.nd<@cluster, [P(sum)]>>
                                     to tensor<1024xf32, #sbp.nd<@cluster, [B]>>
    ```

    A box from one group to another is a transfer: each rank of the one fetches
    what it is to have from ranks of the other.

    ```mlir
    %z = sbp.box %y : tensor<64x1024xf32, #sbp.nd<@front, [S(0)]>>
                   to tensor<64x1024xf32, #sbp.nd<@back, [B]>>
    ```

    Made by `--sbp-insert-boxing`; consumed by `--sbp-localize`, after which it
    must be gone.

    **Constraints**
    - (C1) Both types are placed; on different meshes, neither Partial.
    - (C2) Shapes and element types are equal.
    - (C3) A bucketed one stays on its mesh.
  }];
  let arguments = (ins AnyRankedTensor:$input, UnitAttr:$bucketed);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    (`bucketed` $bucketed^)? $input attr-dict `:` type($input) `to` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// Whether it goes from one mesh to another.
    bool crosses();
  }];
}

// ---- The ends of what crosses between groups --------------------------------
//
// To place a stage is to place a program of its ops alone. Where it takes what
// another group makes stands an arrival, where it makes what another one takes a
// departure: they are laid as the stage likes, whole or split, and never Partial.

def Sbp_ArriveOp : Sbp_Op<"arrive", [Pure,
    DeclareOpInterfaceMethods<DistributedOpInterface>]> {
  let summary = "a tensor that another group makes";
  let description = [{
    ```mlir
    %h = sbp.arrive : tensor<64x1024xf32>
    ```

    Made by `--sbp-place`, in the program of one group that it searches a plan for;
    nobody else sees it.
  }];
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Sbp_DepartOp : Sbp_Op<"depart", [
    DeclareOpInterfaceMethods<DistributedOpInterface>]> {
  let summary = "a tensor that another group takes";
  let description = [{
    ```mlir
    sbp.depart %h : tensor<64x1024xf32>
    ```

    Made by `--sbp-place`, in the program of one group that it searches a plan for;
    nobody else sees it.
  }];
  let arguments = (ins AnyRankedTensor:$input);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

#endif  // DIALECTS_SBP_SBPOPS_TD_
