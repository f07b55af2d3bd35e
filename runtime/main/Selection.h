// Which entry a run is about, and what it does with it.

#ifndef RUNTIME_MAIN_SELECTION_H_
#define RUNTIME_MAIN_SELECTION_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "runtime/main/Options.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

enum class Action {
  kTrain,     // batches in an order of the seed, a learning rate, a loss
  kEvaluate,  // batches in the order of the data, outputs
  kSample,    // text
};

struct Selection {
  size_t entry = 0;  // index into Plan::entries
  Action action = Action::kTrain;
};

/// What `options` ask of `plan`. Fails, listing what there is, if they name no
/// entry that the plan has, or none can be meant.
absl::StatusOr<Selection> select(const Options& options,
                                 const plan::Plan& plan);

/// The index of the learning rate among the inputs of `entry`, if it has one.
std::optional<size_t> learningRateInput(const plan::Entry& entry);

/// The index of the loss among the outputs of `entry`: the first that is a
/// scalar of f32, if there is one.
std::optional<size_t> lossOutput(const plan::Entry& entry);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_SELECTION_H_
