#include "codegen/driver/CommandLineOptions.h"

#include <utility>

#include "llvm/Support/ErrorHandling.h"

namespace sbp {
namespace {

const char* headingOf(OptionGroup group) {
  switch (group) {
    case OptionGroup::Plan:
      return "Plan";
    case OptionGroup::Stages:
      return "Stages and micro-batches";
    case OptionGroup::Internal:
      break;
  }
  llvm_unreachable("an option of this group is not declared");
}

}  // namespace

void CommandLineOptions::declare(DeclaredOption option) {
  if (without_.count(option.name) > 0 || option.group == OptionGroup::Internal)
    return;
  std::shared_ptr<SameNamed>& options = declared_[option.name];
  if (options) return options->push_back(std::move(option));
  options = std::make_shared<SameNamed>();
  options->push_back(option);

  const std::string dashed = "--" + option.name;
  auto read = [options = options](const std::string& value) {
    for (const DeclaredOption& each : *options)
      if (std::string fault = each.read(value); !fault.empty()) return fault;
    return std::string();
  };
  std::string text = option.text;
  if (!option.byDefault.empty()) text += " (" + option.byDefault + ")";
  CLI::Option* added = option.isFlag
                           ? app_.add_flag(dashed, std::as_const(text))
                           : app_.add_option_function<std::string>(
                                     dashed, [](const std::string&) {}, text)
                                 ->type_name(option.placeholder);
  // Reading is the check, so that a value that does not fit is an error of the
  // command line.
  added
      ->check(CLI::Validator([read](std::string& value) { return read(value); },
                             ""))
      ->group(headingOf(option.group));
}

CLI::Option* CommandLineOptions::find(const std::string& name) const {
  return without_.count(name) > 0 ? nullptr : app_.get_option("--" + name);
}

void CommandLineOptions::need(const std::string& name,
                              const std::string& other) {
  CLI::Option* option = find(name);
  if (CLI::Option* needed = find(other); option && needed)
    option->needs(needed);
}

void CommandLineOptions::exclude(const std::string& name,
                                 const std::string& other) {
  CLI::Option* option = find(name);
  if (CLI::Option* excluded = find(other); option && excluded)
    option->excludes(excluded);
}

}  // namespace sbp
