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
                        ArrayRefParameter<"::sbp::Component",
                            "one component per mesh axis, major axis first">
                            :$components);
  let hasCustomAssemblyFormat = 1;
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

def Sbp_Price : Sbp_Attr<"Price", "price"> {
  let summary = "what one message of a collective costs";
  let description = [{
    In a collective of p members each sends p - 1 messages (twice as many in an
    all-reduce), every one a p-th of the tensor. A message of m bytes takes
    `alpha + m * beta` seconds: here for messages of one collective, in groups
    of one size, up to a size in bytes. Without `of`, for groups of any size;
    without `up to`, for all larger messages.

    ```mlir
    #sbp.price<all_gather, alpha = 5.0e-6, beta = 1.0e-11>
    #sbp.price<all_reduce of 4 up to 65536, alpha = 2.0e-6, beta = 5.0e-12>
    ```

    **Constraints**
    - (C1) `of` is at least 2, `up to` positive.
    - (C2) `alpha` is from -1e30 to 1e30, `beta` from 0 to 1e30. (A line that
      begins at larger messages may have a negative `alpha`.)
  }];
  let parameters = (ins
    "::sbp::Collective":$collective,
    "std::optional<int64_t>":$members,
    "std::optional<int64_t>":$largestBytes,
    APFloatParameter<"seconds per message">:$alpha,
    APFloatParameter<"seconds per byte">:$beta);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::sbp::MessagePrice getPrice() const;
  }];
}

def Sbp_Level : Sbp_Attr<"Level", "level"> {
  let summary = "one level of a machine";
  let description = [{
    `count` parts that exchange a message of n bytes in `alpha + n * beta`
    seconds. `alpha` is in seconds, `beta` in seconds per byte. Collectives that
    are faster or slower than that have prices of their own; a group of a size
    that has none pays those of the next larger size that has, or else of the
    largest.

    ```mlir
    #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>
    #sbp.level<"gpu" x 8, alpha = 5.0e-6, beta = 5.0e-12, prices = [
      #sbp.price<all_reduce up to 65536, alpha = 2.0e-6, beta = 3.0e-11>,
      #sbp.price<all_reduce, alpha = 4.0e-6, beta = 4.0e-12>]>
    ```

    Made by the user, or by `sbprun --calibrate`.

    **Constraints**
    - (C1) `count` is positive; `alpha` and `beta` are from 0 to 1e30.
    - (C2) The prices of a collective stand together; either all or none say
      `of`; they ascend by `of`, and for the same `of` by `up to`, of which the
      last has none.
    - (C3) No message is cheaper than a smaller one: where one price ends, the
      next is not less.
    - (C4) The price of the least messages has no negative `alpha`.
  }];
  let parameters = (ins
    StringRefParameter<"what this level is called">:$name,
    "int64_t":$count,
    APFloatParameter<"seconds per message">:$alpha,
    APFloatParameter<"seconds per byte">:$beta,
    OptionalArrayRefParameter<"::sbp::PriceAttr",
                              "of collectives that differ">:$prices);
  let builders = [
    AttrBuilder<(ins "::llvm::StringRef":$name, "int64_t":$count,
                     "::llvm::APFloat":$alpha, "::llvm::APFloat":$beta), [{
      return $_get($_ctxt, name, count, alpha, beta,
                   ::llvm::ArrayRef<::sbp::PriceAttr>());
    }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The prices by collective and group.
    ::sbp::PriceTables getTables() const;
  }];
}

def Sbp_Rate : Sbp_Attr<"Rate", "rate"> {
  let summary = "how fast a device computes with elements of one type";
  let description = [{
    FLOP/s, of which an op reaches a fraction that depends on how many FLOPs it
    has. Points `FLOPs : fraction` give that fraction; between them it is
    straight on logarithmic axes, before the first and after the last constant.
    Without points it is 1.

    ```mlir
    #sbp.rate<f32, 1.95e13>
    #sbp.rate<bf16, 3.12e14, efficiency = [
      1.0e6 : 0.002, 1.0e9 : 0.4, 1.0e11 : 0.8]>
    ```

    **Constraints**
    - (C1) The type is an integer or a float; the rate is from 1e-30 to 1e30.
    - (C2) FLOPs are from 1e-30 to 1e30 and strictly ascending; fractions are
      from 1e-30 to 1.
    - (C3) No op is faster than one with fewer FLOPs: from point to point the
      fraction grows by no larger factor than the FLOPs.
  }];
  let parameters = (ins
    "::mlir::Type":$type,
    APFloatParameter<"FLOP/s">:$flopsPerSecond,
    OptionalArrayRefParameter<"::sbp::EfficiencyPoint",
                              "FLOPs, fraction">:$efficiency);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Sbp_Device : Sbp_Attr<"Device", "device"> {
  let summary = "one device of a machine";
  let description = [{
    Its memory in bytes, or with a unit, as `80GB` or `24GiB`; the bandwidth of
    that memory in bytes/s; and its rates. `passes/cost/Roofline.h` makes times
    of them.

    ```mlir
    #sbp.device<kind = gpu, memory = 4.0e10, bandwidth = 1.555e12, rates = [
      #sbp.rate<f32, 1.95e13>, #sbp.rate<bf16, 3.12e14>]>
    ```

    Its `kind`, the code that it runs, is `gpu`, or without one `cpu`. A plan
    needs the figures only; `sbpc` warns where a program is made of other code.

    `launch = 2.5e-6`, behind the kind, is what each op takes before it computes
    anything, in seconds: to start a kernel. Without it, nothing.

    **Constraints**
    - (C1) Memory and bandwidth are from 1e-30 to 1e30.
    - (C2) No two rates are of the same type.
    - (C3) What a launch takes is from 0 to 1 second.
  }];
  let parameters = (ins
    "::sbp::DeviceKind":$kind,
    APFloatParameter<"seconds per op, before it computes">:$launch,
    APFloatParameter<"bytes">:$memory,
    APFloatParameter<"bytes per second">:$bandwidth,
    OptionalArrayRefParameter<"::sbp::RateAttr", "FLOP/s by type">:$rates);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The same without IR.
    ::sbp::Device getDevice() const;
  }];
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
