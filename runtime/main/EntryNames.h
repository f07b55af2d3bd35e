// Names of an entry and an input that a compiled program treats specially.

#ifndef RUNTIME_MAIN_ENTRYNAMES_H_
#define RUNTIME_MAIN_ENTRYNAMES_H_

#include <string_view>

namespace sbp::program {

/// Name of the training step that the compiler makes. If a program has this
/// entry, a run uses it unless the command line says otherwise.
inline constexpr std::string_view kTrainEntry = "train_step";
/// Name of the input for the learning rate. An entry with this input trains
/// (Selection.h).
inline constexpr std::string_view kLearningRateInput = "lr";

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_ENTRYNAMES_H_
