#include "passes/search/decisions/Pricing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "passes/search/decisions/AlikeFlows.h"
#include "passes/search/decisions/FlowVersions.h"
#include "passes/search/decisions/FlowViews.h"
#include "passes/search/decisions/PinnedFlows.h"

namespace sbp::search {
namespace {

using Number = PlacementTable::Number;

/// Visits all combinations of numbers below `counts`; the last number changes
/// fastest.
template <typename Visit>
void forEachCombination(llvm::ArrayRef<size_t> counts, Visit visit) {
  std::vector<size_t> numbers(counts.size(), 0);
  while (true) {
    visit(llvm::ArrayRef<size_t>(numbers));
    size_t i = counts.size();
    while (i > 0 && ++numbers[i - 1] == counts[i - 1]) numbers[--i] = 0;
    if (i == 0) return;
  }
}

/// Tables of one flow: seconds, and bytes at each moment. An empty table is
/// zero.
using Measures = std::vector<std::vector<double>>;

/// Number of prices after which the run is asked whether to go on: a few
/// milliseconds.
constexpr size_t kPricesAtATime = 1024;

/// Whether a version of the flow's tensor may be in memory at `moment`.
bool isInMemoryAt(const DecisionGraph& graph, const Flow& flow,
                  const Moment& moment) {
  int64_t last = std::max(flow.keptUntil, flow.waitsUntil);
  for (const Flow::Use& use : flow.uses) last = std::max(last, use.last);
  if (graph.functions[flow.function].copiesOf(flow.madeAt, last) > 0 &&
      graph.isInPipeline(moment))
    return true;
  const int64_t op = moment[flow.function];
  return op >= flow.madeAt && op <= last;
}

/// Returns -1 if `op` is before the op of a moment, 0 if it is the same op, and
/// 1 if it is after.
int64_t sideOf(int64_t op, int64_t moment) {
  return static_cast<int64_t>(op > moment) - static_cast<int64_t>(op < moment);
}

/// Adds to `key` the holds of `frame`, and how the ops of `flow` lie to them.
void addHolds(const Flow& flow, const Frame& frame, std::vector<int64_t>& key) {
  for (const Frame::Hold& hold : frame.holds) {
    key.push_back(hold.copies);
    for (int64_t op : {flow.madeAt, flow.certainFrom})
      key.push_back(sideOf(op, hold.from));
    for (int64_t op : {flow.keptUntil, flow.waitsUntil, flow.certainUntil})
      key.push_back(sideOf(op, hold.until));
    for (const Flow::Use& use : flow.uses) {
      key.push_back(sideOf(use.first, hold.from));
      for (int64_t op : {use.last, use.certainUntil})
        key.push_back(sideOf(op, hold.until));
    }
  }
}

/// Returns a key of all that the tables of `flow` depend on. The decisions
/// matter only by their placements of the tensor. So the prices of the
/// parameters of 96 layers are computed once.
std::vector<int64_t> measureKeyOf(const DecisionGraph& graph, const Flow& flow,
                                  const std::vector<FlowView>& views,
                                  llvm::ArrayRef<Moment> moments) {
  std::vector<int64_t> key(flow.shape.begin(), flow.shape.end());
  key.insert(key.end(),
             {-1, flow.elementBytes, flow.mayMove, flow.keepsTerms, flow.isLent,
              llvm::bit_cast<int64_t>(flow.bucketing.totalBytes()),
              llvm::bit_cast<int64_t>(flow.times)});
  for (const Flow::Use& use : flow.uses)
    key.insert(key.end(), {use.isStored, use.behind});
  for (const Moment& ofAll : moments) {
    int64_t moment = ofAll[flow.function];
    for (int64_t op : {flow.madeAt, flow.keptUntil, flow.waitsUntil,
                       flow.certainFrom, flow.certainUntil})
      key.push_back(sideOf(op, moment));
    for (const Flow::Use& use : flow.uses)
      for (int64_t op : {use.first, use.last, use.certainUntil})
        key.push_back(sideOf(op, moment));
    key.insert(key.end(), {moment >= 0, graph.isInPipeline(ofAll)});
    // Negative ops mean never, so nothing is certain.
    key.push_back(flow.certainUntil < 0);
    for (const Flow::Use& use : flow.uses) key.push_back(use.certainUntil < 0);
  }
  if (!moments.empty()) addHolds(flow, graph.functions[flow.function], key);
  for (const FlowView& view : views) {
    key.push_back(-1);
    key.insert(key.end(), view.slots.begin(), view.slots.end());
    for (const std::vector<Number>& projection : view.projections) {
      key.push_back(-1);
      key.insert(key.end(), projection.begin(), projection.end());
    }
  }
  return key;
}

/// Expands tables over projections to tables over the states of decisions.
/// Empty tables stay empty.
Measures spread(const std::vector<FlowView>& views,
                const Measures& ofProjections) {
  Measures measures(ofProjections.size());
  std::vector<size_t> numStates;
  for (const FlowView& view : views)
    numStates.push_back(view.projectionOf.size());
  forEachCombination(numStates, [&](llvm::ArrayRef<size_t> states) {
    size_t index = 0;
    for (auto [view, state] : llvm::zip(views, states))
      index = index * view.projections.size() + view.projectionOf[state];
    for (auto [measure, values] : llvm::zip(measures, ofProjections))
      if (!values.empty()) measure.push_back(values[index]);
  });
  return measures;
}

bool isTooWide(const std::vector<FlowView>& views, double maxEntries) {
  double entries = 1;
  for (const FlowView& view : views)
    entries *= static_cast<double>(view.projections.size());
  return views.size() > 2 && entries > maxEntries;
}

/// Makes the problem. Adds up tables over the same variables.
class ProblemMaker {
 public:
  ProblemMaker(const DecisionGraph& graph, Movements& movements,
               const SearchRun& run, llvm::ArrayRef<Moment> moments,
               double memoryBytes, double maxEntries, const FlowShares* shares,
               Counting counting)
      : graph_(graph),
        movements_(movements),
        run_(run),
        moments_(moments),
        memoryBytes_(memoryBytes),
        maxEntries_(maxEntries),
        shares_(shares),
        counting_(counting) {}

  std::optional<PricedProblem> run(WideFlows wideFlows) {
    // Tables and the tables over projections from which they are made are in
    // memory together.
    double numbers = numEntries(graph_, maxEntries_) *
                     static_cast<double>(1 + moments_.size());
    if (!run_.allows(2 * sizeof(Cost) * numbers)) return std::nullopt;
    for (const Decision& decision : graph_.decisions) {
      int64_t variable =
          priced_.problem.addVariable(decision.name, decision.states.size());
      Measures measures(1 + moments_.size());
      for (const Decision::State& state : decision.states)
        measures.front().push_back(state.seconds + state.communicatingSeconds);
      for (auto [moment, measure] :
           llvm::zip(moments_, llvm::drop_begin(measures)))
        measure = workingBytesOf(decision, moment);
      add({variable}, std::move(measures));
    }
    for (const KeptTensor& tensor : graph_.kept) addKept(tensor);
    auto isInMemory = [&](const Flow& flow) {
      return llvm::any_of(moments_, [&](const Moment& moment) {
        return isInMemoryAt(graph_, flow, moment);
      });
    };
    for (const AlikeFlows& alike : alikeFlowsOf(graph_, isInMemory)) {
      const Flow& flow = alike.flow;
      if (run_.isOver()) return std::nullopt;
      if (addExactly(flow)) continue;
      priced_.isExact = false;
      // If a tensor must not be moved, serving its uses apart is as good.
      if (wideFlows == WideFlows::Below && shares_ && flow.mayMove) {
        for (size_t member : alike.members)
          for (const FlowShare& share : (*shares_)[member]) addShare(share);
      } else {
        addUsesApart(flow, wideFlows);
      }
    }
    if (isInterrupted_) return std::nullopt;
    for (auto& [variables, measures] : tables_)
      priced_.problem.addCosts(variables, std::move(measures.front()));
    for (size_t m = 0; m < moments_.size(); ++m) {
      Resource& resource = priced_.memory.emplace_back();
      resource.limit = ownLimit(graph_, memoryBytes_);
      for (auto& [variables, measures] : tables_)
        resource.uses.push_back(std::move(measures[1 + m]));
    }
    return std::move(priced_);
  }

 private:
  /// Adds tables over `variables`. An empty table is zero.
  void add(std::vector<int64_t> variables, Measures measures) {
    auto [entry, isNew] = tableOf_.try_emplace(variables, tables_.size());
    if (isNew) {
      size_t entries = 1;
      for (int64_t v : variables) entries *= priced_.problem.numStates(v);
      measures.front().resize(entries, 0);
      tables_.push_back({std::move(variables), std::move(measures)});
      return;
    }
    for (auto [sum, more] :
         llvm::zip(tables_[entry->second].second, measures)) {
      if (sum.empty()) sum.resize(more.size(), 0);
      for (auto [value, addend] : llvm::zip(sum, more)) value += addend;
    }
  }

  /// Returns, per state, the scratch memory of the op that runs at `moment`, if
  /// it is a member of `decision`; an empty table if it is 0 in all states.
  std::vector<double> workingBytesOf(const Decision& decision,
                                     const Moment& moment) const {
    std::vector<double> bytes(decision.states.size(), 0);
    for (auto [index, state] : llvm::enumerate(decision.states))
      for (auto [member, working] :
           llvm::zip(decision.members, bytesOfMembers(state, counting_)))
        if (moment[member.function] == member.op) bytes[index] += working;
    if (llvm::all_of(bytes, [](double value) { return value == 0; })) return {};
    return bytes;
  }

  void addKept(const KeptTensor& tensor) {
    if (moments_.empty()) return;
    std::vector<double> bytes;
    const Decision& decision = graph_.decisions[tensor.slot.decision];
    for (const Decision::State& state : decision.states)
      bytes.push_back(keptBytes(
          tensor, graph_.placements[state.placements[tensor.slot.index]],
          graph_.mesh));
    Measures measures(1 + moments_.size(), bytes);
    measures.front().clear();
    add({tensor.slot.decision}, std::move(measures));
  }

  /// Returns the tables of `flow` over all combinations of projections,
  /// row-major; a table that is zero is empty.
  Measures measure(const Flow& flow, const std::vector<FlowView>& views) {
    std::vector<int64_t> key = measureKeyOf(graph_, flow, views, moments_);
    key.push_back(countsMemory_);
    auto known = measured_.find(key);
    if (known != measured_.end()) return known->second;
    Measures measures = measureAnew(flow, views);
    if (!isInterrupted_) measured_.emplace(std::move(key), measures);
    return measures;
  }

  Measures measureAnew(const Flow& flow, const std::vector<FlowView>& views) {
    Measures measures(1 + moments_.size());
    std::vector<size_t> numSeen;
    for (const FlowView& view : views)
      numSeen.push_back(view.projections.size());
    std::vector<Number> placements(1 + flow.uses.size());
    FlowVersions versions(graph_, flow, movements_);
    size_t number = 0;
    forEachCombination(numSeen, [&](llvm::ArrayRef<size_t> projections) {
      if (number++ % kPricesAtATime == 0) isInterrupted_ |= run_.isOver();
      if (isInterrupted_) return;
      for (auto [view, projection] : llvm::zip(views, projections))
        for (auto [position, placement] :
             llvm::zip(view.slots, view.projections[projection]))
          placements[position] = placement;
      measures.front().push_back(versions.secondsOf(placements));
      if (moments_.empty()) return;
      auto used = versions.of(placements, counting_);
      for (size_t m = 0; m < moments_.size(); ++m) {
        double bytes = 0;
        if (countsMemory_)
          for (const FlowVersion& version : used)
            bytes += bytesAt(version, moments_[m][flow.function],
                             graph_.isInPipeline(moments_[m]));
        measures[1 + m].push_back(bytes);
      }
    });
    for (std::vector<double>& measure : measures)
      if (llvm::all_of(measure, [](double value) { return value == 0; }))
        measure.clear();
    return measures;
  }

  bool hasLimit() const {
    return memoryBytes_ > 0 && std::isfinite(memoryBytes_);
  }

  /// Adds the tables of `flow`: one per part between pins; but a single one if
  /// there is a memory limit, since only the whole flow has a memory. Adds
  /// nothing and returns false if a table would be wide.
  bool addExactly(const Flow& flow) {
    std::vector<Flow> parts =
        hasLimit() ? std::vector<Flow>{flow} : cutAtPins(flow);
    std::vector<std::vector<FlowView>> views;
    for (const Flow& part : parts) {
      views.push_back(viewsOf(graph_, part));
      if (isTooWide(views.back(), maxEntries_)) return false;
    }
    for (auto [part, ofPart] : llvm::zip(parts, views)) addFlow(part, ofPart);
    return true;
  }

  void addFlow(const Flow& flow, const std::vector<FlowView>& views) {
    Measures measures = measure(flow, views);
    if (isInterrupted_) return;
    if (measures.front().empty() && !hasLimit()) return;
    std::vector<int64_t> variables;
    if (views.size() <= 2) {
      measures = spread(views, measures);
      for (const FlowView& view : views) variables.push_back(view.decision);
    } else {
      const std::vector<int64_t> key = priceKeyOf(flow);
      for (const FlowView& view : views)
        variables.push_back(addSeenVariable(view, key));
    }
    add(std::move(variables), std::move(measures));
  }

  /// Returns the variable whose states are the projections of the decision in
  /// flows with `key`; the decision itself if each of its states has a
  /// projection of its own. Each class of alike flows has a variable, which is
  /// soon eliminated. One variable for several classes would link them.
  int64_t addSeenVariable(const FlowView& view,
                          const std::vector<int64_t>& key) {
    size_t numSeen = view.projections.size();
    if (numSeen == view.projectionOf.size()) return view.decision;
    auto [known, isNew] = seenVariables_.try_emplace(
        {view.decision, key}, priced_.problem.numVariables());
    if (!isNew) return known->second;
    Problem& problem = priced_.problem;
    int64_t variable = problem.addVariable(
        problem.variables()[view.decision].name + " seen", numSeen);
    Measures measures(1 + moments_.size());
    measures.front().assign(view.projectionOf.size() * numSeen, kInfiniteCost);
    for (auto [state, projection] : llvm::enumerate(view.projectionOf))
      measures.front()[state * numSeen + projection] = 0;
    add({view.decision, variable}, std::move(measures));
    priced_.projected.push_back({view.decision, view.projectionOf});
    return variable;
  }

  void addShare(const FlowShare& share) {
    Measures measures(1 + moments_.size());
    for (const Decision::State& state :
         graph_.decisions[share.decision].states) {
      std::vector<Number> projection;
      for (int64_t slot : share.slots)
        projection.push_back(state.placements[slot]);
      measures.front().push_back(share.seconds.at(projection));
    }
    add({share.decision}, std::move(measures));
  }

  /// Adds one flow for the tensor as it is made, and one flow per use.
  void addUsesApart(const Flow& flow, WideFlows wideFlows) {
    bool isAbove = wideFlows == WideFlows::Above;
    if (isAbove) {
      Flow original = flow;
      original.uses.clear();
      addFlow(original, viewsOf(graph_, original));
    }
    countsMemory_ = isAbove;
    std::vector<Flow> flows = usesApart(flow);
    for (Flow& apart : flows) {
      apart.isLent = true;
      // Serving all uses costs at least as much as serving the dearest one, so
      // at least the mean.
      if (!isAbove) apart.times /= static_cast<double>(flows.size());
      addFlow(apart, viewsOf(graph_, apart));
    }
    countsMemory_ = true;
  }

  const DecisionGraph& graph_;
  Movements& movements_;
  const SearchRun& run_;
  bool isInterrupted_ = false;  // because the run is over
  llvm::ArrayRef<Moment> moments_;
  double memoryBytes_;
  double maxEntries_;
  const FlowShares* shares_;
  Counting counting_;
  bool countsMemory_ = true;  // whether flows take memory
  PricedProblem priced_;
  std::vector<std::pair<std::vector<int64_t>, Measures>> tables_;
  std::map<std::vector<int64_t>, size_t> tableOf_;
  std::map<std::vector<int64_t>, Measures> measured_;  // by measureKeyOf
  std::map<std::pair<int64_t, std::vector<int64_t>>, int64_t> seenVariables_;
};

}  // namespace

Assignment PricedProblem::ofAllVariables(Assignment ofDecisions) const {
  for (const ProjectedDecision& seen : projected)
    ofDecisions.push_back(seen.projectionOf[ofDecisions[seen.decision]]);
  return ofDecisions;
}

std::optional<PricedProblem> problemOf(
    const DecisionGraph& graph, Movements& movements, const SearchRun& run,
    WideFlows wideFlows, llvm::ArrayRef<Moment> moments, double memoryBytes,
    double maxEntries, const FlowShares* shares, Counting counting) {
  return ProblemMaker(graph, movements, run, moments, memoryBytes, maxEntries,
                      shares, counting)
      .run(wideFlows);
}

double numPrices(const DecisionGraph& graph, double maxEntries) {
  double prices = 0;
  for (const AlikeFlows& alike : alikeFlowsOf(graph)) {
    std::vector<FlowView> views = viewsOf(graph, alike.flow);
    double combinations = 1, pairs = 0;
    for (const FlowView& view : views) {
      combinations *= static_cast<double>(view.projections.size());
      pairs += static_cast<double>(views.front().projections.size() *
                                   view.projections.size());
    }
    prices += isTooWide(views, maxEntries) ? pairs : combinations;
  }
  return prices;
}

double numEntries(const DecisionGraph& graph, double maxEntries) {
  double entries = 0;
  for (const Decision& decision : graph.decisions)
    entries += static_cast<double>(decision.states.size());
  for (const AlikeFlows& alike : alikeFlowsOf(graph)) {
    std::vector<FlowView> views = viewsOf(graph, alike.flow);
    auto numStates = [](const FlowView& view) {
      return static_cast<double>(view.projectionOf.size());
    };
    if (isTooWide(views, maxEntries)) {
      for (const FlowView& view : views)
        entries += numStates(views.front()) * numStates(view);
      continue;
    }
    double combinations = 1;
    for (const FlowView& view : views) {
      auto numSeen = static_cast<double>(view.projections.size());
      bool isSeen = views.size() > 2;  // by a variable of its own
      combinations *= isSeen ? numSeen : numStates(view);
      if (isSeen) entries += numStates(view) * numSeen;
    }
    entries += combinations;
  }
  return entries;
}

double computingSeconds(const DecisionGraph& graph,
                        const Assignment& assignment) {
  double seconds = 0;
  for (auto [decision, state] : llvm::zip(graph.decisions, assignment))
    seconds += decision.states[state].seconds;
  return seconds;
}

double communicatingSeconds(const DecisionGraph& graph,
                            const Assignment& assignment,
                            Movements& movements) {
  double seconds = 0;
  for (auto [decision, state] : llvm::zip(graph.decisions, assignment))
    seconds += decision.states[state].communicatingSeconds;
  for (const Flow& flow : graph.flows)
    seconds += FlowVersions(graph, flow, movements)
                   .secondsOf(graph.placementsOf(flow, assignment));
  return seconds;
}

}  // namespace sbp::search
