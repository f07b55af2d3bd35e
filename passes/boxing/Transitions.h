// The table of transitions: the cheapest way from any placement to any other.
//
// The placements of one tensor are the nodes of a graph. The steps
// (BoxingStep.h) are its edges, each with a price (Cost.h). A boxing is a
// shortest path. Well-known algorithms are such paths, and need no code of
// their own. On a 2 x 4 mesh with slow axis 0 and fast axis 1:
//
//   [P, P] -> [B, B]     reduce-scatter over 1, all-reduce over 0, all-gather
//                        over 1: the hierarchical all-reduce
//   [S(0), B] -> [B, S(0)]
//                        slice to [S(0), S(1)], gather to [B, S(1)],
//                        all-to-all: axis 0 moves a quarter of what a plain
//                        gather moves
//
// Every pair of placements has a path: all-reduce and gather down to Broadcast,
// then slice or make Partial. This holds for uneven extents too, and for
// extents smaller than the mesh.
//
// Price and path come from the same search, so the steps that run are those
// that were priced.

#ifndef PASSES_BOXING_TRANSITIONS_H_
#define PASSES_BOXING_TRANSITIONS_H_

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "passes/boxing/AlikeAxes.h"
#include "passes/boxing/BoxingStep.h"
#include "passes/cost/Collectives.h"

namespace sbp {

class PlacementGraph;

/// A way from one placement to another.
struct Transition {
  llvm::SmallVector<BoxingStep, 3> steps;  // empty if nothing changes
  double seconds = 0;                      // the sum of the steps' prices
};

/// Returns the cheapest transition of a tensor of whole shape `shape` from
/// placement `from` to `to`, by Dijkstra's algorithm. Both placements have one
/// component per axis of `mesh`. If several transitions have the same price in
/// picoseconds, returns one with the fewest steps. The result depends on the
/// arguments alone.
///
/// Any dimension may be split on the way. If neither `from` nor `to` has a
/// Partial component, no placement on the way has one, even where that would be
/// cheaper: the elements are only moved, never computed with. No step goes over
/// an axis of one device, where all components mean the same.
Transition cheapestTransition(llvm::ArrayRef<Component> from,
                              llvm::ArrayRef<Component> to,
                              llvm::ArrayRef<int64_t> shape,
                              int64_t elementBytes, const Mesh& mesh);

/// The transitions of tensors on one mesh, for one bucketing: whether tensors
/// move alone or in a bucket (passes/cost/Collectives.h). Tensors of one shape
/// that start from one placement share a search, whose results are kept. Not
/// thread-safe.
class TransitionTable {
 public:
  /// Makes the table for tensors that move alone.
  explicit TransitionTable(Mesh mesh);

  ~TransitionTable();
  TransitionTable(const TransitionTable&) = delete;
  TransitionTable& operator=(const TransitionTable&) = delete;

  const Mesh& mesh() const { return mesh_; }

  /// Returns the table of lower bounds. A bound is the price that a transition
  /// would have if, between any two steps, axes that are alike (AlikeAxes.h)
  /// could exchange their names. It does not depend on how the two placements
  /// name these axes, and no transition costs less. Owned by this table.
  TransitionTable& bounds();

  /// Returns the table for tensors with this `bucketing`. If this table has
  /// bounds, so has the result. Owned by this table.
  TransitionTable& of(Bucketing bucketing);

  /// Whether the prices are lower bounds. Bounds have no paths.
  bool isBound() const { return alike_.has_value(); }

  /// Returns the cheapest transition, as cheapestTransition does. Must not be
  /// called on a table of bounds.
  Transition path(llvm::ArrayRef<Component> from, llvm::ArrayRef<Component> to,
                  llvm::ArrayRef<int64_t> shape, int64_t elementBytes);

  /// Returns the seconds of the cheapest transition, or its lower bound if
  /// isBound().
  double cost(llvm::ArrayRef<Component> from, llvm::ArrayRef<Component> to,
              llvm::ArrayRef<int64_t> shape, int64_t elementBytes);

 private:
  /// Key of a search: the placement where it starts, and the components that
  /// the tensor may have on the way. The key of a graph has an empty `from`.
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

  TransitionTable(Mesh mesh, Bucketing bucketing,
                  std::optional<AlikeAxes> alike);

  /// Returns the search from `source` for a tensor that may have, on its way,
  /// any component that is allowed on the way to `target`.
  Search& searchFrom(llvm::ArrayRef<Component> source,
                     llvm::ArrayRef<Component> target,
                     llvm::ArrayRef<int64_t> shape, int64_t elementBytes);

  Mesh mesh_;
  Bucketing bucketing_ = Bucketing::alone();
  std::optional<AlikeAxes> alike_;  // set if prices are bounds
  std::unique_ptr<TransitionTable> bounds_;
  std::map<Bucketing, std::unique_ptr<TransitionTable>> others_;
  std::unordered_map<Key, std::unique_ptr<PlacementGraph>, KeyHash> graphs_;
  std::unordered_map<Key, std::unique_ptr<Search>, KeyHash> searches_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_TRANSITIONS_H_
