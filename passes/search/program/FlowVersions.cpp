#include "passes/search/program/FlowVersions.h"

#include <algorithm>
#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "passes/boxing/Versions.h"

namespace sbp::search {

FlowVersions::FlowVersions(const DecisionGraph& graph, const Flow& flow,
                           Movements& movements)
    : graph_(graph),
      flow_(flow),
      movements_(movements.of(flow.shape, flow.elementBytes)),
      hasPin_(llvm::any_of(flow.uses,
                           [](const Flow::Use& use) { return use.isPin; })) {}

double FlowVersions::seconds(int64_t from, int64_t to) {
  if (!flow_.mayMove && from != to)
    return std::numeric_limits<double>::infinity();
  return movements_.seconds(static_cast<Number>(from), static_cast<Number>(to));
}

double FlowVersions::secondsOf(llvm::ArrayRef<Number> placements) {
  // Which versions are of use is a question only where something is pinned.
  if (hasPin_) return search::secondsOf(flow_, of(placements));
  double sum = 0;
  Versions versions(placements.front());
  for (Number wanted : placements.drop_front())
    sum += versions
               .serve(
                   wanted,
                   [&](int64_t from, int64_t to) { return seconds(from, to); },
                   [&](int64_t number) {
                     return graph_.placements.isPartial(
                         static_cast<Number>(number));
                   })
               .seconds;
  return flow_.times * sum;
}

llvm::SmallVector<FlowVersion, 4> FlowVersions::of(
    llvm::ArrayRef<Number> placements) {
  struct Made {
    FlowVersion version;
    Versions::Serving serving;
    Number placement;
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
        wanted, [&](int64_t from, int64_t to) { return seconds(from, to); },
        [&](int64_t number) {
          return graph_.placements.isPartial(static_cast<Number>(number));
        });
    if (serving.isNew) {
      FlowVersion version;
      version.seconds = serving.seconds;
      version.isBoxed = true;
      version.first = version.last = use.first;
      version.bytesBetween =
          movements_.bytesBetween(made[serving.boxedFrom].placement, wanted);
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
    if (hasOwnMemory) each.version.bytes = movements_.bytes(each.placement);
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
