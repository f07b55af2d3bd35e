#include "passes/boxing/Cost.h"

#include <algorithm>

#include "dialects/sbp/Network.h"
#include "llvm/Support/MathExtras.h"
#include "passes/cost/Collectives.h"

namespace sbp {

double stepSeconds(StepKind kind, llvm::ArrayRef<int64_t> axes,
                   int64_t inputBytes, int64_t resultBytes, const Mesh& mesh) {
  auto seconds = [&](Collective collective) {
    double bytes = static_cast<double>(std::max(inputBytes, resultBytes));
    return collectiveSeconds(collective, axes, bytes, mesh);
  };
  switch (kind) {
    case StepKind::AllReduce:
      return seconds(Collective::AllReduce);
    case StepKind::AllGather:
      return seconds(Collective::AllGather);
    case StepKind::ReduceScatter:
      return seconds(Collective::ReduceScatter);
    case StepKind::AllToAll:
      return seconds(Collective::AllToAll);
    case StepKind::Slice:
    case StepKind::Pad:
    case StepKind::ToPartial:
      return 0;
  }
  llvm_unreachable("a step is one of seven kinds");
}

llvm::SmallVector<int64_t> largestLocalShape(
    llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Component> placement,
    const Mesh& mesh) {
  // Of the parts of an extent, one at least is the quotient rounded up.
  llvm::SmallVector<int64_t> local(shape);
  for (size_t axis = 0; axis < placement.size(); ++axis)
    if (placement[axis].isSplit()) {
      int64_t& extent = local[placement[axis].dim()];
      extent = llvm::divideCeilSigned(extent, mesh.axes[axis].size);
    }
  return local;
}

int64_t largestLocalBytes(llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                          llvm::ArrayRef<Component> placement,
                          const Mesh& mesh) {
  int64_t bytes = elementBytes;
  for (int64_t extent : largestLocalShape(shape, placement, mesh))
    bytes *= extent;
  return bytes;
}

}  // namespace sbp
