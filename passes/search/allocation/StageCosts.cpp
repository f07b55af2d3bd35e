#include "passes/search/allocation/StageCosts.h"

#include <algorithm>

namespace sbp::search {
namespace {

std::vector<double> sumsOf(const std::vector<double>& values) {
  std::vector<double> sums = {0};
  for (double value : values) sums.push_back(sums.back() + value);
  return sums;
}

}  // namespace

StageCosts::StageCosts(const ChainProblem& problem)
    : problem_(problem),
      forwards_(sumsOf(problem.chain.forward)),
      backwards_(sumsOf(problem.chain.backward)),
      weights_(sumsOf(problem.chain.weights)),
      outputs_(sumsOf(problem.chain.outputs)) {
  for (size_t i = 0; i < forwards_.size(); ++i)
    loads_.push_back(forwards_[i] + backwards_[i]);
  for (double bytes : problem.chain.cuts)
    transfers_.push_back(2 * bytes / problem.bandwidth);
  // Where there is a cut, the stage after it holds what crosses the cut; where
  // there is none, the output.
  const LayerChain& chain = problem.chain;
  leastStashes_ = {0, chain.cuts[0]};
  for (int64_t layer = 1; layer < chain.numLayers(); ++layer)
    leastStashes_.push_back(
        leastStashes_.back() +
        std::min(chain.outputs[layer - 1], chain.cuts[layer]));
}

}  // namespace sbp::search
