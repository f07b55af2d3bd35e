#include "passes/search/allocation/PatternOperations.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sbp::search {

PatternOperations operationsOf(const StageCosts& costs,
                               const Allocation& allocation) {
  const auto numStages = static_cast<int64_t>(allocation.size());
  PatternOperations result;
  result.numbers = {numStages};
  const OperationNumbers& numbers = result.numbers;
  result.durations.resize(numbers.count());
  std::map<int64_t, std::vector<int64_t>> stages;
  std::map<std::pair<int64_t, int64_t>, std::vector<int64_t>> links;
  for (int64_t stage = 0; stage < numStages; ++stage) {
    const auto& [begin, end, processor] = allocation[stage];
    result.durations[numbers.forward(stage)] = costs.forward(begin, end);
    result.durations[numbers.backward(stage)] = costs.backward(begin, end);
    stages[processor].push_back(stage);
    if (stage + 1 == numStages) break;
    const int64_t next = allocation[stage + 1].processor;
    const double oneWay = costs.transfer(end) / 2;
    result.durations[numbers.sendForward(stage)] = oneWay;
    result.durations[numbers.sendBackward(stage)] = oneWay;
    std::vector<int64_t>& link = links[std::minmax(processor, next)];
    link.push_back(numbers.sendForward(stage));
    link.push_back(numbers.sendBackward(stage));
  }
  for (auto& [processor, ofProcessor] : stages) {
    std::vector<int64_t>& operations = result.resources.emplace_back();
    for (int64_t stage : ofProcessor) {
      operations.push_back(numbers.forward(stage));
      operations.push_back(numbers.backward(stage));
    }
    result.processors.push_back(processor);
    result.stages.push_back(std::move(ofProcessor));
  }
  for (auto& [ends, operations] : links)
    result.resources.push_back(std::move(operations));
  for (std::vector<int64_t>& operations : result.resources)
    std::sort(operations.begin(), operations.end());
  return result;
}

double PatternOperations::busiest() const {
  double most = 0;
  for (const std::vector<int64_t>& operations : resources) {
    double busy = 0;
    for (int64_t operation : operations) busy += durations[operation];
    most = std::max(most, busy);
  }
  return most;
}

}  // namespace sbp::search
