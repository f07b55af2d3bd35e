// The layout of --help, which is the same for all tools:
//
//   Usage: sbprun [OPTIONS] PROGRAM [ARGS...]
//
//   Options:
//     -n,--ranks N REQUIRED       Number of ranks on this host
//     --grace SECONDS             Seconds that the other ranks have to end
//                                 after one has failed (5)
//
// A default stands in parentheses after the description, and options that an
// option needs or excludes after the default.

#ifndef RUNTIME_OPTIONS_HELPFORMATTER_H_
#define RUNTIME_OPTIONS_HELPFORMATTER_H_

#include <string>
#include <utility>

#include "CLI/CLI.hpp"

namespace sbp::options {

class HelpFormatter : public CLI::Formatter {
 public:
  /// `operands` are shown after the options in the usage line. They are the
  /// words that CLI11 does not know of, such as the command that a tool runs.
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
