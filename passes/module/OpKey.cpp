#include "passes/module/OpKey.h"

#include "dialects/nn/DifferentiableOp.h"

namespace sbp {

OpKey opKeyOf(Operation* op, mlir::FunctionType type) {
  mlir::NamedAttrList attributes(op->getAttrDictionary());
  attributes.erase(nn::kIdAttrName);
  attributes.erase(nn::kAdjointOfAttrName);
  return {op->getName().getAsOpaquePointer(),
          attributes.getDictionary(op->getContext()).getAsOpaquePointer(),
          type.getAsOpaquePointer()};
}

}  // namespace sbp
