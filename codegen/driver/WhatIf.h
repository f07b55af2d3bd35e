// Answers to "what if" beside a pipeline that is chosen: the best one with each
// number of groups, each number of micro-batches and so on, and within less
// memory.

#ifndef CODEGEN_DRIVER_WHATIF_H_
#define CODEGEN_DRIVER_WHATIF_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "passes/cut/PipelineWhatIf.h"

namespace sbp {

struct PipelineChoices;

/// The best pipeline with one property.
struct WhatIfAlternative {
  std::string property;  // key in JSON: "groups"
  std::string value;     // "4"
  size_t best = 0;       // index in PipelineChoices::pipelines
  /// A bound of the estimates of all pipelines with the property; nullopt if
  /// none is known.
  std::optional<double> bound;
};

/// All answers.
struct WhatIf {
  std::vector<WhatIfAlternative> alternatives;  // by property
  std::vector<PipelineWithin> front;            // from much memory to little
};

/// Returns the answers about `choices`. The best pipeline is the fastest one by
/// the time of its whole program or, if it was not timed, by its estimate.
/// Pipelines that were found not to fit are left out.
WhatIf whatIfOf(const PipelineChoices& choices);

/// Returns tables of the answers.
std::string textOf(const WhatIf& whatIf, const PipelineChoices& choices);

/// Returns the answers as an object, in seconds and bytes.
nlohmann::ordered_json jsonOf(const WhatIf& whatIf,
                              const PipelineChoices& choices);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_WHATIF_H_
