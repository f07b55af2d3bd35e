#include "passes/search/decisions/FlowVersions.h"

#include <algorithm>
#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "passes/search/decisions/PinnedFlows.h"

namespace sbp::search {

FlowVersions::FlowVersions(const DecisionGraph& graph, const Flow& flow,
                           Movements& movements)
    : graph_(graph),
      flow_(flow),
      movements_(movements.of(flow)),
      hasPin_(hasPin(flow)) {}

double FlowVersions::seconds(int64_t from, int64_t to) {
  const auto before = static_cast<Number>(from),
             after = static_cast<Number>(to);
  return flow_.mayBecome(before, after, graph_.placements)
             ? movements_.seconds(before, after)
             : std::numeric_limits<double>::infinity();
}

Versions::Serving FlowVersions::serve(Versions& versions, Number wanted) {
  return versions.serve(
      wanted, [&](int64_t from, int64_t to) { return seconds(from, to); },
      [&](int64_t number) {
        return graph_.placements.isPartial(static_cast<Number>(number));
      });
}

double FlowVersions::secondsOf(llvm::ArrayRef<Number> placements) {
  if (hasPin_) return search::secondsOf(flow_, of(placements));
  double sum = 0;
  Versions versions(placements.front());
  for (Number wanted : placements.drop_front())
    sum += serve(versions, wanted).seconds;
  return flow_.times * sum;
}

size_t FlowVersions::box(llvm::SmallVectorImpl<Laid>& laid, size_t source,
                         Number wanted, double seconds, int64_t op) {
  for (size_t number = 1; number < laid.size(); ++number)
    if (laid[number].boxedFrom == source &&
        laid[number].version.placement == wanted)
      return number;
  // The version that is boxed from must live until then.
  Laid& from = laid[source];
  from.version.last = std::max(from.version.last, op);
  FlowVersion version;
  version.seconds = seconds;
  version.first = version.last = op;
  version.isBoxed = true;
  version.from = from.version.placement;
  version.placement = wanted;
  version.movements = &movements_;
  version.isMovedInSteps = true;
  const double partInBucket = movements_.partInBucket(version.from, wanted);
  from.partInBucket = std::max(from.partInBucket, partInBucket);
  laid.push_back({version, source, /*hasOwnMemory=*/true, partInBucket,
                  std::numeric_limits<int64_t>::max(), /*certainUntil=*/-1});
  return laid.size() - 1;
}

llvm::SmallVector<FlowVersion, 4> FlowVersions::of(
    llvm::ArrayRef<Number> placements, Counting counting) {
  FlowVersion original;
  original.first = flow_.madeAt;
  original.last = flow_.keptUntil;
  original.from = original.placement = placements.front();
  original.movements = &movements_;
  llvm::SmallVector<Laid, 4> laid = {{original, 0, !flow_.isLent,
                                      /*partInBucket=*/0, flow_.certainFrom,
                                      flow_.certainUntil}};
  /// The tensor as it was made or as a pin placed it, and the versions boxed
  /// from it.
  struct Part {
    int64_t pin;
    Versions versions;
    llvm::SmallVector<size_t, 4> numbers;  // indices into `laid`
  };
  llvm::SmallVector<Part, 1> parts = {{-1, Versions(placements.front()), {0}}};
  for (size_t index = 0; index < flow_.uses.size(); ++index) {
    const Flow::Use& use = flow_.uses[index];
    Number wanted = placements[1 + index];
    Part& part = *llvm::find_if(
        parts, [&](const Part& known) { return known.pin == use.behind; });
    Versions::Serving serving = serve(part.versions, wanted);
    if (serving.isNew)
      part.numbers.push_back(box(laid, part.numbers[serving.boxedFrom], wanted,
                                 serving.seconds, use.first));
    size_t number = part.numbers[serving.version];
    Laid& serves = laid[number];
    serves.version.last = std::max(serves.version.last, use.last);
    if (use.certainUntil >= 0) {
      serves.certainFrom = std::min(serves.certainFrom, use.first);
      serves.certainUntil = std::max(serves.certainUntil, use.certainUntil);
    }
    serves.hasOwnMemory &= !use.isStored;
    if (hasPin_ && isPin(flow_, use))
      parts.push_back(
          {static_cast<int64_t>(index), Versions(wanted), {number}});
  }
  llvm::SmallVector<FlowVersion, 4> versions;
  const Frame& frame = graph_.functions[flow_.function];
  for (const Laid& each : laid) {
    versions.push_back(each.version);
    if (each.hasOwnMemory)
      versions.back().bytes = movements_.bytes(each.version.placement);
    if (counting == Counting::Ample) {
      versions.back().copies =
          frame.copiesOf(each.version.first, each.version.last);
      FlowVersion waiting = versions.back();
      if (each.partInBucket == 0 || waiting.last >= flow_.waitsUntil) continue;
      waiting.seconds = 0;
      waiting.bytes *= each.partInBucket;
      waiting.first = waiting.last + 1;
      waiting.last = flow_.waitsUntil;
      waiting.isMovedInSteps = false;
      waiting.copies = 0;
      versions.push_back(waiting);
      continue;
    }
    FlowVersion& version = versions.back();
    version.first = each.certainFrom;
    version.last = each.certainUntil;
    version.isMovedInSteps = false;
    // An operand of a call is in memory until the call begins.
    version.copies = frame.copiesOf(version.first, version.last + 1);
  }
  return versions;
}

double secondsOf(const Flow& flow, llvm::ArrayRef<FlowVersion> versions) {
  double sum = 0;
  for (const FlowVersion& version : versions) sum += version.seconds;
  return flow.times * sum;
}

double bytesAt(const FlowVersion& version, int64_t op, bool isInPipeline) {
  if (op < 0) return isInPipeline ? bytesHeld(version, /*oneRuns=*/false) : 0;
  const double held = bytesHeld(version, /*oneRuns=*/true);
  if (op < version.first || op > version.last) return held;
  return held + version.bytes +
         (op == version.first ? version.bytesBetween() : 0);
}

}  // namespace sbp::search
