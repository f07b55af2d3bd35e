#include "tools/lab/ReadCfn.h"

#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "runtime/json/Cursor.h"
#include "runtime/status/Status.h"

namespace sbp::search::lab {
namespace {

/// Reads costs. A cost that is not below `ceiling` becomes infinite: forbidden.
std::vector<Cost> readCosts(const json::Cursor& costs, Cost ceiling) {
  return costs.list([&](const json::Cursor& cost) {
    const Cost value = cost.number();
    if (value < 0) cost.fail("a cost is not negative");
    return value < ceiling ? value : kInfiniteCost;
  });
}

/// Reads a ceiling: 0.003 from the string "<0.003".
Cost readCeiling(const json::Cursor& mustBe) {
  const std::string text = mustBe.string();
  char* end = nullptr;
  const Cost ceiling = text.empty() ? 0 : std::strtod(text.c_str() + 1, &end);
  if (text.empty() || text[0] != '<' || *end != '\0' || !(ceiling > 0))
    mustBe.fail("expected a ceiling of costs, such as \"<0.003\"");
  return ceiling;
}

}  // namespace

absl::StatusOr<Problem> readCfn(std::string_view text) {
  SBP_ASSIGN_OR_RETURN(const json::Value value, json::parse(text));
  absl::Status status;
  const json::Cursor root(value, status);
  const Cost ceiling = readCeiling(root["problem"]["mustbe"]);
  Problem problem;
  std::map<std::string, int64_t> numbers;
  const json::Cursor variables = root["variables"];
  for (const std::string& name : variables.keys()) {
    const json::Cursor numStates = variables[name];
    const int64_t number = numStates.integer();
    if (number < 1) numStates.fail("a variable has at least one state");
    if (!status.ok()) return status;
    numbers[name] = problem.addVariable(name, number);
  }
  const json::Cursor functions = root["functions"];
  for (const std::string& name : functions.keys()) {
    const json::Cursor function = functions[name];
    double numCosts = 1;
    const std::vector<int64_t> scope =
        function["scope"].list([&](const json::Cursor& variable) -> int64_t {
          const auto found = numbers.find(variable.string());
          if (found == numbers.end()) {
            variable.fail("there is no variable of this name");
            return 0;
          }
          numCosts *= static_cast<double>(problem.numStates(found->second));
          return found->second;
        });
    std::vector<Cost> costs = readCosts(function["costs"], ceiling);
    if (static_cast<double>(costs.size()) != numCosts)
      function["costs"].fail(fmt::format(
          "{} costs for {} combinations of states", costs.size(), numCosts));
    if (!status.ok()) return status;
    problem.addCosts(scope, std::move(costs));
  }
  if (!status.ok()) return status;
  if (absl::Status sound = problem.check(); !sound.ok()) return sound;
  return problem;
}

}  // namespace sbp::search::lab
