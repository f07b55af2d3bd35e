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
    One component per axis of `mesh`, major axis first: `S(d)`, Split along dimension d;
    `B`, Broadcast; `P(sum)`, `P(max)` or `P(min)`, Partial.

    ```mlir
    // Rows over the axis "node", columns over the axis "gpu".
    tensor<64x4096xf32, #sbp.nd<@cluster, [S(0), S(1)]>>
    // Terms to be summed over "gpu".
    tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), P(sum)]>>
    ```

    **Constraints**
    - (C1) A split dimension is a dimension of the tensor.
    - (C2) All partial components have the same reduction.
    - (C3) `mesh` names an `sbp.machine` or `sbp.mesh` with one axis per component.
      `--sbp-verify-placed` checks this, as the attribute cannot see the module.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$mesh,
                        ArrayRefParameter<"::sbp::Component",
                            "one component per mesh axis, major axis first">
                            :$components);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether at least one component is Partial.
    bool hasPartial() const;
    /// Whether every component is Broadcast.
    bool isBroadcast() const;
    /// Returns the placement on `mesh` with `numAxes` components, all Broadcast.
    static NdSbpAttr broadcast(::mlir::FlatSymbolRefAttr mesh, size_t numAxes);
    /// Returns the placement of a tensor type, or null if `type` has none.
    static NdSbpAttr of(::mlir::Type type);
  }];
}

def Sbp_Signature : Sbp_Attr<"Signature", "signature"> {
  let summary = "the signatures by which an op runs";
  let description = [{
    One signature per axis of the mesh, major axis first: the components of the operands,
    then those of the results. As the attribute `sbp.signature` of an op it pins how the op
    runs: operands are moved to these placements before the op, and results from them after
    it. Placing the program removes the attribute; the types then say the same.

    ```mlir
    // Row parallel over the first axis, data parallel over the second one.
    %y = nn.einsum "bi,ij->bj" %x, %w
        {sbp.signature = #sbp.signature<[(S(1), S(0)) -> (P(sum)), (S(0), B) -> (S(0))]>}
        : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
    ```

    In a layer the pin holds for every call. In a stage it holds on the mesh of the stage's
    group.

    **Constraints**
    - (C1) There is a signature, and all signatures have as many operands and as many
      results.
    - (C2) All partial components of one operand or result have the same reduction.
    - (C3) The op computes (`DistributedOpInterface`), and has each of the signatures.
    - (C4) There is a signature per axis of the mesh, and on that mesh they can be combined.
      This is checked when the program is placed, as the attribute cannot see the mesh.
  }];
  let parameters = (ins
    "int64_t":$numOperands,
    "int64_t":$numResults,
    ArrayRefParameter<"::sbp::Component",
        "per axis the components of operands, then of results">:$components);
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<::sbp::Signature>":$perAxis)>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the number of mesh axes.
    int64_t getNumAxes() const;
    /// Returns the components on mesh axis `axis`. They do not tell which loop is
    /// split, nor whether the op communicates.
    ::sbp::Signature getSignature(int64_t axis) const;
  }];
}

def Sbp_Task : Sbp_Attr<"Task", "task"> {
  let summary = "a task of a stage";
  let description = [{
    A task of a pipeline without its micro-batch: the number of the stage, and the
    letter of the kind of work, as in schedules: `F` forward, `B` backward, `I` and `W`
    backward of inputs and of weights, `R` recomputation, `G` sum of gradients, `U`
    update.

    ```mlir
    #sbp.task<1F>
    ```

    **Constraints**
    - (C1) The stage is at least 0.
  }];
  let parameters = (ins "int64_t":$stage, "::sbp::TaskKind":$kind);
  let builders = [
    AttrBuilder<(ins "::sbp::StageTask":$task), [{
      return $_get($_ctxt, task.stage, task.kind);
    }]>];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::sbp::StageTask getTask() const { return {getStage(), getKind()}; }
  }];
}

def Sbp_TaskKind : Sbp_Attr<"TaskKind", "kind"> {
  let summary = "the kind of work of a stage's function";
  let description = [{
    The letter of the kind of work, as in `#sbp.task`.

    ```mlir
    #sbp.kind<F>
    ```

    **Constraints**
    - (C1) The kind is one that a function computes: `F`, `B`, `I`, `W` or `R`.
  }];
  let parameters = (ins "::sbp::TaskKind":$value);
  let hasCustomAssemblyFormat = 1;
}

def Sbp_Keep : Sbp_Attr<"Keep", "keep"> {
  let summary = "what a layer keeps for its backward pass";
  let description = [{
    As the attribute `sbp.keep` of a private function, it says which values of the forward
    pass are kept for the backward pass, which computes the others again:

    - `inputs`: the arguments of the function, and nothing else;
    - `products`: also the results of expensive ops, such as `nn.einsum`, `nn.conv2d` and
      `nn.attention`, and those of calls. Results of element-wise ops and of norms are
      computed again;
    - `all`: every value that the backward pass uses, as without the attribute.

    ```mlir
    func.func private @layer(%x: tensor<8x64xf32>, %w: tensor<64x64xf32>) -> tensor<8x64xf32>
        attributes {sbp.keep = #sbp.keep<inputs>} { ... }
    ```

    The results are the same in every bit wherever a value is computed again under the
    placement that it had.
  }];
  let parameters = (ins "::sbp::Kept":$value);
  let hasCustomAssemblyFormat = 1;
}

def Sbp_Price : Sbp_Attr<"Price", "price"> {
  let summary = "price of one message of a collective";
  let description = [{
    In a collective of p members each member sends p - 1 messages (in an all-reduce
    2p - 2), each with 1/p of the tensor. A message of m bytes takes `alpha + m * beta`
    seconds. The price holds for one collective, in groups of `of` members, for messages
    of up to `up to` bytes: without `of` in groups of any size, without `up to` for all
    larger messages.

    ```mlir
    #sbp.price<all_gather, alpha = 5.0e-6, beta = 1.0e-11>
    #sbp.price<all_reduce of 4 up to 65536, alpha = 2.0e-6, beta = 5.0e-12>
    ```

    **Constraints**
    - (C1) `of` is at least 2, and `up to` at least 1.
    - (C2) `alpha` is from -1e30 to 1e30, and `beta` from 0 to 1e30. (`alpha` may be
      negative in a price that holds from some size of messages only.)
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
    /// Returns `alpha` and `beta`.
    ::sbp::MessagePrice getPrice() const;
  }];
}

def Sbp_Level : Sbp_Attr<"Level", "level"> {
  let summary = "one level of a machine";
  let description = [{
    `count` parts, between which a message of n bytes takes `alpha + n * beta` seconds:
    `alpha` in seconds, `beta` in seconds per byte. Collectives that are faster or slower
    have their own `prices`. A group whose size has no price uses those of the next larger
    size that has one, or else those of the largest.

    ```mlir
    #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>
    #sbp.level<"gpu" x 8, alpha = 5.0e-6, beta = 5.0e-12, prices = [
      #sbp.price<all_reduce up to 65536, alpha = 2.0e-6, beta = 3.0e-11>,
      #sbp.price<all_reduce, alpha = 4.0e-6, beta = 4.0e-12>]>
    ```

    Made by the user, or by `sbprun --calibrate`.

    **Constraints**
    - (C1) `count` is positive; `alpha` and `beta` are from 0 to 1e30.
    - (C2) The prices of a collective are adjacent, and either all of them have `of` or
      none has. They ascend by `of`, and for the same `of` by `up to`; the last one of
      these has no `up to`.
    - (C3) No message is cheaper than a smaller one: at the size where a price ends, the
      next price is not lower.
    - (C4) `alpha` of the price of the smallest messages is not negative.
  }];
  let parameters = (ins
    StringRefParameter<"name of the level">:$name,
    "int64_t":$count,
    APFloatParameter<"seconds per message">:$alpha,
    APFloatParameter<"seconds per byte">:$beta,
    OptionalArrayRefParameter<"::sbp::PriceAttr",
                              "prices of collectives that differ">:$prices);
  let builders = [
    AttrBuilder<(ins "::llvm::StringRef":$name, "int64_t":$count,
                     "::llvm::APFloat":$alpha, "::llvm::APFloat":$beta), [{
      return $_get($_ctxt, name, count, alpha, beta,
                   ::llvm::ArrayRef<::sbp::PriceAttr>());
    }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the prices by collective and group size.
    ::sbp::PriceTables getTables() const;
  }];
}

def Sbp_Rate : Sbp_Attr<"Rate", "rate"> {
  let summary = "computation rate of a device for one element type";
  let description = [{
    The peak rate in FLOP/s. An op reaches a fraction of it that depends on the number of
    its FLOPs: `efficiency` has points `FLOPs : fraction`, between which the fraction is
    interpolated linearly on logarithmic axes; before the first point and after the last
    one it is constant. Without points the fraction is 1.

    ```mlir
    #sbp.rate<f32, 1.95e13>
    #sbp.rate<bf16, 3.12e14, efficiency = [
      1.0e6 : 0.002, 1.0e9 : 0.4, 1.0e11 : 0.8]>
    ```

    **Constraints**
    - (C1) The type is an integer or a float; the rate is from 1e-30 to 1e30.
    - (C2) FLOPs are from 1e-30 to 1e30 and strictly ascending; fractions are
      from 1e-30 to 1.
    - (C3) No op takes less time than an op with fewer FLOPs: from one point to the next
      the fraction grows by no larger factor than the FLOPs.
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
  let summary = "the devices of a machine";
  let description = [{
    Describes one device, as all devices of a machine are alike: its memory in bytes, or
    with a unit, as `80GB` or `24GiB`; the bandwidth of this memory in bytes per second;
    and its rates. `passes/cost/Roofline.h` computes the times of ops from them.

    ```mlir
    #sbp.device<kind = gpu, memory = 4.0e10, bandwidth = 1.555e12, rates = [
      #sbp.rate<f32, 1.95e13>, #sbp.rate<bf16, 3.12e14>]>
    ```

    `kind` is the kind of code that the device runs, `gpu` or `cpu`; the default is `cpu`.
    A plan depends on the numbers only; `sbpc` warns if it makes a program of the other
    kind of code.

    `launch = 2.5e-6`, after the kind, is the time in seconds to start the kernel of an
    op, which each op takes in addition. The default is 0.

    **Constraints**
    - (C1) Memory and bandwidth are from 1e-30 to 1e30.
    - (C2) No two rates are of the same type.
    - (C3) `launch` is from 0 to 1 second.
  }];
  let parameters = (ins
    "::sbp::DeviceKind":$kind,
    APFloatParameter<"seconds to launch an op">:$launch,
    APFloatParameter<"bytes">:$memory,
    APFloatParameter<"bytes per second">:$bandwidth,
    OptionalArrayRefParameter<"::sbp::RateAttr", "FLOP/s by type">:$rates);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the device as a structure without IR.
    ::sbp::Device getDevice() const;
  }];
}

def Sbp_Axis : Sbp_Attr<"Axis", "axis"> {
  let summary = "one axis of a mesh";
  let description = [{
    An axis of `size` devices along `level` of the machine, or along a factor of the
    level's devices.

    ```mlir
    #sbp.axis<"data" x 4 in "gpu">
    ```

    **Constraints**
    - (C1) `size` is positive.
  }];
  let parameters = (ins
    StringRefParameter<"name of the axis">:$name,
    "int64_t":$size,
    StringRefParameter<"the level of the machine">:$level);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif  // DIALECTS_SBP_SBPATTRS_TD_
