#include "passes/boxing/Cost.h"

#include <algorithm>

#include "llvm/Support/MathExtras.h"

namespace sbp {

std::optional<Collective> collectiveOf(StepKind kind) {
  switch (kind) {
    case StepKind::AllReduce:
      return Collective::AllReduce;
    case StepKind::AllGather:
      return Collective::AllGather;
    case StepKind::ReduceScatter:
      return Collective::ReduceScatter;
    case StepKind::AllToAll:
      return Collective::AllToAll;
    case StepKind::Slice:
    case StepKind::Pad:
    case StepKind::ToPartial:
      return std::nullopt;
  }
  llvm_unreachable("a step is one of seven kinds");
}

double stepSeconds(StepKind kind, llvm::ArrayRef<int64_t> axes,
                   int64_t inputBytes, int64_t resultBytes, const Mesh& mesh,
                   double fullBytes) {
  const std::optional<Collective> collective = collectiveOf(kind);
  if (!collective) return 0;
  const auto bytes = static_cast<double>(std::max(inputBytes, resultBytes));
  return secondsOf(trafficInBucket(*collective, axes, bytes,
                                   std::max(bytes, fullBytes), mesh));
}

llvm::SmallVector<int64_t> largestLocalShape(
    llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Component> placement,
    const Mesh& mesh) {
  // The largest part of an extent is the quotient rounded up.
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

int64_t alignedBytes(int64_t bytes) {
  // The alignment of buffers in plans (runtime/plan/Plan.h).
  constexpr uint64_t kAlignment = 64;
  return static_cast<int64_t>(llvm::alignTo(bytes, kAlignment));
}

}  // namespace sbp
