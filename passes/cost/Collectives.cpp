#include "passes/cost/Collectives.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

namespace sbp {
namespace {

/// The part of a group within one level.
struct LevelPart {
  const MeshAxis* axis;  // one of the level's
  double members;
};

/// Innermost first.
llvm::SmallVector<LevelPart, 3> partsByLevel(llvm::ArrayRef<int64_t> axes,
                                             const Mesh& mesh) {
  llvm::SmallVector<LevelPart, 3> parts;
  for (int64_t index : llvm::reverse(axes)) {
    const MeshAxis& axis = mesh.axes[index];
    if (parts.empty() || parts.back().axis->level != axis.level)
      parts.push_back({&axis, 1});
    parts.back().members *= static_cast<double>(axis.size);
  }
  return parts;
}

double messageSeconds(Collective collective, const LevelPart& part,
                      double bytes) {
  const MeshAxis& axis = *part.axis;
  return priceOf(axis.prices, collective, part.members, bytes)
      .value_or(MessagePrice{axis.latencySeconds, axis.secondsPerByte})
      .seconds(bytes);
}

}  // namespace

double collectiveSeconds(Collective collective, llvm::ArrayRef<int64_t> axes,
                         double bytes, const Mesh& mesh) {
  const llvm::SmallVector<LevelPart, 3> parts = partsByLevel(axes, mesh);
  double members = 1;
  for (const LevelPart& part : parts) members *= part.members;
  double seconds = 0;
  double inner = 1;  // members that differ in inner levels only
  for (const LevelPart& part : parts) {
    seconds += (part.members - 1) * inner *
               messageSeconds(collective, part, bytes / members);
    inner *= part.members;
  }
  return collective == Collective::AllReduce ? 2 * seconds : seconds;
}

double haloExchangeSeconds(llvm::ArrayRef<int64_t> axes, double lowBytes,
                           double highBytes, const Mesh& mesh) {
  const llvm::SmallVector<LevelPart, 3> parts = partsByLevel(axes, mesh);
  auto seconds = [](const LevelPart& part, double bytes) {
    return bytes == 0
               ? 0
               : messageSeconds(Collective::AllToAll, {part.axis, 2}, bytes);
  };
  double members = 1;
  for (const LevelPart& part : parts) members *= part.members;
  double larger = seconds(parts.back(), std::max(lowBytes, highBytes));
  if (members == 2) return larger;
  return larger + seconds(parts.front(), std::min(lowBytes, highBytes));
}

}  // namespace sbp
