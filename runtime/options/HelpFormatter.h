// The layout of --help, which is the same for all tools:
//
//   Usage: sbprun [OPTIONS] PROGRAM [ARGS...]
//
//   Options:
//     -n,--ranks N REQUIRED       Number of ranks on this host
//     --grace SECONDS             Seconds that the other ranks have to end
//                                 after one has failed (5)
//
// The default of an option stands in parentheses after the description. If an
// option needs or excludes other options, these stand after the default.

#ifndef RUNTIME_OPTIONS_HELPFORMATTER_H_
#define RUNTIME_OPTIONS_HELPFORMATTER_H_

#include <string>
#include <utility>

#include "CLI/CLI.hpp"

namespace sbp::options {

/// The formatter of a tool's help. CLI11 calls its functions.
class HelpFormatter : public CLI::Formatter {
 public:
  /// Creates the formatter of a tool whose usage line shows `operands` after
  /// the options. Operands are words that CLI11 does not know, such as the
  /// command that the tool runs.
  explicit HelpFormatter(std::string operands = "")
      : operands_(std::move(operands)) {}

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;

 private:
  std::string operands_;
};

}  // namespace sbp::options

#endif  // RUNTIME_OPTIONS_HELPFORMATTER_H_
