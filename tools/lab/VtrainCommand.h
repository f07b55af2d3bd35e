// `sbp-lab vtrain`: its options on the command line, and its answer.

#ifndef TOOLS_LAB_VTRAINCOMMAND_H_
#define TOOLS_LAB_VTRAINCOMMAND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"

namespace sbp::vtrain {

/// The values of the options.
struct VtrainOptions {
  std::string runsPath;
  std::string fitPath;  // runs to fit to; empty: folds of `runsPath`
  /// Each is GPUS=FILE.
  std::vector<std::string> allReduces;
  int64_t folds = 5;
};

/// Adds the subcommand to `app` and returns it. When `app` parses a command
/// line, the values are stored in `options`, which must live until then.
CLI::App& addVtrainCommand(CLI::App& app, VtrainOptions& options);

/// Reads the files, fits the model, and returns what it says. Fails if a file
/// is missing or wrong.
absl::StatusOr<nlohmann::ordered_json> validate(const VtrainOptions& options);

}  // namespace sbp::vtrain

#endif  // TOOLS_LAB_VTRAINCOMMAND_H_
