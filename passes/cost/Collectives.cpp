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

llvm::SmallVector<LevelTraffic, 3> collectiveTraffic(
    Collective collective, llvm::ArrayRef<int64_t> axes, double bytes,
    const Mesh& mesh) {
  const llvm::SmallVector<LevelPart, 3> parts = partsByLevel(axes, mesh);
  double members = 1;
  for (const LevelPart& part : parts) members *= part.members;
  const double message = bytes / members;
  const double passes = collective == Collective::AllReduce ? 2 : 1;
  llvm::SmallVector<LevelTraffic, 3> traffic;
  double inner = 1;  // members that differ in inner levels only
  for (const LevelPart& part : parts) {
    double messages = passes * (part.members - 1) * inner;
    traffic.push_back({part.axis->level, messages * message,
                       messages * messageSeconds(collective, part, message)});
    inner *= part.members;
  }
  return traffic;
}

llvm::SmallVector<LevelTraffic, 3> haloExchangeTraffic(
    llvm::ArrayRef<int64_t> axes, double lowBytes, double highBytes,
    const Mesh& mesh) {
  const llvm::SmallVector<LevelPart, 3> parts = partsByLevel(axes, mesh);
  double members = 1;
  for (const LevelPart& part : parts) members *= part.members;
  llvm::SmallVector<LevelTraffic, 3> traffic;
  auto add = [&](const LevelPart& part, double bytes) {
    if (bytes > 0)
      traffic.push_back(
          {part.axis->level, bytes,
           messageSeconds(Collective::AllToAll, {part.axis, 2}, bytes)});
  };
  if (members > 2) add(parts.front(), std::min(lowBytes, highBytes));
  add(parts.back(), std::max(lowBytes, highBytes));
  return traffic;
}

double secondsOf(llvm::ArrayRef<LevelTraffic> traffic) {
  double seconds = 0;
  for (const LevelTraffic& level : traffic) seconds += level.seconds;
  return seconds;
}

double collectiveSeconds(Collective collective, llvm::ArrayRef<int64_t> axes,
                         double bytes, const Mesh& mesh) {
  return secondsOf(collectiveTraffic(collective, axes, bytes, mesh));
}

}  // namespace sbp
