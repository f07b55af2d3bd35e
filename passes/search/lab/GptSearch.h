// A GPT on a machine of many devices: the cheapest layouts of every layer, with
// a proof, and what else would cost.

#ifndef PASSES_SEARCH_LAB_GPTSEARCH_H_
#define PASSES_SEARCH_LAB_GPTSEARCH_H_

#include <string>
#include <vector>

#include "passes/search/lab/Experiments.h"
#include "passes/search/layout/Gpt.h"
#include "passes/search/layout/NamedPlan.h"

namespace sbp::search::lab {

struct GptSearch {
  std::vector<int64_t> levels = {64, 8};
  std::vector<double> alphaSeconds = {1e-5, 3e-6};
  std::vector<double> betaSecondsPerByte = {4e-11, 3.3e-12};
  Processor processor = {400e12, 3e12};
  Gpt gpt;
  /// Bytes per device; none is no limit.
  double memoryBytes = 0;
  bool wantsPareto = false;
  bool wantsComparison = false;
  /// From how many starts the comparison with coordinate descent begins.
  int64_t descents = 20;
  /// LAYER:OP=AXES, such as "3:up=bbbbff,sss": what if that op ran like that?
  /// Each for itself without a limit; and within one, all of them.
  std::vector<std::string> pins;
  /// Whether to say how long it took. Without, two runs answer the same bytes.
  bool wantsTimes = false;

  /// What is wrong with it, or nothing.
  std::string check() const;
};

/// The answer; `error` has one line if there is none.
Json gptSearch(const GptSearch& search, std::string& error);

/// The layers of a plan, equal neighbours together, with the axes of every op.
Json planToJson(const Chain& chain, const LayoutSpace& space,
                const NamedPlan& plan);

}  // namespace sbp::search::lab

#endif  // PASSES_SEARCH_LAB_GPTSEARCH_H_
