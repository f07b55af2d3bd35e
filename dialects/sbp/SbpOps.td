#ifndef DIALECTS_SBP_SBPOPS_TD_
#define DIALECTS_SBP_SBPOPS_TD_

include "dialects/sbp/SbpAttrs.td"
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

    **Constraints**
    - (C1) There are at most 31 axes, and no two have the same name.
    - (C2) The axes name the levels of the machine in its order, each at least
      once, and the sizes of a level's axes multiply to its count.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$machine,
                       TypedArrayAttrBase<Sbp_Axis, "axes">:$axes);
  let assemblyFormat = "$sym_name `of` $machine $axes attr-dict";
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
    on `nn.parameter`, or on the argument of an entry function; `sbp.state_pin` on
    a parameter pins the optimiser state that belongs to it.

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

    Made by `--sbp-place`; consumed by `--sbp-insert-boxing`, which serves all the
    casts of a tensor by as few movements as it can.

    **Constraints**
    - (C1) Both types are placed, on the same mesh.
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

    Made by `--sbp-insert-boxing`; consumed by `--sbp-localize`, after which it
    must be gone.

    **Constraints**
    - (C1) Both types are placed, on the same mesh.
    - (C2) Shapes and element types are equal.
  }];
  let arguments = (ins AnyRankedTensor:$input);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif  // DIALECTS_SBP_SBPOPS_TD_
