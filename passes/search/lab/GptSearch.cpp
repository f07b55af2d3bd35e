#include "passes/search/lab/GptSearch.h"

#include <chrono>
#include <optional>

#include "passes/search/layout/ExactSearch.h"
#include "passes/search/layout/MemoryLimit.h"
#include "passes/search/layout/PinConflict.h"
#include "passes/search/layout/Pins.h"
#include "passes/search/layout/Strategies.h"
#include "passes/search/layout/TiedDescent.h"
#include "passes/search/layout/Units.h"
#include "passes/search/layout/WhatIf.h"

namespace sbp::search::lab {
namespace {

/// Most layouts that are examined to name the axes of one crossing.
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

/// Returns the layout of the axes in `text`, one letter per axis, with commas
/// between levels; nullopt if `text` is malformed.
std::optional<Layout> layoutOf(const Chain& chain, const LayoutSpace& space,
                               const std::string& text) {
  std::vector<std::vector<int64_t>> counts;
  size_t at = 0;
  for (size_t c = 0; c < space.classes().size(); ++c) {
    const AxisClass& axes = space.classes()[c];
    bool isNextLevel = c > 0 && axes.level != space.classes()[c - 1].level;
    if (isNextLevel && (at >= text.size() || text[at++] != ','))
      return std::nullopt;
    counts.emplace_back(space.numKinds(), 0);
    for (int64_t i = 0; i < axes.number; ++i) {
      if (at >= text.size()) return std::nullopt;
      char letter = text[at++];
      Kind kind = letter == 'B'   ? space.broadcast()
                  : letter == 'P' ? space.partial()
                                  : -1;
      for (Kind dim = 0; dim < space.numDims(); ++dim)
        if (chain.dims[dim][0] == letter) kind = dim;
      if (kind < 0) return std::nullopt;
      ++counts.back()[kind];
    }
  }
  if (at != text.size()) return std::nullopt;
  return space.layoutOf(counts);
}

/// Reads a pin, LAYER:OP=AXES.
std::optional<Pin> readPin(const PricedChain& priced, const std::string& text) {
  size_t colon = text.find(':'), equals = text.find('=');
  if (colon == std::string::npos || equals == std::string::npos || colon == 0 ||
      colon > 6 || equals < colon ||
      text.find_first_not_of("0123456789") != colon)
    return std::nullopt;
  const Chain& chain = priced.chain();
  std::optional<Layout> result =
      layoutOf(chain, priced.space(), text.substr(equals + 1));
  std::string name = text.substr(colon + 1, equals - colon - 1);
  int64_t perLayer = static_cast<int64_t>(chain.body[0].blocks.size());
  int64_t first = std::stoll(text.substr(0, colon)) * perLayer;
  if (!result || first >= priced.numSteps()) return std::nullopt;
  for (int64_t block = 0; block < perLayer; ++block) {
    const std::vector<Op>& ops = chain.blocks[block].ops;
    for (size_t op = 0; op < ops.size(); ++op)
      if (ops[op].name == name)
        return Pin{first + block, static_cast<int64_t>(op), *result};
  }
  return std::nullopt;
}

Json secondsOrNull(const Chain& chain, Ticks ticks) {
  return ticks == kNever ? Json() : Json(secondsOf(chain, ticks));
}

std::vector<Pin> readPins(const GptSearch& search, const PricedChain& priced,
                          std::string& error) {
  std::vector<Pin> pins;
  for (const std::string& text : search.pins) {
    std::optional<Pin> pin = readPin(priced, text);
    if (!pin) {
      error = "pin '" + text + "' is not LAYER:OP=AXES for this machine";
      return {};
    }
    pins.push_back(*pin);
  }
  return pins;
}

/// Returns the cost of each pin.
Json pinsToJson(const GptSearch& search, const std::vector<Pin>& given,
                const PricedChain& priced, ExactSearch& exact, Ticks optimum) {
  Json pins = Json::array();
  Stopwatch watch;
  WhatIf whatIf(priced, exact);
  double prepared = watch.lap();
  for (size_t i = 0; i < given.size(); ++i) {
    const Pin& pin = given[i];
    watch.lap();
    PinAnswer answer = whatIf.ask(pin);
    double seconds = watch.lap();
    pins.push_back(
        {{"pin", search.pins[i]},
         {"seconds", secondsOrNull(priced.chain(), answer.cost)},
         {"lower_bound", secondsOrNull(priced.chain(), answer.lowerBound)},
         {"exact", answer.isExact()},
         {"more", secondsOrNull(priced.chain(), answer.cost - optimum)}});
    if (search.wantsTimes) {
      pins.back()["prepare_seconds"] = prepared;
      pins.back()["pin_seconds"] = seconds;
    }
  }
  return pins;
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

/// Returns a line that names the pins that leave no plan within the limit.
std::string messageOf(const GptSearch& search, const PinConflict& conflict) {
  std::string names;
  for (size_t i : conflict.pins)
    names += (names.empty() ? "'" : " and '") + search.pins[i] + "'";
  bool isOne = conflict.pins.size() == 1;
  std::string subject = (isOne ? "pin " : "pins ") + names;
  if (conflict.fewestBytes == kNever)
    return subject + (isOne ? " leaves" : " leave") +
           " no plan, whatever the limit";
  auto number = [](double bytes) {
    return std::to_string(static_cast<int64_t>(bytes));
  };
  return "plans with " + subject + " need at least " +
         number(conflict.fewestBytes) + " bytes on a device, " +
         number(conflict.fewestBytes - search.memoryBytes) +
         " more than the limit of " + number(search.memoryBytes);
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
          {"plan",
           planToJson(chain, priced.space(), nameAxes(priced, *answer.plan))}};
}

/// Does the same, with all pins.
Json pinnedToJson(const GptSearch& search, const std::vector<Pin>& pins,
                  const PricedChain& counted, const MemoryLimit& free,
                  std::string& error) {
  double fewest = free.fewestBytes();
  if (fewest <= search.memoryBytes)
    if (std::optional<PinConflict> conflict =
            conflictOf(counted, pins, fewest, search.memoryBytes)) {
      error = messageOf(search, *conflict);
      return {};
    }
  PinnedChain pinned = withPins(counted.chain(), pins);
  PricedChain priced(counted, pinned);
  MemoryLimit memory(priced, {});
  Json json = limitedToJson(search, priced, memory, error);
  if (error.empty()) json["pins"] = search.pins;
  return json;
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
      {"crossings", answer.crossings}};
  if (search.wantsTimes) result["search_seconds"] = seconds;
  if (std::optional<NamedPlan> plan =
          nameAxes(priced, answer.residuals, kMaxLooks)) {
    result["plan"] = planToJson(chain, priced.space(), *plan);
    // The plan on named axes costs more if it is not certified.
    result["plan_cost_seconds"] = secondsOf(chain, plan->cost.ticks);
    result["gap"] = (plan->cost.ticks - answer.lowerBound) / answer.lowerBound;
  }
  if (search.wantsTimes) result["plan_seconds"] = watch.lap();
  std::vector<Pin> pins = readPins(search, priced, error);
  if (!error.empty()) return {};
  if (!pins.empty())
    result["pins"] = pinsToJson(search, pins, priced, exact, answer.optimum);
  if (search.memoryBytes > 0 || search.wantsPareto) {
    watch.lap();
    PricedChain counted(chain, Memory::Counted);
    MemoryLimit memory(counted, {});
    if (search.memoryBytes > 0) {
      result["within_memory"] =
          pins.empty() ? limitedToJson(search, counted, memory, error)
                       : pinnedToJson(search, pins, counted, memory, error);
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
