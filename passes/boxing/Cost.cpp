#include "passes/boxing/Cost.h"

#include <algorithm>

#include "llvm/Support/MathExtras.h"

namespace sbp {

double stepSeconds(StepKind kind, llvm::ArrayRef<int64_t> axes,
                   int64_t inputBytes, int64_t resultBytes, const Mesh& mesh) {
  double members = 1, alpha = 0, beta = 0;
  for (int64_t axis : axes) {
    members *= static_cast<double>(mesh.axes[axis].size);
    alpha = std::max(alpha, mesh.axes[axis].latencySeconds);
    beta = std::max(beta, mesh.axes[axis].secondsPerByte);
  }
  double messageBytes = static_cast<double>(std::max(inputBytes, resultBytes));
  double round =
      (members - 1) * alpha + (members - 1) / members * messageBytes * beta;
  switch (kind) {
    case StepKind::AllReduce:
      return 2 * round;
    case StepKind::AllGather:
    case StepKind::ReduceScatter:
    case StepKind::AllToAll:
      return round;
    case StepKind::Slice:
    case StepKind::Pad:
    case StepKind::ToPartial:
      return 0;
  }
  llvm_unreachable("a step is one of seven kinds");
}

int64_t largestLocalBytes(llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                          llvm::ArrayRef<Component> placement,
                          const Mesh& mesh) {
  // Of the parts of an extent, one at least is the quotient rounded up.
  llvm::SmallVector<int64_t> local(shape);
  for (size_t axis = 0; axis < placement.size(); ++axis)
    if (placement[axis].isSplit()) {
      int64_t& extent = local[placement[axis].dim()];
      extent = llvm::divideCeilSigned(extent, mesh.axes[axis].size);
    }
  int64_t bytes = elementBytes;
  for (int64_t extent : local) bytes *= extent;
  return bytes;
}

}  // namespace sbp
