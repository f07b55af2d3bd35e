#include "passes/search/decisions/Movements.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "passes/boxing/Cost.h"

namespace sbp::search {

TensorMovements::TensorMovements(const PlacementTable& placements,
                                 TransitionTable& transitions,
                                 llvm::ArrayRef<int64_t> shape,
                                 int64_t elementBytes, Bucketing bucketing)
    : placements_(&placements),
      transitions_(&transitions),
      shape_(shape),
      elementBytes_(elementBytes),
      bucketing_(bucketing),
      seconds_(placements.size()),
      bytesBetween_(placements.size()),
      partInBucket_(placements.size()),
      bytes_(placements.size(), kUnknown) {}

double TensorMovements::askSeconds(Number from, Number to) {
  return transitions_->cost((*placements_)[from], (*placements_)[to], shape_,
                            elementBytes_);
}

double TensorMovements::askBytesBetween(Number from, Number to) {
  if (transitions_->isBound()) return 0;
  Transition transition = transitions_->path(
      (*placements_)[from], (*placements_)[to], shape_, elementBytes_);
  // A step needs its source and its result. The first source and the last
  // result are versions, which count elsewhere.
  double before = 0, most = 0;
  for (const BoxingStep& step : transition.steps) {
    double after = localBytes(step.result);
    most = std::max(most, before + after);
    before = after;
  }
  return std::max(0.0, most - before);
}

double TensorMovements::askPartInBucket(Number from, Number to) {
  if (transitions_->isBound() || bucketing_.isAlone()) return 0;
  Transition transition = transitions_->path(
      (*placements_)[from], (*placements_)[to], shape_, elementBytes_);
  const auto whole = static_cast<double>(
      elementBytes_ * std::accumulate(shape_.begin(), shape_.end(), int64_t{1},
                                      std::multiplies<>()));
  double most = 0;
  double before = bytes(from);
  for (const BoxingStep& step : transition.steps) {
    const double after = localBytes(step.result);
    const double held = std::max(before, after);
    before = after;
    std::optional<Collective> collective = collectiveOf(step.kind());
    if (!collective) continue;
    const double full = fullBucketBytes(*collective, step.axes,
                                        transitions_->mesh(), bucketing_);
    if (held < full)
      most = std::max(most, full * whole / held / bucketing_.totalBytes());
  }
  return std::min(most, 1.0);
}

double TensorMovements::bytes(Number placement) {
  double& known = bytes_[placement];
  if (known == kUnknown) known = localBytes((*placements_)[placement]);
  return known;
}

double TensorMovements::localBytes(llvm::ArrayRef<Component> placement) const {
  return static_cast<double>(alignedBytes(largestLocalBytes(
      shape_, elementBytes_, placement, transitions_->mesh())));
}

TensorMovements& Movements::of(const Flow& flow) {
  return tensors_
      .try_emplace({std::vector<int64_t>(flow.shape.begin(), flow.shape.end()),
                    flow.elementBytes, flow.bucketing},
                   placements_, transitions_.of(flow.bucketing), flow.shape,
                   flow.elementBytes, flow.bucketing)
      .first->second;
}

}  // namespace sbp::search
