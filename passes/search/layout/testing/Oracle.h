// For tests: the least cost of small chains over all placements of axes that
// have names, by plain means. It shares the prices of ops with what is tested,
// and nothing else: Dijkstra's algorithm over all collectives in any order, and
// dynamic programming over placements.
//
// A chain is read as a graph in layers, whose paths are its plans. A node says
// where a tensor lies; inside a block with a skip, also where the residual lies
// that is added at its end. An edge takes time, and bytes to keep.
//
//   Run   Redistribute Arrive   Fork        Redistribute Run ...  Join Arrive
//   -> y      -> z       -> z   -> (z, z)     -> (z, u)           -> v   -> v
//
// Without a limit, the optimum is the shortest path. Within a limit, ways to a
// node are kept that no other beats in both time and bytes, as long as the
// fastest and the smallest rest of the path leave them a chance.

#ifndef PASSES_SEARCH_LAYOUT_TESTING_ORACLE_H_
#define PASSES_SEARCH_LAYOUT_TESTING_ORACLE_H_

#include <cstdint>
#include <map>
#include <vector>

#include "passes/search/layout/Chain.h"
#include "passes/search/layout/Ticks.h"

namespace sbp::search {

class NamedOracle {
 public:
  explicit NamedOracle(const Chain& chain);

  /// The least of ticks of any plan; kNever if there is none.
  Ticks optimum() const;

  /// The least of ticks of plans that need at most so many bytes.
  Ticks optimumWithin(double bytes) const;
  /// The fewest bytes that any plan needs; kNever if there is none.
  double fewestBytes() const;

 private:
  struct Cost {
    Ticks ticks = 0;
    double bytes = 0;
  };
  using Measure = double Cost::*;
  /// By end and start, so that loops over starts are over neighbours.
  using Matrix = std::vector<std::vector<Ticks>>;

  /// A way to run an op: placements of operand and result.
  struct State {
    int64_t reads = 0, leaves = 0;
    Cost cost;
  };

  enum class What { Start, Redistribute, Run, Fork, Join, Arrive, End };
  /// Edges from nodes of one kind to nodes of the next.
  struct Layer {
    What what = What::Start;
    const Op* op = nullptr;         // that starts or runs
    const Matrix* moves = nullptr;  // of what is redistributed or joined
    bool isInSkip = false;          // nodes are pairs
  };

  int64_t indexOf(const std::vector<Kind>& kinds) const;
  std::vector<Kind> kindsOf(int64_t placement) const;
  const Matrix& distances(double bytes);
  Matrix computeDistances(double bytes) const;
  /// The ways to run an op, by what it reads.
  std::vector<std::vector<State>> statesOf(const Op& op) const;
  bool isLegalResidual(int64_t placement) const;
  Ticks additionAt(int64_t placement) const;

  void addOps(const Block& block, bool fromNothing, bool isInSkip);
  void addBlock(const Block& block);

  /// Calls visit(node of the next layer, cost).
  template <typename Visit>
  void forEachEdge(const Layer& layer, int64_t node, Visit visit) const;
  int64_t numNodes(const Layer& layer) const;
  /// The least that paths from each node of each layer to the end cost.
  const std::vector<std::vector<double>>& rests(Measure measure) const;
  /// The least of ticks of paths of at most so many bytes and ticks.
  Ticks optimumWithin(double bytes, Ticks atMost) const;

  const Chain& chain_;
  std::vector<int64_t> levelOf_, primeOf_;  // per axis
  int64_t numKinds_, numPlacements_;
  std::map<double, Matrix> distances_;
  std::map<const Op*, std::vector<std::vector<State>>> states_;
  std::vector<Ticks> additions_;  // kNever where no residual may lie
  std::vector<Layer> layers_;
  mutable std::vector<std::vector<double>> fastestRests_, smallestRests_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_TESTING_ORACLE_H_
