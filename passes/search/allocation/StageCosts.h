// Costs of any stage of a chain, from sums that are made once.

#ifndef PASSES_SEARCH_ALLOCATION_STAGECOSTS_H_
#define PASSES_SEARCH_ALLOCATION_STAGECOSTS_H_

#include <cstdint>
#include <vector>

#include "passes/search/allocation/ChainProblem.h"

namespace sbp::search {

/// The costs of stages of a problem, which must have passed check() and must
/// outlive this object. A stage is layers `begin`, ..., `end` - 1.
class StageCosts {
 public:
  explicit StageCosts(const ChainProblem& problem);

  const ChainProblem& problem() const { return problem_; }
  int64_t numLayers() const { return problem_.chain.numLayers(); }

  /// Milliseconds per micro-batch.
  double forward(int64_t begin, int64_t end) const {
    return forwards_[end] - forwards_[begin];
  }
  double backward(int64_t begin, int64_t end) const {
    return backwards_[end] - backwards_[begin];
  }
  double load(int64_t begin, int64_t end) const {
    return loads_[end] - loads_[begin];
  }
  double wholeLoad() const { return loads_.back(); }

  /// Milliseconds per micro-batch for which a cut before layer `layer` occupies
  /// its link: both ways.
  double transfer(int64_t layer) const { return transfers_[layer]; }

  /// Bytes that a stage holds per micro-batch in flight.
  double stash(int64_t begin, int64_t end) const {
    return problem_.chain.cuts[begin] + outputs_[end - 1] - outputs_[begin];
  }
  /// Bytes that the layers before `end` hold per micro-batch at least, however
  /// they are cut into stages.
  double leastStash(int64_t end) const { return leastStashes_[end]; }
  /// Bytes that a stage needs however many micro-batches are in flight.
  double fixedBytes(int64_t begin, int64_t end) const {
    const double sent = (begin > 0 ? problem_.chain.cuts[begin] : 0) +
                        (end < numLayers() ? problem_.chain.cuts[end] : 0);
    return 3 * (weights_[end] - weights_[begin]) + 2 * sent;
  }

 private:
  const ChainProblem& problem_;
  // Sums over the layers before a layer; transfers by layer.
  std::vector<double> forwards_, backwards_, loads_, weights_, outputs_;
  std::vector<double> transfers_, leastStashes_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_STAGECOSTS_H_
