#include "passes/search/lab/GptSearch.h"

#include <chrono>

#include "passes/search/layout/ExactSearch.h"

namespace sbp::search::lab {
namespace {

/// Layouts that may be looked at for one crossing.
constexpr int64_t kMaxLooks = 5'000'000;

class Stopwatch {
 public:
  /// Seconds since it was made, or asked last.
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
    levels.push_back(
        {search.levels[i],
         {search.alphaSeconds[i], search.betaSecondsPerByte[i]}});
  return levels;
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
  if (gpt.batch % gpt.microBatches != 0)
    return "a batch of " + std::to_string(gpt.batch) + " in " +
           std::to_string(gpt.microBatches) + " micro-batches";
  return "";
}

Json gptSearch(const GptSearch& search, std::string& error) {
  error = search.check();
  if (!error.empty()) return {};
  Stopwatch watch;
  Chain chain = chainOf(search.gpt, levelsOf(search), search.processor);
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
  Json result{{"levels", search.levels},
              {"layouts", priced.space().numLayouts()},
              {"seconds", secondsOf(answer.optimum)},
              {"lower_bound", secondsOf(answer.lowerBound)},
              {"count_bound", secondsOf(answer.countBound)},
              {"counts_too_optimistic", answer.countBound < answer.optimum},
              {"certified", answer.isCertified},
              {"rows", answer.rowsUsed},
              {"crossings", answer.crossings}};
  if (search.wantsTimes) result["search_seconds"] = seconds;
  if (std::optional<NamedPlan> plan =
          nameAxes(priced, answer.residuals, kMaxLooks))
    result["plan"] = planToJson(chain, priced.space(), *plan);
  if (search.wantsTimes) result["plan_seconds"] = watch.lap();
  return result;
}

}  // namespace sbp::search::lab
