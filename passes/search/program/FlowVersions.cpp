#include "passes/search/program/FlowVersions.h"

#include <algorithm>
#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/boxing/Cost.h"
#include "passes/boxing/Versions.h"

namespace sbp::search {
namespace {

/// What a program aligns its buffers to.
constexpr uint64_t kAlignment = 64;

double alignedBytes(const DecisionGraph& graph, const Flow& flow,
                    llvm::ArrayRef<Component> placement) {
  return static_cast<double>(llvm::alignTo(
      largestLocalBytes(flow.shape, flow.elementBytes, placement, graph.mesh),
      kAlignment));
}

}  // namespace

const FlowVersions::Way& FlowVersions::way(int64_t from, int64_t to) {
  auto [entry, isNew] = ways_.try_emplace({from, to});
  if (!isNew) return entry->second;
  if (!flow_.mayMove && from != to) {
    entry->second.seconds = std::numeric_limits<double>::infinity();
    return entry->second;
  }
  const Transition& transition =
      transitions_.path(graph_.placements[from], graph_.placements[to],
                        flow_.shape, flow_.elementBytes);
  entry->second.seconds = transition.seconds;
  // Each step needs what it reads beside what it writes. The first reads and
  // the last writes a version, which counts by itself.
  double before = 0, most = 0;
  for (const Step& step : transition.steps) {
    double after = alignedBytes(graph_, flow_, step.result);
    most = std::max(most, before + after);
    before = after;
  }
  entry->second.bytesBetween = std::max(0.0, most - before);
  return entry->second;
}

double FlowVersions::bytesOf(int64_t placement) {
  auto [entry, isNew] = bytes_.try_emplace(placement, 0);
  if (isNew)
    entry->second = alignedBytes(graph_, flow_, graph_.placements[placement]);
  return entry->second;
}

llvm::SmallVector<FlowVersion, 4> FlowVersions::of(
    llvm::ArrayRef<Number> placements) {
  struct Made {
    FlowVersion version;
    Versions::Serving serving;
    int64_t placement;
    bool isUsed, isStored;
  };
  llvm::SmallVector<Made, 4> made;
  FlowVersion original;
  original.first = flow_.madeAt;
  original.last = flow_.keptUntil;
  made.push_back({original, {}, placements.front(), true, false});
  Versions versions(placements.front());
  for (auto [use, wanted] : llvm::zip(flow_.uses, placements.drop_front())) {
    Versions::Serving serving = versions.serve(
        wanted, [&](int64_t from, int64_t to) { return way(from, to).seconds; },
        [&](int64_t number) { return graph_.placements.isPartial(number); });
    if (serving.isNew) {
      FlowVersion version;
      version.seconds = serving.seconds;
      version.isBoxed = true;
      version.first = version.last = use.first;
      version.bytesBetween =
          way(made[serving.boxedFrom].placement, wanted).bytesBetween;
      made.push_back({version, serving, wanted, false, false});
    }
    if (use.isPin) continue;
    Made& serves = made[serving.version];
    serves.isStored |= use.isStored;
    serves.version.last = std::max(serves.version.last, use.last);
    // What a version was boxed from was there until then.
    for (size_t v = serving.version; !made[v].isUsed;) {
      made[v].isUsed = true;
      size_t source = made[v].serving.boxedFrom;
      FlowVersion& from = made[source].version;
      from.last = std::max(from.last, made[v].version.first);
      v = source;
    }
  }
  llvm::SmallVector<FlowVersion, 4> used;
  for (auto [number, each] : llvm::enumerate(made)) {
    if (!each.isUsed) continue;
    bool hasOwnMemory = !each.isStored && !(number == 0 && flow_.isLent);
    if (hasOwnMemory) each.version.bytes = bytesOf(each.placement);
    used.push_back(each.version);
  }
  return used;
}

double secondsOf(const Flow& flow, llvm::ArrayRef<FlowVersion> versions) {
  double sum = 0;
  for (const FlowVersion& version : versions) sum += version.seconds;
  return flow.times * sum;
}

double bytesAt(const FlowVersion& version, int64_t op) {
  if (op < version.first || op > version.last) return 0;
  return version.bytes + (op == version.first ? version.bytesBetween : 0);
}

}  // namespace sbp::search
