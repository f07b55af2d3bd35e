// Names of entries and inputs with a special meaning.

#ifndef RUNTIME_MAIN_ENTRYNAMES_H_
#define RUNTIME_MAIN_ENTRYNAMES_H_

#include <string_view>

namespace sbp::program {

/// The entry that trains.
inline constexpr std::string_view kTrainEntry = "train_step";
/// The input of that entry for the learning rate.
inline constexpr std::string_view kLearningRateInput = "lr";

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_ENTRYNAMES_H_
