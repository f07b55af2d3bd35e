#include "runtime/main/NamedPaths.h"

#include <set>

#include "CLI/CLI.hpp"

namespace sbp::program {
namespace {

/// Returns all names that --data and --dump accept, of any entry.
std::set<std::string> namesOf(const plan::Plan& plan) {
  std::set<std::string> names;
  for (const plan::Entry& entry : plan.entries)
    for (const auto* tensors : {&entry.inputs, &entry.outputs})
      for (const plan::Tensor& tensor : *tensors) names.insert(tensor.name);
  for (const plan::Parameter& parameter : plan.parameters)
    names.insert(parameter.tensor.name);
  return names;
}

/// Returns where the name ends in name=path. A name may contain "=": the
/// longest known name counts, else the text up to the first "=".
size_t endOfName(const std::string& text, const std::set<std::string>& names) {
  for (size_t end = text.rfind('='); end != text.npos && end > 0;
       end = text.rfind('=', end - 1))
    if (names.count(text.substr(0, end)) > 0) return end;
  return text.find('=');
}

}  // namespace

std::vector<data::NamedPath> namedPaths(const std::string& option,
                                        const std::vector<std::string>& texts,
                                        const plan::Plan& plan) {
  const std::set<std::string> names = namesOf(plan);
  std::vector<data::NamedPath> result;
  for (const std::string& text : texts) {
    const size_t equals = endOfName(text, names);
    if (equals == text.npos || equals == 0 || equals + 1 == text.size())
      throw CLI::ValidationError(option, "expected name=file, got " + text);
    result.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return result;
}

}  // namespace sbp::program
