#include "passes/search/program/FlowVersions.h"

#include <algorithm>
#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "passes/search/program/PinnedFlows.h"

namespace sbp::search {

FlowVersions::FlowVersions(const DecisionGraph& graph, const Flow& flow,
                           Movements& movements)
    : graph_(graph),
      flow_(flow),
      movements_(movements.of(flow.shape, flow.elementBytes)),
      hasPin_(hasPin(flow)) {}

double FlowVersions::seconds(int64_t from, int64_t to) {
  if (!flow_.mayMove && from != to)
    return std::numeric_limits<double>::infinity();
  return movements_.seconds(static_cast<Number>(from), static_cast<Number>(to));
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

llvm::SmallVector<FlowVersion, 4> FlowVersions::of(
    llvm::ArrayRef<Number> placements) {
  llvm::SmallVector<FlowVersion, 4> all;
  struct Laid {
    Number placement;
    bool hasOwnMemory;
    size_t boxedFrom;
  };
  llvm::SmallVector<Laid, 4> laid;  // per version
  /// The tensor as it was made, or as a pin has it, and what is boxed from it.
  struct Part {
    int64_t pin;
    Versions versions;
    llvm::SmallVector<size_t, 4> numbers;  // among all
  };
  llvm::SmallVector<Part, 1> parts;

  FlowVersion& original = all.emplace_back();
  original.first = flow_.madeAt;
  original.last = flow_.keptUntil;
  laid.push_back({placements.front(), !flow_.isLent, 0});
  parts.push_back({-1, Versions(placements.front()), {0}});
  for (size_t index = 0; index < flow_.uses.size(); ++index) {
    const Flow::Use& use = flow_.uses[index];
    Number wanted = placements[1 + index];
    Part& part = *llvm::find_if(
        parts, [&](const Part& known) { return known.pin == use.behind; });
    Versions::Serving serving = serve(part.versions, wanted);
    if (serving.isNew) {
      size_t source = part.numbers[serving.boxedFrom];
      // The same box may have been made for another part.
      size_t number = 1;
      while (number < all.size() && (laid[number].boxedFrom != source ||
                                     laid[number].placement != wanted))
        ++number;
      part.numbers.push_back(number);
      if (number == all.size()) {
        laid.push_back({wanted, true, source});
        // What a version is boxed from is there until then.
        all[source].last = std::max(all[source].last, use.first);
        FlowVersion& version = all.emplace_back();
        version.seconds = serving.seconds;
        version.isBoxed = true;
        version.first = use.first;
        version.bytesBetween =
            movements_.bytesBetween(laid[source].placement, wanted);
      }
    }
    size_t number = part.numbers[serving.version];
    all[number].last = std::max(all[number].last, use.last);
    laid[number].hasOwnMemory &= !use.isStored;
    if (hasPin_ && isPin(flow_, use))
      parts.push_back(
          {static_cast<int64_t>(index), Versions(wanted), {number}});
  }
  for (auto [version, how] : llvm::zip(all, laid))
    if (how.hasOwnMemory) version.bytes = movements_.bytes(how.placement);
  return all;
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
