#ifndef DIALECTS_SBP_SBPINTERFACES_TD_
#define DIALECTS_SBP_SBPINTERFACES_TD_

include "mlir/IR/OpBase.td"

def DistributedOpInterface : OpInterface<"DistributedOpInterface"> {
  let cppNamespace = "::sbp";
  let description = [{
    An op on whole tensors that declares its loops (`dialects/sbp/LoopNest.h`). Its legal
    signatures, local shapes, FLOPs and bytes follow from this declaration. Placement and
    search treat every op that implements the interface alike.

    The verifier of the interface checks the constraints that `SbpDialect.td` lists. It
    runs after the op's own verifier, so that an op is asked for its loops only if its
    attributes and types are valid.
  }];
  let methods = [
    InterfaceMethod<[{
      Returns the loops of the op at the shapes of its operands and results.
    }], "::sbp::LoopNest", "getLoopNest">,
    InterfaceMethod<[{
      Builds the op on local tensors, which one rank runs, and returns it. `operands` are
      the local operands and `results` the local result types. `shard` has the part of
      each split loop that this rank runs.

      By default the op is cloned at the local types. An op overrides this if its
      attributes refer to the whole tensor (the count by which a mean divides), or if its
      results depend on the position of the rank's part (iota).
    }], "::mlir::Operation *", "buildLocal", (ins
      "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
      "::mlir::TypeRange":$results, "::sbp::Shard &":$shard),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::sbp::cloneWithTypes(builder, $_op, operands, results);
      }]>,
  ];
  let verifyWithRegions = 1;
  let verify = "return ::sbp::verifyDistributed($_op);";
}

def CommunicatingOpInterface : OpInterface<"CommunicatingOpInterface"> {
  let cppNamespace = "::sbp";
  let description = [{
    An op with further signatures, in which a device lacks elements that its iterations
    need and the op communicates them itself: panel by panel (SUMMA), or only the borders
    of the parts (halos). The op implements `DistributedOpInterface` as well.

    The cost of such a signature is derived from the ops that `buildCommunicating`
    builds. Placement search treats it like any other.

    A plug-in may attach the interface to an op of another dialect (`plugins/`).
  }];
  let methods = [
    InterfaceMethod<[{
      Returns the further signatures on one mesh axis, in addition to those of the loops
      `nest`. `loop` of such a signature is the loop that the axis splits.
    }], "::llvm::SmallVector<::sbp::Signature>", "getCommunicatingSignatures",
      (ins "const ::sbp::LoopNest &":$nest)>,
    InterfaceMethod<[{
      Whether the signatures `perAxis`, one per axis of `mesh`, can be combined. At least
      one of them communicates. The caller has checked that the loops can be split so.
    }], "bool", "canCombine", (ins
      "const ::sbp::LoopNest &":$nest, "const ::sbp::Mesh &":$mesh,
      "::llvm::ArrayRef<const ::sbp::Signature *>":$perAxis)>,
    InterfaceMethod<[{
      Builds the local ops and collectives that one rank runs, for signatures that can be
      combined, and returns the local results. `operands` are the local operands and
      `results` the local result types.
    }], "::llvm::SmallVector<::mlir::Value>", "buildCommunicating", (ins
      "const ::sbp::LoopNest &":$nest, "const ::sbp::Mesh &":$mesh,
      "::llvm::ArrayRef<const ::sbp::Signature *>":$perAxis,
      "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
      "::mlir::TypeRange":$results, "::sbp::Shard &":$shard)>,
  ];
}

#endif  // DIALECTS_SBP_SBPINTERFACES_TD_
