// The C++ classes of the planted dialect.

#ifndef TEST_PLUGINS_PLANTED_PLANTED_H_
#define TEST_PLUGINS_PLANTED_PLANTED_H_

#include "codegen/kernels/KernelOp.h"
#include "dialects/nn/DifferentiableOp.h"
#include "dialects/sbp/OpBase.h"

// Generated from Planted.td.
#include "test/plugins/planted/Planted.h.inc"
#include "test/plugins/planted/PlantedEnums.h.inc"

#define GET_OP_CLASSES
#include "test/plugins/planted/PlantedOps.h.inc"

namespace sbp::planted {

/// Returns the type of `value`, which is a tensor.
inline RankedTensorType typeOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

}  // namespace sbp::planted

#endif  // TEST_PLUGINS_PLANTED_PLANTED_H_
