// Adds the options of passes to a command line: --search-seconds 5.

#ifndef CODEGEN_DRIVER_COMMANDLINEOPTIONS_H_
#define CODEGEN_DRIVER_COMMANDLINEOPTIONS_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "passes/options/OptionDeclarer.h"

namespace sbp {

/// Declares the options of passes to CLI11's parser.
class CommandLineOptions : public OptionDeclarer {
 public:
  /// Adds each declared option to `app`, except options named in `without`.
  CommandLineOptions(CLI::App& app, std::set<std::string> without)
      : app_(app), without_(std::move(without)) {}

  void declare(DeclaredOption option) override;

 private:
  using SameNamed = std::vector<DeclaredOption>;

  CLI::App& app_;
  std::set<std::string> without_;
  /// Options by name. `app_` shares each list, and gives the value of the
  /// command line to all options in it.
  std::map<std::string, std::shared_ptr<SameNamed>> declared_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_COMMANDLINEOPTIONS_H_
