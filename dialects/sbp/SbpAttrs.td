#ifndef DIALECTS_SBP_SBPATTRS_TD_
#define DIALECTS_SBP_SBPATTRS_TD_

include "dialects/sbp/SbpDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/IR/EnumAttr.td"

class Sbp_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Sbp_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Sbp_Components : ArrayRefParameter<"::sbp::Component",
    "one component per mesh axis, major axis first"> {
  let parser = "::sbp::parseComponents($_parser)";
  let printer = "::sbp::printComponents($_printer, $_self)";
}

def Sbp_NdSbp : Sbp_Attr<"NdSbp", "nd", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "the placement of a tensor on a mesh";
  let description = [{
    One component per axis of `mesh`, major axis first: `S(d)`, `B`, `P(sum)`,
    `P(max)` or `P(min)`.

    ```mlir
    // Rows over the axis "node", columns over the axis "gpu".
    tensor<64x4096xf32, #sbp.nd<@cluster, [S(0), S(1)]>>
    // Terms to be summed over "gpu".
    tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), P(sum)]>>
    ```

    **Constraints**
    - (C1) A split dimension is a dimension of the tensor.
    - (C2) All partial components have the same reduction.
    - (C3) `mesh` names a `sbp.machine` or `sbp.mesh` with as many axes as there
      are components. Checked by `--sbp-verify-placed`, which can see the module.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$mesh,
                        Sbp_Components:$components);
  let assemblyFormat = "`<` $mesh `,` $components `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether any component is Partial.
    bool hasPartial() const;
    /// Every component Broadcast.
    bool isBroadcast() const;
    /// All Broadcast on `mesh` with `numAxes` axes.
    static NdSbpAttr broadcast(::mlir::FlatSymbolRefAttr mesh, size_t numAxes);
    /// The placement of a tensor type, or null for a type that carries none.
    static NdSbpAttr of(::mlir::Type type);
  }];
}

def Sbp_Level : Sbp_Attr<"Level", "level"> {
  let summary = "one level of a machine";
  let description = [{
    `count` parts that exchange a message of n bytes in `alpha + n * beta`
    seconds. `alpha` is in seconds, `beta` in seconds per byte.

    ```mlir
    #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>
    ```

    **Constraints**
    - (C1) `count` is positive; `alpha` and `beta` are finite and not negative.
  }];
  let parameters = (ins
    StringRefParameter<"what this level is called">:$name,
    "int64_t":$count,
    APFloatParameter<"seconds per message">:$alpha,
    APFloatParameter<"seconds per byte">:$beta);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Sbp_Axis : Sbp_Attr<"Axis", "axis"> {
  let summary = "one axis of a mesh";
  let description = [{
    `size` devices along a level of a machine, or along a factor of it.

    ```mlir
    #sbp.axis<"data" x 4 in "gpu">
    ```

    **Constraints**
    - (C1) `size` is positive.
  }];
  let parameters = (ins
    StringRefParameter<"what this axis is called">:$name,
    "int64_t":$size,
    StringRefParameter<"the level of the machine">:$level);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}


#endif  // DIALECTS_SBP_SBPATTRS_TD_
