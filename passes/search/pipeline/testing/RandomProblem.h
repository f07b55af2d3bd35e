// Random small problems, which can be solved by enumeration.

#ifndef PASSES_SEARCH_PIPELINE_TESTING_RANDOMPROBLEM_H_
#define PASSES_SEARCH_PIPELINE_TESTING_RANDOMPROBLEM_H_

#include <random>
#include <string>
#include <vector>

#include "passes/search/pipeline/JointProblem.h"

namespace sbp::search {

/// The size of random problems.
struct RandomSize {
  int64_t mostUnits = 6, mostKinds = 6, mostOptions = 2, mostLayouts = 2;
  int64_t mostCases = 4;
  std::vector<int64_t> workers = {1, 2, 4}, chunks = {1};
  std::vector<int64_t> microBatches = {1, 2, 4, 8};
  std::vector<std::string> families = {"1f1b"};
};

/// Returns a problem whose options trade time for memory. The memory is such
/// that some plans fit in most problems.
JointProblem randomProblem(const RandomSize& size, std::mt19937& random);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_TESTING_RANDOMPROBLEM_H_
