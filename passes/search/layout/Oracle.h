// For tests: the least cost of small chains over all placements of axes that
// have names, by plain means. It shares the prices of ops with what is tested,
// and nothing else: Dijkstra's algorithm over all collectives in any order, and
// dynamic programming over placements.

#ifndef PASSES_SEARCH_LAYOUT_ORACLE_H_
#define PASSES_SEARCH_LAYOUT_ORACLE_H_

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "passes/search/layout/Chain.h"
#include "passes/search/layout/Ticks.h"

namespace sbp::search {

/// A chain of few ops and devices, whose prices are whole ticks before anything
/// is rounded, so that paths cost the same in whatever order.
Chain randomChain(std::mt19937_64& random);

class NamedOracle {
 public:
  explicit NamedOracle(const Chain& chain);

  /// The least of ticks of any plan; kNever if there is none.
  Ticks optimum() const;

  /// The least of ticks of plans that need at most so many bytes.
  Ticks optimumWithin(double bytes) const;
  /// The fewest bytes that any plan needs.
  double fewestBytes() const;

 private:
  /// Time, or time and bytes, of ways that none beats in both.
  struct Label {
    Ticks ticks = 0;
    double bytes = 0;
  };
  using Labels = std::vector<Label>;
  using Matrix = std::vector<std::vector<Ticks>>;

  int64_t indexOf(const std::vector<Kind>& kinds) const;
  std::vector<Kind> kindsOf(int64_t placement) const;
  const Matrix& distances(double bytes) const;
  Matrix computeDistances(double bytes) const;
  /// Of every way to run an op: operand, result and labels.
  struct State {
    int64_t reads = 0, leaves = 0;
    Labels labels;
  };
  const std::vector<State>& statesOf(const Op& op) const;
  std::vector<State> computeStates(const Op& op) const;
  void add(Label label, Labels& labels) const;
  std::vector<Labels> through(const Block& block, std::vector<Labels> labels,
                              bool fromNothing, bool toNothing) const;
  /// The same where only time counts.
  std::vector<Labels> ticksThrough(const Block& block,
                                   const std::vector<Labels>& labels,
                                   bool fromNothing, bool toNothing) const;
  Labels solve(bool countsBytes) const;
  bool isLegalResidual(int64_t placement) const;
  Labels pruned(Labels labels) const;

  const Chain& chain_;
  std::vector<int64_t> levelOf_, primeOf_;  // per axis
  int64_t numKinds_, numPlacements_;
  mutable bool countsBytes_ = false;
  mutable std::map<double, Matrix> distances_;
  mutable std::map<const Op*, std::vector<State>> states_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_ORACLE_H_
