// Adds the options of passes to a command line, for example --search-seconds.

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
  /// Makes a receiver that adds each declared option to `app`, except options
  /// named in `without`. `app` must outlive this object.
  CommandLineOptions(CLI::App& app, std::set<std::string> without)
      : app_(app), without_(std::move(without)) {}

  void declare(DeclaredOption option) override;
  void need(const std::string& name, const std::string& other) override;
  void exclude(const std::string& name, const std::string& other) override;

 private:
  using SameNamed = std::vector<DeclaredOption>;

  /// Returns the option of the command line with this name, or null if the
  /// command does not have it.
  CLI::Option* find(const std::string& name) const;

  CLI::App& app_;
  std::set<std::string> without_;
  /// The declared options, by name. Options of one name are a single option on
  /// the command line. Its callback shares the list of them, and gives the
  /// value to each.
  std::map<std::string, std::shared_ptr<SameNamed>> declared_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_COMMANDLINEOPTIONS_H_
