#include "passes/search/allocation/ChainProblem.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "passes/search/allocation/PatternOperations.h"
#include "passes/search/allocation/StageCosts.h"
#include "runtime/status/Status.h"

namespace sbp::search {
namespace {

/// Part of a period within which two moments count as one. Larger than
/// kRounding, since starts are sums of many durations.
constexpr double kSameMoment = 1e-7;

/// Returns the number of periods that have begun `time` after a start.
double periodsBegun(double time, double period) {
  return std::floor(time / period + kSameMoment);
}

std::string nameOf(const OperationNumbers& numbers, int64_t operation) {
  for (int64_t stage = 0; stage < numbers.numStages; ++stage) {
    if (operation == numbers.forward(stage))
      return fmt::format("the forward of stage {}", stage);
    if (operation == numbers.backward(stage))
      return fmt::format("the backward of stage {}", stage);
    if (stage + 1 < numbers.numStages &&
        operation == numbers.sendForward(stage))
      return fmt::format("the activation sent by stage {}", stage);
    if (stage + 1 < numbers.numStages &&
        operation == numbers.sendBackward(stage))
      return fmt::format("the gradient sent to stage {}", stage);
  }
  return "?";
}

absl::Status checkAllocation(const ChainProblem& problem,
                             const Allocation& allocation) {
  int64_t next = 0, before = -1;
  for (const auto& [begin, end, processor] : allocation) {
    if (begin != next || end <= begin)
      return error("a stage has layers {} to {}, where layer {} comes next",
                   begin, end - 1, next);
    if (processor < 0 || processor >= problem.processors)
      return error("layers {} to {} are on processor {} of {}", begin, end - 1,
                   processor, problem.processors);
    if (processor == before)
      return error("layers before and after the cut at {} are on processor {}",
                   begin, processor);
    before = processor;
    next = end;
  }
  if (next != problem.chain.numLayers())
    return error("the stages end at layer {} of {}", next,
                 problem.chain.numLayers());
  return absl::OkStatus();
}

absl::Status checkOrder(const PatternOperations& operations,
                        const Pattern& pattern) {
  const double slack = kSameMoment * pattern.period;
  for (size_t i = 0; i + 1 < pattern.starts.size(); ++i) {
    const double end = pattern.starts[i] + operations.durations[i];
    if (pattern.starts[i + 1] < end - slack)
      return error("{} starts at {} ms, before {} ends at {} ms",
                   nameOf(operations.numbers, i + 1), pattern.starts[i + 1],
                   nameOf(operations.numbers, i), end);
  }
  return absl::OkStatus();
}

absl::Status checkResources(const PatternOperations& operations,
                            const Pattern& pattern) {
  const double period = pattern.period, slack = kSameMoment * period;
  for (const std::vector<int64_t>& resource : operations.resources)
    for (int64_t first : resource) {
      if (operations.durations[first] > period + slack)
        return error("{} takes {} ms, and the period is {} ms",
                     nameOf(operations.numbers, first),
                     operations.durations[first], period);
      for (int64_t second : resource) {
        if (first >= second) continue;
        // The first start of `second` after a start of `first`.
        double later = pattern.starts[second] - pattern.starts[first];
        later -= period * periodsBegun(later, period);
        // What takes no time may be at the moment at which the first starts.
        if (later <= slack && operations.durations[second] <= slack) continue;
        if (later < operations.durations[first] - slack ||
            later + operations.durations[second] > period + slack)
          return error(
              "{} and {} overlap on a resource: the second starts {} ms after "
              "the first, which takes {} ms, and the period is {} ms",
              nameOf(operations.numbers, first),
              nameOf(operations.numbers, second), later,
              operations.durations[first], period);
      }
    }
  return absl::OkStatus();
}

}  // namespace

absl::Status ChainProblem::check() const {
  SBP_RETURN_IF_ERROR(chain.check());
  if (processors < 1 || processors > kMaxProcessors)
    return error("there are {} processors; 1 to {} are accepted", processors,
                 kMaxProcessors);
  if (!(memory > 0) || !std::isfinite(memory))
    return error("a processor has {} bytes; more than 0 are needed", memory);
  if (!(bandwidth > 0) || !std::isfinite(bandwidth))
    return error("a link carries {} bytes per ms; more than 0 are needed",
                 bandwidth);
  return absl::OkStatus();
}

absl::StatusOr<PatternCost> ChainProblem::verify(const Pattern& pattern) const {
  const Allocation& allocation = pattern.allocation;
  SBP_RETURN_IF_ERROR(checkAllocation(*this, allocation));
  const StageCosts costs(*this);
  const PatternOperations operations = operationsOf(costs, allocation);
  if (pattern.starts.size() != operations.durations.size())
    return error("{} stages have {} operations, and {} starts are given",
                 allocation.size(), operations.durations.size(),
                 pattern.starts.size());
  if (!(pattern.period > 0) || !std::isfinite(pattern.period))
    return error("the period is {} ms", pattern.period);
  SBP_RETURN_IF_ERROR(checkOrder(operations, pattern));
  SBP_RETURN_IF_ERROR(checkResources(operations, pattern));

  PatternCost cost = {pattern.period, std::vector<double>(processors, 0)};
  for (size_t i = 0; i < operations.stages.size(); ++i) {
    double& most = cost.bytes[operations.processors[i]];
    // The use of memory grows only at starts of forwards.
    for (int64_t moment : operations.stages[i]) {
      const double time = pattern.starts[operations.numbers.forward(moment)];
      double bytes = 0;
      for (int64_t stage : operations.stages[i]) {
        const auto& [begin, end, processor] = allocation[stage];
        const int64_t backward = operations.numbers.backward(stage);
        const double ended =
            pattern.starts[backward] + operations.durations[backward];
        double inFlight =
            periodsBegun(
                time - pattern.starts[operations.numbers.forward(stage)],
                pattern.period) -
            periodsBegun(time - ended, pattern.period);
        // A stage without time holds its input for a moment.
        if (stage == moment) inFlight = std::max(1.0, inFlight);
        bytes +=
            costs.fixedBytes(begin, end) + inFlight * costs.stash(begin, end);
      }
      most = std::max(most, bytes);
    }
    if (most > room())
      return error("processor {} needs {} bytes of its {}",
                   operations.processors[i], most, memory);
  }
  return cost;
}

}  // namespace sbp::search
