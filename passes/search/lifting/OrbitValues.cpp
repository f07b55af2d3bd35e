#include "passes/search/lifting/OrbitValues.h"

namespace sbp::search {

template <typename Paid>
OrbitSteps<Paid>::OrbitSteps(const PricedChain& priced, const OrbitCodes& codes,
                             const FewMoves& moves)
    : priced_(priced),
      codes_(codes),
      moves_(moves),
      levels_(priced.space().levels().size()) {
  int64_t axisClass = -1;
  for (const OrbitCodes::AxisOrbit& axes : codes.axisOrbits()) {
    std::vector<AxisOrbits>& classes = levels_[axes.level];
    if (axes.axisClass != axisClass) classes.emplace_back();
    axisClass = axes.axisClass;
    classes.back().push_back(&axes);
  }
}

template <typename Paid>
std::optional<size_t> OrbitSteps<Paid>::lower(const OrbitBudget& threshold,
                                              const Entry& from, Ticks ticks,
                                              OrbitCode code, Layout plain,
                                              Few& values) const {
  Ticks most = threshold.budget - (*threshold.left)[plain];
  Ticks least = from.least + ticks;
  if (!(least <= most)) return std::nullopt;
  Paid paid = laterWithin(most, priced_.bytePrice(), from.paid, ticks);
  if (isNever(paid)) return std::nullopt;
  return values.lower(code, plain, std::move(paid), least);
}

/// A step from a stabiliser orbit, by the layout of its target.
template <typename Paid>
struct OrbitSteps<Paid>::Moving {
  const Entry& start;
  Layout to;
  Ticks ticks;
  const OrbitBudget& threshold;
  Few& values;
  std::vector<size_t>& queue;
  Kind lost = 0, won = 0;  // kinds of the moving axes, before and after
  const AxisOrbits* classesEnd = nullptr;  // of the level
};

template <typename Paid>
bool OrbitSteps<Paid>::relax(const Tariff& tariff, const OrbitBudget& threshold,
                             Phase last, Few& values) const {
  std::vector<size_t> queue;
  const ChainSpaces& spaces = priced_.spaces();
  bool isToOperand = last < Phase::MakeTerms;
  for (const FewMoves::PhaseMoves& phaseMoves : moves_.phaseMoves()) {
    if (phaseMoves.phase > last) continue;
    // A layout that is still Partial after reduce-scatters leads to no operand.
    bool isOutOfTerms = isToOperand && phaseMoves.phase > Phase::ReduceScatter;
    auto leftFrom = [&](Layout plain) {
      return !isOutOfTerms || spaces.operandOf(plain) >= 0
                 ? (*threshold.left)[plain]
                 : kNever;
    };
    queue.clear();
    for (size_t i = 0; i < values.all().size(); ++i) {
      const Entry& start = values.all()[i];
      if (start.least + leftFrom(start.plain) <= threshold.budget)
        queue.push_back(i);
    }
    // A layout that is lowered here takes its steps (again) in this phase.
    for (size_t i = 0; i < queue.size(); ++i) {
      const Entry start = values.all()[queue[i]];
      for (const FewMoves::Step& step :
           moves_.stepsFrom(phaseMoves, start.plain)) {
        Layout to = start.plain + step.difference;
        Ticks ticks = moves_.priceOf(tariff, step, start.plain);
        Ticks least = start.least + ticks + leftFrom(to);
        if (least <= threshold.budget)
          takeStep(phaseMoves.level,
                   {start, to, ticks, threshold, values, queue});
      }
    }
    if (values.all().size() > threshold.most) return false;
  }
  return true;
}

template <typename Paid>
void OrbitSteps<Paid>::takeStep(int64_t level, Moving moving) const {
  const std::vector<AxisOrbits>& classes = levels_[level];
  for (const AxisOrbits& axisOrbits : classes) {
    int64_t axisClass = axisOrbits.front()->axisClass;
    const LayoutSpace& space = priced_.space();
    for (Kind kind = 0; kind < space.numKinds(); ++kind) {
      int64_t more = space.count(moving.to, axisClass, kind) -
                     space.count(moving.start.plain, axisClass, kind);
      if (more < 0) moving.lost = kind;
      if (more > 0) moving.won = kind;
    }
  }
  moving.classesEnd = classes.data() + classes.size();
  moveClass(moving, classes.data(), moving.start.code);
}

template <typename Paid>
void OrbitSteps<Paid>::moveClass(const Moving& moving,
                                 const AxisOrbits* axisOrbits,
                                 OrbitCode code) const {
  if (axisOrbits == moving.classesEnd) {
    if (auto number = lower(moving.threshold, moving.start, moving.ticks, code,
                            moving.to, moving.values))
      moving.queue.push_back(*number);
    return;
  }
  int64_t axisClass = axisOrbits->front()->axisClass;
  const LayoutSpace& space = priced_.space();
  moveOrbit(moving, axisOrbits, 0,
            space.count(moving.start.plain, axisClass, moving.lost) -
                space.count(moving.to, axisClass, moving.lost),
            code);
}

template <typename Paid>
void OrbitSteps<Paid>::moveOrbit(const Moving& moving,
                                 const AxisOrbits* axisOrbits, size_t axisOrbit,
                                 int64_t taken, OrbitCode code) const {
  if (taken == 0) return moveClass(moving, axisOrbits + 1, code);
  for (; axisOrbit < axisOrbits->size(); ++axisOrbit) {
    const OrbitCodes::AxisOrbit& axes = *(*axisOrbits)[axisOrbit];
    int64_t way = axes.wayIn(code);
    int64_t most = std::min(axes.shares->counts(way)[moving.lost], taken);
    for (int64_t moved = 1; moved <= most; ++moved) {
      way = axes.shares->moved(way, moving.lost, moving.won);
      moveOrbit(moving, axisOrbits, axisOrbit + 1, taken - moved,
                axes.with(code, way));
    }
  }
}

/// The results of an op for one operand.
template <typename Paid>
struct OrbitSteps<Paid>::Sharing {
  int64_t block, op;
  bool leavesTerms;
  const std::vector<ResultWays>& ways;  // per axis orbit
  const Entry& operand;
  const OrbitBudget& threshold;
  Few& results;
};

template <typename Paid>
std::vector<Kind> OrbitSteps<Paid>::readsOf(int64_t block, int64_t op) const {
  const LayoutSpace& space = priced_.space();
  std::vector<Kind> reads(space.numKinds(), -1);
  reads[space.broadcast()] = space.broadcast();
  for (const Loop& loop : priced_.block(block).block().ops[op].loops)
    reads[loop.leaves] = loop.reads;
  return reads;
}

template <typename Paid>
int64_t OrbitSteps<Paid>::operandWayOf(const Shares& shares, int64_t way,
                                       const std::vector<Kind>& reads) {
  const Counts& made = shares.counts(way);
  Counts read(made.size(), 0);
  for (size_t kind = 0; kind < made.size(); ++kind) {
    if (made[kind] == 0) continue;
    if (reads[kind] < 0) return -1;
    read[reads[kind]] += made[kind];
  }
  return shares.wayOf(read);
}

template <typename Paid>
auto OrbitSteps<Paid>::resultWaysOf(const Shares& shares,
                                    const std::vector<Kind>& reads)
    -> ResultWays {
  ResultWays byOperand(shares.numWays());
  for (int64_t way = 0; way < shares.numWays(); ++way) {
    int64_t operand = operandWayOf(shares, way, reads);
    if (operand < 0) continue;
    std::vector<std::pair<Kind, Kind>> changes;
    const Counts& made = shares.counts(way);
    for (size_t kind = 0; kind < made.size(); ++kind)
      if (reads[kind] != static_cast<Kind>(kind))
        changes.insert(changes.end(), made[kind],
                       {reads[kind], static_cast<Kind>(kind)});
    byOperand[operand].push_back({way, changes});
  }
  return byOperand;
}

template <typename Paid>
void OrbitSteps<Paid>::run(int64_t block, int64_t op,
                           const OrbitBudget& threshold, const Few& operands,
                           Few& results) const {
  const ChainSpaces& spaces = priced_.spaces();
  const Op& ran = priced_.block(block).block().ops[op];
  std::vector<Kind> reads = readsOf(block, op);
  std::vector<ResultWays> ways;
  for (const OrbitCodes::AxisOrbit& axes : codes_.axisOrbits())
    ways.push_back(resultWaysOf(*axes.shares, reads));
  for (const Entry& operand : operands.all())
    if (spaces.operandOf(operand.plain) >= 0)
      share({block, op, spaces.leavesTerms(ran), ways, operand, threshold,
             results},
            0, 0, operand.plain);
}

template <typename Paid>
void OrbitSteps<Paid>::share(const Sharing& sharing, size_t axisOrbit,
                             OrbitCode result, Layout plain) const {
  if (axisOrbit == codes_.axisOrbits().size()) {
    Ticks left = (*sharing.threshold.left)[plain];
    Layout own =
        sharing.leavesTerms ? plain : priced_.spaces().operandOf(plain);
    if (left == kNever || own < 0) return;
    Ticks ticks = priced_.block(sharing.block).cost(sharing.op)[own];
    Entry made{result, plain, {}, sharing.operand.least + ticks};
    Ticks least = made.least + left;
    if (!(least <= sharing.threshold.budget)) return;
    made.paid =
        afterRun(priced_, sharing.block, sharing.op, own, sharing.operand.paid);
    lower(sharing.threshold, made, 0, result, plain, sharing.results);
    return;
  }
  const OrbitCodes::AxisOrbit& axes = codes_.axisOrbits()[axisOrbit];
  for (const ResultWay& made :
       sharing.ways[axisOrbit][axes.wayIn(sharing.operand.code)]) {
    Layout reached = plain;
    for (auto [from, to] : made.changes)
      reached = priced_.space().moved(reached, axes.axisClass, from, to);
    share(sharing, axisOrbit + 1, axes.with(result, made.way), reached);
  }
}

template class OrbitSteps<Ticks>;
template class OrbitSteps<Front>;

}  // namespace sbp::search
