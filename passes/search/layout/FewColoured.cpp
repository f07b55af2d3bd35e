#include "passes/search/layout/FewColoured.h"

namespace sbp::search {

template <typename Paid>
ColouredSteps<Paid>::ColouredSteps(const PricedChain& priced,
                                   const ColourCodes& codes,
                                   Direction direction)
    : priced_(priced), codes_(codes), direction_(direction) {
  const LayoutSpace& space = priced.space();
  bool isBackward = direction == Direction::Backward;
  auto order = priced.terrain().wholeMoves().order();
  if (isBackward) std::reverse(order.begin(), order.end());
  for (auto [phase, level] : order) {
    Pass& pass = passes_.emplace_back();
    pass.phase = phase;
    pass.level = level;
    for (Kind from = 0; from < space.numKinds(); ++from)
      for (Kind to = 0; to < space.numKinds(); ++to)
        if (isBackward ? isMoveOf(phase, space, to, from)
                       : isMoveOf(phase, space, from, to))
          pass.kinds.push_back({from, to});
    addCollectives(pass);
  }
}

template <typename Paid>
void ColouredSteps<Paid>::addCollectives(Pass& pass) const {
  // Only exchanges take several axes at once.
  bool isExchange = pass.phase == Phase::Exchange;
  std::vector<double> devices = {1};
  for (const AxisClass& axes : priced_.space().classes()) {
    if (axes.level != pass.level) continue;
    auto prime = static_cast<double>(axes.prime);
    size_t before = isExchange ? devices.size() : 1;
    size_t added = before * (isExchange ? axes.number : 1);
    for (size_t i = 0; i < added; ++i) {
      size_t factor = i < before ? i : devices.size() - before;
      devices.push_back(devices[factor] * prime);
    }
  }
  const Redistribution& moves = priced_.terrain().wholeMoves();
  for (double taking : devices)
    if (taking > 1)
      pass.collectives.push_back(
          {taking,
           moves.collectiveOf(pass.phase, pass.level, taking).value_or(-1)});
}

template <typename Paid>
std::optional<size_t> ColouredSteps<Paid>::lower(const ColouredReach& reach,
                                                 const Entry& from, Ticks ticks,
                                                 ColourCode code, Layout plain,
                                                 Few& values) const {
  Ticks most = reach.budget - (*reach.left)[plain];
  Ticks least = from.least + ticks;
  if (!(least <= most)) return std::nullopt;
  Paid paid = laterWithin(most, priced_.bytePrice(), from.paid, ticks);
  if (isNever(paid)) return std::nullopt;
  return values.lower({code, plain, std::move(paid), least});
}

/// One layout's moves in one pass, from one kind to another.
template <typename Paid>
struct ColouredSteps<Paid>::Moving {
  const Pass& pass;
  Kind from, to;
  const Entry& start;
  int64_t heldIndex;  // of the start
  const Tariff& tariff;
  const ColouredReach& reach;
  Few& values;
  std::vector<size_t>& queue;

  /// Whether a layout matters even if the move is free.
  bool mayReach(Layout plain) const {
    return start.least + (*reach.left)[plain] <= reach.budget;
  }
};

template <typename Paid>
bool ColouredSteps<Paid>::relax(const Tariff& tariff,
                                const ColouredReach& reach, Few& values) const {
  std::vector<size_t> queue;
  for (const Pass& pass : passes_) {
    queue.resize(values.all().size());
    for (size_t i = 0; i < queue.size(); ++i) queue[i] = i;
    // What a step reaches takes its turn (again) in this pass.
    for (size_t i = 0; i < queue.size(); ++i) {
      const Entry start = values.all()[queue[i]];
      int64_t held = priced_.space().heldIndexOf(start.plain);
      for (auto [from, to] : pass.kinds) {
        Moving moving{pass,   from,  to,     start, held,
                      tariff, reach, values, queue};
        if (pass.phase == Phase::Exchange)
          moveSeveral(moving, 0, start.code, start.plain, 1);
        else
          moveOne(moving);
      }
    }
    if (values.all().size() > reach.most) return false;
  }
  return true;
}

template <typename Paid>
void ColouredSteps<Paid>::arrive(const Moving& moving, double devices,
                                 ColourCode code, Layout plain) const {
  const auto& collectives = moving.pass.collectives;
  int64_t collective =
      std::find_if(collectives.begin(), collectives.end(),
                   [&](const auto& other) { return other.first == devices; })
          ->second;
  // The price is that of what is held before the move.
  int64_t held = direction_ == Direction::Backward
                     ? priced_.space().heldIndexOf(plain)
                     : moving.heldIndex;
  Ticks ticks = collective < 0 ? 0 : moving.tariff.price(collective, held);
  if (auto number =
          lower(moving.reach, moving.start, ticks, code, plain, moving.values))
    moving.queue.push_back(*number);
}

template <typename Paid>
void ColouredSteps<Paid>::moveOne(const Moving& moving) const {
  const LayoutSpace& space = priced_.space();
  // Axes of one class lead to the same layout when colours are forgotten.
  int64_t axisClass = -1;
  Layout plain = 0;
  for (const ColourCodes::Colour& axes : codes_.colours()) {
    if (axes.level != moving.pass.level) continue;
    int64_t way = axes.wayIn(moving.start.code);
    if (axes.shares->counts(way)[moving.from] == 0) continue;
    if (axes.axisClass != axisClass) {
      axisClass = axes.axisClass;
      plain =
          space.moved(moving.start.plain, axisClass, moving.from, moving.to);
    }
    if (!moving.mayReach(plain)) continue;
    int64_t next = axes.shares->moved(way, moving.from, moving.to);
    arrive(moving, static_cast<double>(axes.prime),
           axes.with(moving.start.code, next), plain);
  }
}

template <typename Paid>
void ColouredSteps<Paid>::moveSeveral(const Moving& moving, size_t colour,
                                      ColourCode code, Layout plain,
                                      double devices) const {
  for (; colour < codes_.colours().size(); ++colour) {
    const ColourCodes::Colour& axes = codes_.colours()[colour];
    if (axes.level != moving.pass.level) continue;
    int64_t way = axes.wayIn(code);
    double taking = devices;
    Layout there = plain;
    for (int64_t i = axes.shares->counts(way)[moving.from]; i > 0; --i) {
      way = axes.shares->moved(way, moving.from, moving.to);
      there =
          priced_.space().moved(there, axes.axisClass, moving.from, moving.to);
      taking *= static_cast<double>(axes.prime);
      ColourCode next = axes.with(code, way);
      if (moving.mayReach(there)) arrive(moving, taking, next, there);
      moveSeveral(moving, colour + 1, next, there, taking);
    }
  }
}

/// What an op makes of one operand.
template <typename Paid>
struct ColouredSteps<Paid>::Sharing {
  int64_t block, op;
  bool leavesTerms;
  const std::vector<ResultWays>& ways;  // per colour
  const Entry& operand;
  const ColouredReach& reach;
  Few& results;
};

template <typename Paid>
std::vector<Kind> ColouredSteps<Paid>::readsOf(int64_t block,
                                               int64_t op) const {
  const LayoutSpace& space = priced_.space();
  std::vector<Kind> reads(space.numKinds(), -1);
  reads[space.broadcast()] = space.broadcast();
  for (const Loop& loop : priced_.block(block).block().ops[op].loops)
    reads[loop.leaves] = loop.reads;
  return reads;
}

template <typename Paid>
int64_t ColouredSteps<Paid>::operandWayOf(const Shares& shares, int64_t way,
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
auto ColouredSteps<Paid>::resultWaysOf(const Shares& shares,
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
void ColouredSteps<Paid>::run(int64_t block, int64_t op,
                              const ColouredReach& reach, const Few& operands,
                              Few& results) const {
  const Terrain& terrain = priced_.terrain();
  const Op& ran = priced_.block(block).block().ops[op];
  std::vector<Kind> reads = readsOf(block, op);
  std::vector<ResultWays> ways;
  for (const ColourCodes::Colour& axes : codes_.colours())
    ways.push_back(resultWaysOf(*axes.shares, reads));
  results.clear();
  for (const Entry& operand : operands.all())
    if (terrain.settledOf(operand.plain) >= 0)
      share(
          {block, op, terrain.leavesTerms(ran), ways, operand, reach, results},
          0, 0, operand.plain);
}

template <typename Paid>
void ColouredSteps<Paid>::share(const Sharing& sharing, size_t colour,
                                ColourCode result, Layout plain) const {
  if (colour == codes_.colours().size()) {
    Ticks left = (*sharing.reach.left)[plain];
    Layout own =
        sharing.leavesTerms ? plain : priced_.terrain().settledOf(plain);
    if (left == kNever || own < 0) return;
    Ticks ticks = priced_.block(sharing.block).cost(sharing.op)[own];
    Entry made{result, plain, {}, sharing.operand.least + ticks};
    if (!(made.least + left <= sharing.reach.budget)) return;
    made.paid =
        afterRun(priced_, sharing.block, sharing.op, own, sharing.operand.paid);
    lower(sharing.reach, made, 0, result, plain, sharing.results);
    return;
  }
  const ColourCodes::Colour& axes = codes_.colours()[colour];
  for (const ResultWay& made :
       sharing.ways[colour][axes.wayIn(sharing.operand.code)]) {
    Layout reached = plain;
    for (auto [from, to] : made.changes)
      reached = priced_.space().moved(reached, axes.axisClass, from, to);
    share(sharing, colour + 1, axes.with(result, made.way), reached);
  }
}

template <typename Paid>
void ColouredSteps<Paid>::runBack(int64_t block, int64_t op,
                                  const ColouredReach& reach,
                                  const Few& results, Few& operands) const {
  const Terrain& terrain = priced_.terrain();
  const Walk& walk = priced_.block(block);
  bool leavesTerms = terrain.leavesTerms(walk.block().ops[op]);
  std::vector<Kind> reads = readsOf(block, op);
  std::vector<std::vector<int64_t>> operandWays;  // per colour and result's way
  for (const ColourCodes::Colour& axes : codes_.colours()) {
    std::vector<int64_t>& ways = operandWays.emplace_back();
    for (int64_t way = 0; way < axes.shares->numWays(); ++way)
      ways.push_back(operandWayOf(*axes.shares, way, reads));
  }
  operands.clear();
  for (const Entry& result : results.all()) {
    Layout own = leavesTerms ? result.plain : terrain.settledOf(result.plain);
    // What an op cannot leave costs never.
    if (own < 0 || walk.cost(op)[own] == kNever) continue;
    Layout plain = terrain.settledInWhole()[walk.reads(op)[own]];
    ColourCode code = 0;
    for (size_t c = 0; c < operandWays.size(); ++c) {
      const ColourCodes::Colour& axes = codes_.colours()[c];
      code = axes.with(code, operandWays[c][axes.wayIn(result.code)]);
    }
    Entry read{code, plain, {}, result.least + walk.cost(op)[own]};
    if (!(read.least + (*reach.left)[plain] <= reach.budget)) continue;
    read.paid = afterRun(priced_, block, op, own, result.paid);
    lower(reach, read, 0, code, plain, operands);
  }
}

template class ColouredSteps<Ticks>;
template class ColouredSteps<Front>;

}  // namespace sbp::search
