#include "codegen/kernels/testing/InPlace.h"

#include <algorithm>

#include "codegen/plan/KernelProvider.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {

std::vector<int64_t> operandsOfResults(mlir::Operation* op,
                                       const KernelNeeds& needs,
                                       InPlace inPlace) {
  std::vector<int64_t> operands(op->getNumResults(),
                                KernelProvider::kOwnBuffer);
  if (inPlace == InPlace::None) return operands;
  auto pairs = needs.inPlace;
  if (inPlace == InPlace::LastOperands)
    std::reverse(pairs.begin(), pairs.end());
  for (auto [operand, result] : pairs)
    if (operands[result] == KernelProvider::kOwnBuffer &&
        !llvm::is_contained(operands, operand))
      operands[result] = operand;
  return operands;
}

}  // namespace sbp
