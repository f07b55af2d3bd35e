// `sbp-lab chain`: plans a chain of layers with measured costs.

#ifndef TOOLS_LAB_CHAINCOMMAND_H_
#define TOOLS_LAB_CHAINCOMMAND_H_

#include <cstdint>
#include <optional>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"

namespace sbp::search::lab {

/// The options of the user.
struct ChainRequest {
  std::string path;                 // file with the chain
  std::optional<int64_t> instance;  // in a file with several chains
  // By default, those of the file if it has any; the bandwidth is otherwise
  // kUsualBandwidth.
  std::optional<int64_t> processors;
  std::optional<double> memoryBytes, bytesPerSecond;
  double seconds = 60;
  std::string tablePath;  // file to which the best pattern is written, if given
  bool wantsLinks = false;
  std::optional<int64_t> microBatches;  // of a table with a flush
};

inline constexpr double kUsualBandwidth = 12e9;  // bytes per second

/// Adds the subcommand to `app` and returns it. When `app` parses a command
/// line, the values are stored in `request`, which must live until then.
CLI::App& addChainCommand(CLI::App& app, ChainRequest& request);

/// Reads and plans the chain, writes the table if one is wanted, and returns
/// the report, as text or as JSON. Fails if the file or an option is wrong, or
/// if no allocation was found. SIGINT ends the search early.
absl::StatusOr<std::string> chainReport(const ChainRequest& request,
                                        bool isJson);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_CHAINCOMMAND_H_
