#include "passes/search/problem/Cfn.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/json/Cursor.h"
#include "runtime/status/Status.h"

namespace sbp::search {
namespace {

/// Unit in which a solver counts costs: a power of ten.
class Unit {
 public:
  /// Chooses the smallest unit in which the largest sum of costs of `problem`
  /// fits into 50 bits.
  explicit Unit(const Problem& problem) {
    Cost largestSum = 0;
    for (const Table& table : problem.tables()) {
      Cost largest = 0;
      for (Cost cost : table.costs)
        if (std::isfinite(cost)) largest = std::max(largest, cost);
      largestSum += largest;
    }
    if (largestSum > 0)
      digits_ = std::clamp(
          static_cast<int>(std::floor(std::log10(0x1p50 / largestSum))), 0, 30);
    // The ceiling is above all sums, also above sums of rounded costs.
    ceiling_ = largestSum + static_cast<Cost>(problem.tables().size() + 1) /
                                std::pow(10.0, digits_);
  }

  std::string ceiling() const { return text(ceiling_); }

  std::string text(Cost cost) const {
    return fmt::format("{:.{}f}", std::min(cost, ceiling_), digits_);
  }

 private:
  int digits_ = 0;  // Number of decimals.
  Cost ceiling_ = 0;
};

std::string asJson(std::string_view text) {
  return json::Value(std::string(text)).dump();
}

/// Returns a name for `variable` of letters, digits and underscores. The name
/// begins with the index, because variables of a problem may have equal names.
std::string nameOf(const Problem& problem, int64_t variable) {
  std::string name =
      fmt::format("v{}_{}", variable, problem.variables()[variable].name);
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

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

std::string cfnOf(const Problem& problem, std::string_view name) {
  const Unit unit(problem);
  std::string text = fmt::format(
      "{{\n\"problem\": {{\"name\": {}, \"mustbe\": \"<{}\"}},\n"
      "\"variables\": {{",
      asJson(name), unit.ceiling());
  for (int64_t variable = 0; variable < problem.numVariables(); ++variable)
    text += fmt::format("{}\n  \"{}\": {}", variable == 0 ? "" : ",",
                        nameOf(problem, variable), problem.numStates(variable));
  text += "\n},\n\"functions\": {";
  for (size_t i = 0; i < problem.tables().size(); ++i) {
    const Table& table = problem.tables()[i];
    std::vector<std::string> scope, costs;
    for (int64_t variable : table.variables)
      scope.push_back(asJson(nameOf(problem, variable)));
    for (Cost cost : table.costs) costs.push_back(unit.text(cost));
    text += fmt::format("{}\n  \"f{}\": {{\"scope\": [{}], \"costs\": [{}]}}",
                        i == 0 ? "" : ",", i, fmt::join(scope, ", "),
                        fmt::join(costs, ", "));
  }
  return text + "\n}\n}\n";
}

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

}  // namespace sbp::search
