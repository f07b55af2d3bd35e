#include "codegen/interpreter/Evaluators.h"

#include "dialects/sbp/Sbp.h"

namespace sbp::interpreter {

RankedTensorType resultType(Operation* op, size_t index) {
  return withPlacement(
      llvm::cast<RankedTensorType>(op->getResult(index).getType()),
      /*placement=*/nullptr);
}

}  // namespace sbp::interpreter
