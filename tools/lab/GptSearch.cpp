#include "tools/lab/GptSearch.h"

#include <chrono>
#include <optional>

#include "passes/search/budget/MemoryLimit.h"
#include "passes/search/chain/Units.h"
#include "passes/search/refinement/ExactSearch.h"
#include "tools/lab/Strategies.h"
#include "tools/lab/TiedDescent.h"

namespace sbp::search::lab {
namespace {

/// Most layouts that are examined to lift one transition.
constexpr int64_t kMaxLooks = 300'000;

constexpr int64_t kFrontPlans = 12;

class Stopwatch {
 public:
  /// Returns the seconds since the last call, or since construction.
  double lap() {
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double> elapsed = now - begin_;
    begin_ = now;
    return elapsed.count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ =
      std::chrono::steady_clock::now();
};

std::vector<Level> levelsOf(const GptSearch& search) {
  std::vector<Level> levels;
  for (size_t i = 0; i < search.levels.size(); ++i)
    levels.push_back({search.levels[i],
                      {search.alphaSeconds[i], search.betaSecondsPerByte[i]}});
  return levels;
}

Json secondsOrNull(const Chain& chain, Ticks ticks) {
  return ticks == kNever ? Json() : Json(secondsOf(chain, ticks));
}

Json frontToJson(const Chain& chain, MemoryLimit& memory) {
  Json front = Json::array();
  for (const HullPlan& plan : memory.front(kFrontPlans))
    front.push_back(
        {{"seconds", secondsOf(chain, plan.cost.ticks)},
         {"bytes", plan.cost.bytes},
         {"seconds_per_byte", secondsOf(chain, plan.ticksPerByte)}});
  return front;
}

/// Returns the fastest plan within the limit. Sets `error` to the number of
/// missing bytes if there is none.
Json limitedToJson(const GptSearch& search, const PricedChain& priced,
                   MemoryLimit& memory, std::string& error) {
  const Chain& chain = priced.chain();
  LimitedAnswer answer = memory.solve(search.memoryBytes);
  if (answer.fewestBytes > search.memoryBytes) {
    error = "plans need at least " +
            std::to_string(static_cast<int64_t>(answer.fewestBytes)) +
            " bytes on a device, " +
            std::to_string(
                static_cast<int64_t>(answer.fewestBytes - search.memoryBytes)) +
            " more than the limit";
    return {};
  }
  if (answer.cost.ticks == kNever)
    return {{"limit_bytes", search.memoryBytes},
            {"seconds", Json()},
            {"lower_bound", secondsOf(chain, answer.lowerBound)},
            {"fewest_bytes", answer.fewestBytes}};
  return {{"limit_bytes", search.memoryBytes},
          {"seconds", secondsOf(chain, answer.cost.ticks)},
          {"bytes", answer.cost.bytes},
          {"lower_bound", secondsOf(chain, answer.lowerBound)},
          {"gap", (answer.cost.ticks - answer.lowerBound) / answer.lowerBound},
          {"fewest_bytes", answer.fewestBytes},
          {"searches", answer.searches},
          {"label_searches", answer.labelSearches},
          {"plan", planToJson(chain, priced.space(),
                              liftToAxes(priced, *answer.plan))}};
}

}  // namespace

std::string GptSearch::check() const {
  auto differs = [&](const char* name, size_t number) {
    return std::to_string(number) + " values of " + name + " for " +
           std::to_string(levels.size()) + " levels";
  };
  if (alphaSeconds.size() != levels.size())
    return differs("alpha", alphaSeconds.size());
  if (betaSecondsPerByte.size() != levels.size())
    return differs("beta", betaSecondsPerByte.size());
  if (gpt.hidden % gpt.heads != 0)
    return "a hidden size of " + std::to_string(gpt.hidden) + " in " +
           std::to_string(gpt.heads) + " heads";
  if (gpt.batch % gpt.microBatches != 0)
    return "a batch of " + std::to_string(gpt.batch) + " in " +
           std::to_string(gpt.microBatches) + " micro-batches";
  return "";
}

Json gptSearch(const GptSearch& search, std::string& error) {
  error = search.check();
  if (!error.empty()) return {};
  Stopwatch watch;
  const Chain chain =
      inFittingUnit(chainOf(search.gpt, levelsOf(search), search.processor));
  error = chain.check();
  if (!error.empty()) return {};
  PricedChain priced(chain, Memory::Ignored);
  ExactSearch exact(priced);
  ExactAnswer answer = exact.solve();
  double seconds = watch.lap();
  if (answer.optimum == kNever) {
    error = "no op can run on so many devices: splits exceed extents";
    return {};
  }
  Json result{
      {"levels", search.levels},
      {"layouts", priced.space().numLayouts()},
      {"seconds", secondsOf(chain, answer.optimum)},
      {"lower_bound", secondsOf(chain, answer.lowerBound)},
      {"count_bound", secondsOf(chain, answer.countBound)},
      {"counts_too_optimistic", answer.countBound < answer.optimum},
      {"certified", answer.isCertified && answer.lowerBound == answer.optimum},
      {"rows", answer.rowsUsed},
      {"crossings", answer.transitions}};
  if (search.wantsTimes) result["search_seconds"] = seconds;
  if (std::optional<LiftedPlan> plan =
          liftToAxes(priced, answer.residuals, kMaxLooks)) {
    result["plan"] = planToJson(chain, priced.space(), *plan);
    // The plan on single axes costs more if it is not certified.
    result["plan_cost_seconds"] = secondsOf(chain, plan->cost.ticks);
    result["gap"] = (plan->cost.ticks - answer.lowerBound) / answer.lowerBound;
  }
  if (search.wantsTimes) result["plan_seconds"] = watch.lap();
  if (search.memoryBytes > 0 || search.wantsPareto) {
    watch.lap();
    PricedChain counted(chain, Memory::Counted);
    MemoryLimit memory(counted, {});
    if (search.memoryBytes > 0) {
      result["within_memory"] = limitedToJson(search, counted, memory, error);
      if (!error.empty()) return {};
    }
    if (search.wantsTimes) result["memory_seconds"] = watch.lap();
    if (search.wantsPareto) result["front"] = frontToJson(chain, memory);
    if (search.wantsTimes) result["front_seconds"] = watch.lap();
  }
  if (search.wantsComparison) {
    for (const StrategyCost& strategy : priceStrategies(chain))
      result["strategies"].push_back(
          {{"name", strategy.name},
           {"seconds", secondsOrNull(chain, strategy.cost)},
           {"tensor_axes", strategy.tensorAxes}});
    watch.lap();
    Ticks found = descendTied(priced, search.descents, /*seed=*/1);
    result["coordinate_descent"] = {{"descents", search.descents},
                                    {"seconds", secondsOrNull(chain, found)}};
    if (search.wantsTimes)
      result["coordinate_descent"]["search_seconds"] = watch.lap();
  }
  return result;
}

}  // namespace sbp::search::lab
