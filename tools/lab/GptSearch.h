// The search of layouts for a GPT on a machine of many devices: the cheapest
// layouts of every layer with a proof, and the costs of alternatives.

#ifndef TOOLS_LAB_GPTSEARCH_H_
#define TOOLS_LAB_GPTSEARCH_H_

#include <string>
#include <vector>

#include "passes/search/lifting/LiftedPlan.h"
#include "tools/lab/Experiments.h"
#include "tools/lab/Gpt.h"

namespace sbp::search::lab {

/// Settings of a search.
struct GptSearch {
  std::vector<int64_t> levels = {64, 8};
  std::vector<double> alphaSeconds = {1e-5, 3e-6};
  std::vector<double> betaSecondsPerByte = {4e-11, 3.3e-12};
  Processor processor = {400e12, 3e12};
  Gpt gpt;
  /// Memory limit, bytes per device; 0 for no limit.
  double memoryBytes = 0;
  bool wantsPareto = false;
  bool wantsComparison = false;
  /// Number of random starts of the coordinate descent. It is run for
  /// comparison with the result.
  int64_t descents = 20;
  /// Whether the result has the times of the search. Without them, two runs
  /// give the same bytes.
  bool wantsTimes = false;

  /// Returns what is wrong with the settings; empty if nothing is.
  std::string check() const;
};

/// Returns the result as JSON. If there is none, sets `error` to one line.
Json gptSearch(const GptSearch& search, std::string& error);

/// Returns the layers of a plan, with the axes of every op. Equal consecutive
/// layers are one entry.
Json planToJson(const Chain& chain, const LayoutSpace& space,
                const LiftedPlan& plan);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_GPTSEARCH_H_
