#include "passes/search/pipeline/RunPricing.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

namespace sbp::search {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Part of a sum by which sums of the same numbers differ.
constexpr double kRounding = 1e-12;

}  // namespace

bool RunPricing::Key::operator==(const Key& other) const {
  return std::tie(begin, end, before, after, weights, load) ==
         std::tie(other.begin, other.end, other.before, other.after,
                  other.weights, other.load);
}

size_t RunPricing::KeyHash::operator()(const Key& key) const {
  return llvm::hash_combine(key.begin, key.end, key.before, key.after,
                            key.weights, key.load);
}

RunPricing::RunPricing(const JointProblem& problem, const JointCase& ofCase,
                       const Boundaries& boundaries, const UnitRuns& runs,
                       const JointSearchTuning& tuning, SearchWork& work)
    : problem_(problem),
      case_(ofCase),
      boundaries_(boundaries),
      runs_(runs),
      tuning_(tuning),
      work_(work) {
  std::vector<double> all;
  for (const std::vector<UnitOption>& options : ofCase.options)
    for (const UnitOption& option : options) all.push_back(option.transient);
  std::sort(all.begin(), all.end(), std::greater<>());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  // Neighbours in the list form a class if there are too many.
  const auto number = static_cast<int64_t>(all.size());
  const int64_t numClasses = std::min(number, tuning.maxTransientClasses);
  for (int64_t i = 0; i < numClasses; ++i)
    transients_.push_back(
        {all[number * (i + 1) / numClasses - 1], all[number * i / numClasses]});
}

int64_t RunPricing::addWeights(const TimeWeights& weights) {
  const auto known = std::find(weights_.begin(), weights_.end(), weights);
  const int64_t index = known - weights_.begin();
  if (known == weights_.end()) weights_.push_back(weights);
  return index;
}

int64_t RunPricing::addLoad(const StageLoad& load) {
  const auto known = std::find(loads_.begin(), loads_.end(), load);
  const int64_t index = known - loads_.begin();
  if (known == loads_.end()) loads_.push_back(load);
  return index;
}

StageRun RunPricing::firstLike(const StageRun& run) const {
  StageRun first = run;
  first.begin = runs_.firstLike(run.begin, run.end);
  first.end = first.begin + (run.end - run.begin);
  return first;
}

double RunPricing::lowAt(const StageRun& run, int64_t weights, int64_t load,
                         double pricePerByte) {
  const StageRun first = firstLike(run);
  const auto [entry, isNew] = lowsAt_[pricePerByte].try_emplace(
      Key{first.begin, first.end, run.before, run.after, weights, load}, 0);
  if (!isNew) return entry->second;
  ++work_.prices;
  return entry->second = cheapest({first, weights_[weights], loads_[load]},
                                  {1, pricePerByte}, kInfinite, false)
                             .price;
}

double RunPricing::low(const StageRun& run, int64_t weights, int64_t load) {
  const StageRun first = firstLike(run);
  const auto [entry, isNew] = lows_.try_emplace(
      Key{first.begin, first.end, run.before, run.after, weights, load},
      kInfinite);
  if (!isNew) return entry->second;
  ++work_.prices;
  double low = kInfinite;
  const Target target = {first, weights_[weights], loads_[load]};
  for (const TransientClass& transients : transients_) {
    const double room = problem_.room() - transients.least;
    if (room < 0) continue;
    // Smaller classes have fewer options, so their fastest plan is slower.
    const Dual dual = dualOf(target, transients, room, low, false);
    if (dual.fast.seconds >= low) break;
    low = std::min(low, dual.low);
  }
  return entry->second = low;
}

std::vector<std::vector<int64_t>> RunPricing::plansOf(
    const StageRun& run, const TimeWeights& weights, const StageLoad& load,
    double room) {
  std::vector<std::vector<int64_t>> plans;
  const Target target = {run, weights, load};
  for (const TransientClass& transients : transients_) {
    if (room < transients.most) continue;
    const Dual dual =
        dualOf(target, transients, room - transients.most, kInfinite, true);
    if (dual.fast.seconds == kInfinite) break;
    if (dual.low == kInfinite) continue;
    if (dual.fast.bytes <= room - transients.most) {
      plans.push_back(dual.fast.options);
      break;  // smaller classes are slower
    }
    plans.push_back(dual.small.options);
    splice(target, dual, room - transients.most, plans);
  }
  return plans;
}

/// Finds the cheapest options unit by unit. The state is the layout of the last
/// unit.
RunPricing::Point RunPricing::cheapest(const Target& target,
                                       const Prices& prices,
                                       double mostTransient, bool withOptions) {
  struct State {
    double price = kInfinite, seconds = 0, bytes = 0;
    int64_t option = -1, layoutBefore = -1;

    /// Whether `other` is cheaper. `second` is the price of a second.
    bool isWorseThan(const State& other, double second) const {
      if (other.price != price) return other.price < price;
      return second > 0 ? other.bytes < bytes : other.seconds < seconds;
    }
    void add(double moreSeconds, double moreBytes, const Prices& prices) {
      seconds += moreSeconds;
      bytes += moreBytes;
      price += prices.second * moreSeconds + prices.byte * moreBytes;
    }
  };
  const StageRun& run = target.run;
  const int64_t numLayouts = case_.numLayouts();
  using States = llvm::SmallVector<State, 8>;  // by layout
  const double bothWays = target.weights.bothWays();
  // Adds seconds of a transfer, which may be impossible.
  const auto addTransfer = [&](State& state, double seconds) {
    if (seconds == kInfinite)
      state.price = kInfinite;
    else
      state.add(bothWays * seconds, 0, prices);
  };

  // The cheapest option of each layout, by kind.
  llvm::SmallVector<std::pair<int64_t, States>, 4> byKind;
  const auto optionsOfKind = [&](int64_t kind) -> const States& {
    for (const auto& [known, states] : byKind)
      if (known == kind) return states;
    States states(numLayouts);
    const std::vector<UnitOption>& options = case_.options[kind];
    for (size_t i = 0; i < options.size(); ++i) {
      if (options[i].transient > mostTransient) continue;
      State state{0, 0, 0, static_cast<int64_t>(i), -1};
      state.add(target.weights.of(options[i]), target.load.bytesOf(options[i]),
                prices);
      State& best = states[options[i].layout];
      if (best.isWorseThan(state, prices.second)) best = state;
    }
    return byKind.emplace_back(kind, std::move(states)).second;
  };

  // In a run of one kind, the cheapest options soon repeat: each unit adds the
  // same to the state of a layout, until a change from another layout becomes
  // cheaper. Returns the number of units until then, at most `most`, if the
  // layouts come from the same ones in `before` and `after`.
  const auto numRepeated = [&](const States& before, const States& after,
                               int64_t most) {
    double number = static_cast<double>(most);
    for (int64_t to = 0; to < numLayouts; ++to) {
      if (after[to].price == kInfinite) continue;
      const int64_t from = after[to].layoutBefore;
      if (before[to].layoutBefore != from || after[from].layoutBefore != from)
        return int64_t(0);
      const auto gain = [&](int64_t layout) {
        return after[layout].price - before[layout].price;
      };
      for (int64_t other = 0; other < numLayouts; ++other) {
        const double moves = case_.move[other][to] - case_.move[from][to];
        if (after[other].price == kInfinite || gain(other) >= gain(from))
          continue;
        const double lead = after[other].price - after[from].price +
                            prices.second * bothWays * moves;
        number = std::min(number, lead / (gain(from) - gain(other)));
      }
    }
    return std::max<int64_t>(0, static_cast<int64_t>(number));
  };

  std::vector<States> trace;
  States states = optionsOfKind(problem_.kinds[run.begin]);
  if (run.before != StageRun::kNone)
    for (int64_t layout = 0; layout < numLayouts; ++layout)
      if (states[layout].price < kInfinite)
        addTransfer(states[layout], boundaries_.all[run.before].after[layout]);
  if (withOptions) trace.push_back(states);
  for (int64_t unit = run.begin + 1; unit < run.end; ++unit) {
    const States& options = optionsOfKind(problem_.kinds[unit]);
    States next(numLayouts);
    for (int64_t to = 0; to < numLayouts; ++to) {
      if (options[to].price == kInfinite) continue;
      for (int64_t from = 0; from < numLayouts; ++from) {
        if (states[from].price == kInfinite) continue;
        State state = states[from];
        addTransfer(state, case_.move[from][to]);
        if (next[to].isWorseThan(state, prices.second)) {
          next[to] = state;
          next[to].layoutBefore = from;
        }
      }
      next[to].option = options[to].option;
      if (next[to].price < kInfinite)
        next[to].add(options[to].seconds, options[to].bytes, prices);
    }
    const int64_t more = numRepeated(
        states, next, std::min(run.end, runs_.endOfKind(unit)) - unit - 1);
    for (int64_t layout = 0; layout < numLayouts; ++layout)
      if (more > 0 && next[layout].price < kInfinite) {
        const auto times = static_cast<double>(more);
        next[layout].add(
            times * (next[layout].seconds - states[layout].seconds),
            times * (next[layout].bytes - states[layout].bytes), prices);
      }
    unit += more;
    states = std::move(next);
    if (withOptions) trace.insert(trace.end(), more + 1, states);
  }

  int64_t best = 0;
  for (int64_t layout = 0; layout < numLayouts; ++layout) {
    if (run.after != StageRun::kNone && states[layout].price < kInfinite)
      addTransfer(states[layout], boundaries_.all[run.after].before[layout]);
    if (states[best].isWorseThan(states[layout], prices.second)) best = layout;
  }
  Point point;
  point.price = states[best].price;
  point.seconds = point.price < kInfinite ? states[best].seconds : kInfinite;
  point.bytes = states[best].bytes;
  if (!withOptions || point.price == kInfinite) return point;
  point.options.resize(run.end - run.begin);
  for (int64_t i = run.end - run.begin, layout = best; i-- > 0;) {
    point.options[i] = trace[i][layout].option;
    layout = trace[i][layout].layoutBefore;
  }
  return point;
}

RunPricing::Dual RunPricing::dualOf(const Target& target,
                                    const TransientClass& transients,
                                    double room, double enough,
                                    bool withOptions) {
  Dual dual;
  dual.fast = cheapest(target, {1, 0}, transients.most, withOptions);
  dual.low = dual.fast.seconds;
  if (dual.low >= enough || dual.fast.bytes <= room) return dual;
  dual.small = cheapest(target, {0, 1}, transients.most, withOptions);
  if (dual.small.bytes > room) {
    dual.low = kInfinite;
    return dual;
  }
  for (int64_t i = 0; i < tuning_.maxMemoryPrices; ++i) {
    const Point &fast = dual.fast, &small = dual.small;
    const double price =
        (small.seconds - fast.seconds) / (fast.bytes - small.bytes);
    if (!(price > 0)) break;
    const double line = fast.seconds + price * (fast.bytes - room);
    Point point = cheapest(target, {1, price}, transients.most, withOptions);
    const double least = point.price - price * room;
    dual.low = std::max(dual.low, least);
    // The line is the hull.
    if (least >= line * (1 - kRounding) || dual.low >= enough) break;
    (point.bytes <= room ? dual.small : dual.fast) = std::move(point);
  }
  return dual;
}

void RunPricing::splice(const Target& target, const Dual& dual, double room,
                        std::vector<std::vector<int64_t>>& plans) const {
  const std::vector<int64_t>&fast = dual.fast.options,
        &small = dual.small.options;
  const auto size = static_cast<int64_t>(fast.size());
  const auto bytesOf = [&](int64_t unit, int64_t option) {
    return target.load.bytesOf(
        problem_.optionsOf(case_, target.run.begin + unit)[option]);
  };
  // From the first unit on, or from the last one back, units are those of the
  // fast plan as long as the plan fits.
  for (bool isFirst : {true, false}) {
    double bytes = dual.small.bytes;
    int64_t number = 0;
    for (; number < size; ++number) {
      const int64_t unit = isFirst ? number : size - 1 - number;
      const double more =
          bytesOf(unit, fast[unit]) - bytesOf(unit, small[unit]);
      if (bytes + more > room) break;
      bytes += more;
    }
    if (number == 0) continue;
    std::vector<int64_t>& options = plans.emplace_back(small);
    const int64_t begin = isFirst ? 0 : size - number;
    std::copy_n(fast.begin() + begin, number, options.begin() + begin);
  }
}

}  // namespace sbp::search
