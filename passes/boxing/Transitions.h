// The table of transitions: the cheapest way from any placement to any other.
//
// Placements of one tensor are the nodes of a graph, steps (Step.h) its edges,
// each with its price (Cost.h). A boxing is a shortest path. Nothing else is
// built in: the algorithms that one would write by hand are such paths. On a
// 2 x 4 mesh, axis 0 slow, axis 1 fast:
//
//   [P, P] -> [B, B]     reduce-scatter over 1, all-reduce over 0, all-gather
//                        over 1: the hierarchical all-reduce
//   [S(0), B] -> [B, S(0)]
//                        slice to [S(0), S(1)], gather to [B, S(1)],
//                        all-to-all: axis 0 moves a quarter of what a plain
//                        gather moves
//
// Every pair has a path: all-reduce and gather down to Broadcast, then slice.
// So the table is total, for uneven extents and for those smaller than the
// mesh.
//
// The table answers price and path from one search, so that a plan is executed
// as it was priced.

#ifndef PASSES_BOXING_TRANSITIONS_H_
#define PASSES_BOXING_TRANSITIONS_H_

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "passes/boxing/AlikeAxes.h"
#include "passes/boxing/Step.h"
#include "passes/cost/Collectives.h"

namespace sbp {

class PlacementGraph;

/// A way from one placement to another.
struct Transition {
  llvm::SmallVector<Step, 3> steps;  // none when nothing changes
  double seconds = 0;                // the sum of the steps' prices
};

/// The cheapest transition of a tensor of whole shape `shape` from placement
/// `from` to `to`, by Dijkstra's algorithm. Both have one component per axis of
/// `mesh`. Of transitions that cost the same (to the picosecond) the one with
/// the fewest steps; the answer is a function of the arguments alone.
///
/// On the way any dimension may be split. A tensor that is Partial at neither
/// end is not so in between, though that is at times cheaper: its elements are
/// moved, never computed with. Axes of one device are never stepped over: their
/// component says nothing.
Transition cheapestTransition(llvm::ArrayRef<Component> from,
                              llvm::ArrayRef<Component> to,
                              llvm::ArrayRef<int64_t> shape,
                              int64_t elementBytes, const Mesh& mesh);

/// The transitions on one mesh of tensors that travel in one way, searched for
/// together where they begin at one placement, and each once. Not safe for use
/// by several threads at a time.
class TransitionTable {
 public:
  /// Of tensors that travel alone.
  explicit TransitionTable(Mesh mesh);

  ~TransitionTable();
  TransitionTable(const TransitionTable&) = delete;
  TransitionTable& operator=(const TransitionTable&) = delete;

  const Mesh& mesh() const { return mesh_; }

  /// The prices that transitions would have if, between any two steps, axes
  /// that are alike could exchange their names. So it does not matter how the
  /// placements that are asked for name them, and no transition costs less than
  /// this says. Lives as long as this table.
  TransitionTable& bounds();

  /// The transitions, or bounds if these are bounds, of tensors that travel so.
  /// Lives as long as this table.
  TransitionTable& of(Travel travel);

  /// Whether prices are bounds, which have no paths.
  bool isBound() const { return alike_.has_value(); }

  /// The cheapest transition; see cheapestTransition.
  Transition path(llvm::ArrayRef<Component> from, llvm::ArrayRef<Component> to,
                  llvm::ArrayRef<int64_t> shape, int64_t elementBytes);

  /// Seconds of the cheapest transition.
  double cost(llvm::ArrayRef<Component> from, llvm::ArrayRef<Component> to,
              llvm::ArrayRef<int64_t> shape, int64_t elementBytes);

 private:
  /// Of a search: where it begins, and the components on the way; of a graph
  /// these only.
  struct Key {
    Placement from, components;
    llvm::SmallVector<int64_t, 4> shape;
    int64_t elementBytes;
    bool operator==(const Key& other) const;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };

  class Search;

  TransitionTable(Mesh mesh, Travel travel, std::optional<AlikeAxes> alike);

  /// The search from `source` with the components that a tensor may have on its
  /// way to `target`.
  Search& searchFrom(llvm::ArrayRef<Component> source,
                     llvm::ArrayRef<Component> target,
                     llvm::ArrayRef<int64_t> shape, int64_t elementBytes);

  Mesh mesh_;
  Travel travel_ = Travel::alone();
  std::optional<AlikeAxes> alike_;  // where prices are bounds
  std::unique_ptr<TransitionTable> bounds_;
  std::map<Travel, std::unique_ptr<TransitionTable>> others_;
  std::unordered_map<Key, std::unique_ptr<PlacementGraph>, KeyHash> graphs_;
  std::unordered_map<Key, std::unique_ptr<Search>, KeyHash> searches_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_TRANSITIONS_H_
