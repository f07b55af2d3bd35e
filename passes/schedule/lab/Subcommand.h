// `sbp-lab schedule`: its options on the command line.

#ifndef PASSES_SCHEDULE_LAB_SUBCOMMAND_H_
#define PASSES_SCHEDULE_LAB_SUBCOMMAND_H_

#include "CLI/CLI.hpp"
#include "passes/schedule/lab/Report.h"

namespace sbp::schedule::lab {

/// The values of the options.
struct Options {
  Request request;
  bool wantsCsv = false;
};

/// Adds the subcommand to `app` and returns it. Its help text lists the
/// families. When `app` parses a command line, the values are stored in
/// `options`, which must live until then.
CLI::App& addSubcommand(CLI::App& app, Options& options);

}  // namespace sbp::schedule::lab

#endif  // PASSES_SCHEDULE_LAB_SUBCOMMAND_H_
