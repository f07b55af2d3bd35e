// An oracle for tests: the least cost of small chains over all placements of
// single axes. It shares with the tested code only the prices of ops. Distances
// are computed by Dijkstra's algorithm over all collectives in any order, and
// plans by dynamic programming over placements.
//
// A chain is read as a graph in layers, whose paths are its plans. A node is
// the placement of a tensor; inside a block with a skip, also the placement of
// the residual tensor that is added at the end. An edge takes time, and bytes
// to store.
//
//   Run   Redistribute Arrive   Fork        Redistribute Run ...  Join Arrive
//   -> y      -> z       -> z   -> (z, z)     -> (z, u)           -> v   -> v
//
// Without a limit, the optimum is the shortest path. Within a limit, all ways
// to a node are kept that are not dominated in time and bytes. A way is dropped
// if even the fastest rest of the path takes too long, or the smallest rest too
// many bytes.

#ifndef PASSES_SEARCH_TESTING_ORACLE_H_
#define PASSES_SEARCH_TESTING_ORACLE_H_

#include <cstdint>
#include <map>
#include <vector>

#include "passes/search/chain/Chain.h"
#include "passes/search/redistribution/Ticks.h"

namespace sbp::search {

/// The oracle for one chain.
class PlacementOracle {
 public:
  explicit PlacementOracle(const Chain& chain);

  /// Returns the least ticks of any plan; kNever if there is none.
  Ticks optimum() const;

  /// Returns the least ticks of plans that need at most `bytes`.
  Ticks optimumWithin(double bytes) const;
  /// Returns the fewest bytes of any plan; kNever if there is none.
  double fewestBytes() const;

 private:
  struct Cost {
    Ticks ticks = 0;
    double bytes = 0;
  };
  using Measure = double Cost::*;
  /// Distances by end and start, so that loops over starts are contiguous.
  using Matrix = std::vector<std::vector<Ticks>>;

  /// A way to run an op: placements of operand and result, and the cost.
  struct State {
    int64_t reads = 0, leaves = 0;
    Cost cost;
  };

  enum class What { Start, Redistribute, Run, Fork, Join, Arrive, End };
  /// Edges from nodes of one kind to nodes of the next kind.
  struct Layer {
    What what = What::Start;
    const Op* op = nullptr;         // the op that starts or runs
    const Matrix* moves = nullptr;  // of the redistributed or joined tensor
    bool isInSkip = false;          // whether nodes are pairs, in a skip
  };

  int64_t indexOf(const std::vector<Kind>& kinds) const;
  std::vector<Kind> kindsOf(int64_t placement) const;
  const Matrix& distances(double bytes);
  Matrix computeDistances(double bytes) const;
  /// Returns the ways to run an op, by the placement of its operand.
  std::vector<std::vector<State>> statesOf(const Op& op) const;
  bool isLegalResidual(int64_t placement) const;
  Ticks additionAt(int64_t placement) const;

  void addOps(const Block& block, bool fromNothing, bool isInSkip);
  void addBlock(const Block& block);

  /// Calls visit(node of the next layer, cost) for each edge from `node`.
  template <typename Visit>
  void forEachEdge(const Layer& layer, int64_t node, Visit visit) const;
  int64_t numNodes(const Layer& layer) const;
  /// Returns the least cost of paths from each node of each layer to the end.
  const std::vector<std::vector<double>>& rests(Measure measure) const;
  /// Returns the least ticks of paths with at most `bytes` and `atMost` ticks.
  Ticks optimumWithin(double bytes, Ticks atMost) const;

  const Chain& chain_;
  std::vector<int64_t> levelOf_, primeOf_;  // per axis
  int64_t numKinds_, numPlacements_;
  std::map<double, Matrix> distances_;
  std::map<const Op*, std::vector<std::vector<State>>> states_;
  std::vector<Ticks> additions_;  // kNever where no residual may be placed
  std::vector<Layer> layers_;
  mutable std::vector<std::vector<double>> fastestRests_, smallestRests_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_TESTING_ORACLE_H_
