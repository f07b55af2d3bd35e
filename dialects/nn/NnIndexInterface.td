#ifndef DIALECTS_NN_NNINDEXINTERFACE_TD_
#define DIALECTS_NN_NNINDEXINTERFACE_TD_

include "mlir/IR/OpBase.td"

def Nn_IndexOpInterface : OpInterface<"IndexOpInterface"> {
  let cppNamespace = "::sbp::nn";
  let description = [{
    An op that uses integers as indices, of the rows of a table or of the classes of a
    loss. `--sbp-bound-inputs` derives from it which integers the inputs of a model may
    hold.
  }];
  let methods = [
    InterfaceMethod<[{
      Number of values that the elements of `operand` index, counted from 0: each
      element must be below it. Returns nothing if `operand` holds no indices.
    }], "std::optional<int64_t>", "getIndexBound",
      (ins "::mlir::OpOperand &":$operand)>,
  ];
}

// See dialects/nn/IndexOp.h.
def Nn_KeepsElements : NativeOpTrait<"KeepsElements"> {
  let cppNamespace = "::sbp::nn";
}

#endif  // DIALECTS_NN_NNINDEXINTERFACE_TD_
