#ifndef DIALECTS_SBP_SBPINTERFACES_TD_
#define DIALECTS_SBP_SBPINTERFACES_TD_

include "mlir/IR/OpBase.td"

def DistributedOpInterface : OpInterface<"DistributedOpInterface"> {
  let cppNamespace = "::sbp";
  let description = [{
    An op on whole tensors that declares its loops (`dialects/sbp/LoopNest.h`).
    From that one declaration follow its legal signatures, its local shapes, its
    FLOPs and bytes, and with them its part in placement and search: a new layer
    that implements this interface is a full citizen.

    The verifier of the interface checks placed types: on every mesh axis the
    components of operands and results form one of the signatures, and all
    tensors name the same mesh.
  }];
  let methods = [
    InterfaceMethod<[{
      The loops of the op at the shapes that its operands and results have.
    }], "::sbp::LoopNest", "getLoopNest">,
    InterfaceMethod<[{
      Builds what one rank runs: the op on local tensors. `operands` are the local
      operands and `results` the local result types. `shard` tells which part of
      a split loop this rank runs.

      By default the op itself at other shapes. An op overrides this when its
      attributes speak of the whole tensor (the count that a mean divides by) or
      when what it computes depends on where its part begins (iota).
    }], "::mlir::Operation *", "buildLocal", (ins
      "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
      "::mlir::TypeRange":$results, "::sbp::Shard &":$shard),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::sbp::cloneAtTypes(builder, $_op, operands, results);
      }]>,
  ];
  let verify = "return ::sbp::verifyPlacements($_op);";
}

def CommunicatingOpInterface : OpInterface<"CommunicatingOpInterface"> {
  let cppNamespace = "::sbp";
  let description = [{
    An op that can also work on parts of tensors with which its loops alone could
    not be run, because it fetches what is missing itself: panel by panel (SUMMA), or
    only what borders on its parts (halos). The op implements
    `DistributedOpInterface` as well.

    What such a way to run costs need not be said: it is read off what
    `buildCommunicating` builds. Placement search weighs it like any other.

    A plug-in may attach the interface to an op that it does not own
    (`plugins/`).
  }];
  let methods = [
    InterfaceMethod<[{
      Signatures on one mesh axis beside those of the loops, which are `nest`.
      `loop` is the one whose iterations the devices share.
    }], "::llvm::SmallVector<::sbp::Signature>", "getCommunicatingSignatures",
      (ins "const ::sbp::LoopNest &":$nest)>,
    InterfaceMethod<[{
      Whether signatures go together, one per axis of `mesh`, at least one of which
      is one of the above. (That the loops allow it is known.)
    }], "bool", "canCombine", (ins
      "const ::sbp::LoopNest &":$nest, "const ::sbp::Mesh &":$mesh,
      "::llvm::ArrayRef<const ::sbp::Signature *>":$perAxis)>,
    InterfaceMethod<[{
      Builds what one rank runs, of local ops and collectives, for signatures that
      go together. `operands` are the local operands and `results` the local result
      types; returns the local results.
    }], "::llvm::SmallVector<::mlir::Value>", "buildCommunicating", (ins
      "const ::sbp::LoopNest &":$nest, "const ::sbp::Mesh &":$mesh,
      "::llvm::ArrayRef<const ::sbp::Signature *>":$perAxis,
      "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
      "::mlir::TypeRange":$results, "::sbp::Shard &":$shard)>,
  ];
}

#endif  // DIALECTS_SBP_SBPINTERFACES_TD_
