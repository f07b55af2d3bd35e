#include "passes/search/problem/Cfn.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"

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
  return nlohmann::json(std::string(text)).dump();
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

}  // namespace sbp::search
