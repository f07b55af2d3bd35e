#include "test/properties/RandomGroups.h"

#include "fmt/format.h"

namespace sbp::properties {
namespace {

/// Returns random sizes of axes whose product is `ranks`.
std::vector<int64_t> factored(int64_t ranks, Choices& choices) {
  std::vector<int64_t> sizes;
  for (int64_t divisor = 2; ranks > 1; ++divisor)
    while (ranks % divisor == 0) {
      if (!sizes.empty() && choices.chance(40))
        sizes.back() *= divisor;
      else
        sizes.push_back(divisor);
      ranks /= divisor;
    }
  if (sizes.empty()) sizes.push_back(1);
  return sizes;
}

}  // namespace

std::string machineOf(int64_t numRanks) {
  return fmt::format(
      "sbp.machine @machine [#sbp.level<\"rank\" x {}, alpha = 1.0e-6, beta = "
      "1.0e-9>]\n",
      numRanks);
}

std::string machineOf(int64_t numHosts, int64_t ranksPerHost) {
  return fmt::format(
      "sbp.machine @machine [#sbp.level<\"host\" x {}, alpha = 1.0e-5, beta = "
      "1.0e-8>, #sbp.level<\"rank\" x {}, alpha = 1.0e-6, beta = 1.0e-9>]\n",
      numHosts, ranksPerHost);
}

std::string groupOf(const std::string& name, const std::vector<int64_t>& ranks,
                    Choices& choices) {
  std::vector<std::string> axes;
  for (int64_t size : factored(static_cast<int64_t>(ranks.size()), choices))
    axes.push_back(
        fmt::format("#sbp.axis<\"a{}\" x {} in \"rank\">", axes.size(), size));
  return fmt::format("sbp.mesh {} of @machine ranks [{}] [{}]\n", name,
                     fmt::join(ranks, ", "), fmt::join(axes, ", "));
}

std::string stagesOn(const std::vector<std::string>& groups) {
  return fmt::format("sbp.stages [{}]\n", fmt::join(groups, ", "));
}

}  // namespace sbp::properties
