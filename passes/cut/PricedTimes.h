// The times of cases that were priced, for the pricing of others: those of
// layers that keep less, which take longer.

#ifndef PASSES_CUT_PRICEDTIMES_H_
#define PASSES_CUT_PRICEDTIMES_H_

#include <limits>
#include <map>

#include "passes/cut/CaseNumbers.h"

namespace sbp {

/// Times of the cases of a model, estimated, in seconds per training step.
struct PricedTimes {
  /// The time of the best pipeline that fits into the memory; infinite if none
  /// does.
  double fitting = std::numeric_limits<double>::infinity();
  /// Lower bounds of the times, whatever the memory
  /// (PipelineProblem::secondsOfWork()); guesses of them for cases that were
  /// left out. Empty if more memory would not help.
  std::map<CaseNumbers, double> work;
};

}  // namespace sbp

#endif  // PASSES_CUT_PRICEDTIMES_H_
