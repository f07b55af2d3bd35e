// The numbers that tell the cases of a model's pipelines apart.

#ifndef PASSES_CUT_CASENUMBERS_H_
#define PASSES_CUT_CASENUMBERS_H_

#include <cstdint>

#include "passes/cut/GroupShape.h"

namespace sbp {

/// The groups and the number of micro-batches of a case.
struct CaseNumbers {
  GroupShape groups;
  int64_t microBatches = 1;

  friend bool operator==(const CaseNumbers& a, const CaseNumbers& b) {
    return a.groups == b.groups && a.microBatches == b.microBatches;
  }
  friend bool operator<(const CaseNumbers& a, const CaseNumbers& b) {
    return a.groups == b.groups ? a.microBatches < b.microBatches
                                : a.groups < b.groups;
  }
};

}  // namespace sbp

#endif  // PASSES_CUT_CASENUMBERS_H_
