#ifndef DIALECTS_NN_NNINDEXINTERFACE_TD_
#define DIALECTS_NN_NNINDEXINTERFACE_TD_

include "mlir/IR/OpBase.td"

def Nn_IndexOpInterface : OpInterface<"IndexOpInterface"> {
  let cppNamespace = "::sbp::nn";
  let description = [{
    An op that has integers choose something: the rows of a table, the classes of a
    loss. From what it says `--sbp-bound-inputs` finds which data a model can take.
  }];
  let methods = [
    InterfaceMethod<[{
      How many things the elements of `operand` choose among, counted from 0; none
      when they are no choice.
    }], "std::optional<int64_t>", "getIndexBound",
      (ins "::mlir::OpOperand &":$operand)>,
  ];
}

// See dialects/nn/IndexOp.h.
def Nn_KeepsElements : NativeOpTrait<"KeepsElements"> {
  let cppNamespace = "::sbp::nn";
}

#endif  // DIALECTS_NN_NNINDEXINTERFACE_TD_
