#include "passes/cut/CaseAdder.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sbp {

void CaseAdder::addAll(const PipelineNumbers& numbers) {
  const std::vector<int64_t>& counts = numbers.microBatches;
  for (size_t first : {0, 1}) {
    for (size_t index = first; index < counts.size(); index += 2)
      // Smaller groups are priced sooner.
      for (const GroupShape& groups : llvm::reverse(numbers.groups))
        add({groups, counts[index]});
    if (!problem_.get().cases.empty()) break;
  }
  if (problem_.get().cases.empty()) return;
  std::vector<CaseNumbers> order = problem_.numbersInOrder();
  if (!numbers.innerGroups.empty()) {
    addInner(numbers.innerGroups, order);
    order = problem_.numbersInOrder();
  }
  for (const auto& [groups, microBatches] :
       ArrayRef(order).take_front(kMostNumbers)) {
    const size_t index = llvm::find(counts, microBatches) - counts.begin();
    if (index > 0) add({groups, counts[index - 1]});
    if (index + 1 < counts.size()) add({groups, counts[index + 1]});
  }
}

void CaseAdder::addInner(ArrayRef<GroupShape> inner,
                         ArrayRef<CaseNumbers> known) {
  if (known.empty()) return;
  for (const GroupShape& groups : inner) {
    const auto* best = llvm::find_if(known, [&](const CaseNumbers& numbers) {
      return numbers.groups.numGroups() == groups.numGroups();
    });
    if (best == known.end()) best = known.begin();
    add({groups, best->microBatches});
  }
}

void CaseAdder::add(const CaseNumbers& numbers) {
  if (!ofMore_) return problem_.addCases(numbers, run_);
  const auto known = ofMore_->work.find(numbers);
  if (known == ofMore_->work.end()) return problem_.addCases(numbers, run_);
  const double guess = known->second * slowdown_.value_or(1);
  if (guess >= ofMore_->fitting) {
    leftOut_[numbers] = guess;
    return;
  }
  problem_.addCases(numbers, run_);
  const double seconds = problem_.secondsOfWork(numbers);
  if (!std::isfinite(seconds)) return;
  const double ratio = std::max(1.0, seconds / known->second);
  slowdown_ = std::min(slowdown_.value_or(ratio), ratio);
}

}  // namespace sbp
