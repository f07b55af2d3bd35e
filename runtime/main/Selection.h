// The selection of a run's entry and action.

#ifndef RUNTIME_MAIN_SELECTION_H_
#define RUNTIME_MAIN_SELECTION_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "runtime/main/Options.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// The action of a run.
enum class Action {
  kTrain,     // shuffled batches, with a learning rate
  kEvaluate,  // batches in the order of the data
  kSample,    // a text, byte by byte
};

/// The entry that a run runs, and what the run does with it.
struct Selection {
  size_t entry = 0;  // index into Plan::entries
  Action action = Action::kTrain;
};

/// Selects the entry and action that `options` ask for. With --sample the
/// action is to sample, with the entry that --entry names, or else the first
/// entry that can sample. Otherwise the entry is the one that --entry names, or
/// else the one called train_step, or else the only one. The action is to train
/// if the entry has an input for the learning rate, and to evaluate if not.
///
/// Fails if the plan has no entry of the given name, or if no entry can be
/// selected; the error lists the entries. Also fails if the given entry cannot
/// sample.
absl::StatusOr<Selection> select(const Options& options,
                                 const plan::Plan& plan);

/// Returns the index of the learning rate among the inputs of `entry`: the f32
/// scalar called kLearningRateInput; nullopt if there is none.
std::optional<size_t> learningRateInput(const plan::Entry& entry);

/// Returns the index of the loss among the outputs of `entry`: the first scalar
/// of a floating-point type; nullopt if there is none.
std::optional<size_t> lossOutput(const plan::Entry& entry);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_SELECTION_H_
