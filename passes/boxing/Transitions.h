// The table of transitions: the cheapest way from any placement to any other.
//
// The placements of one tensor are the nodes of a graph. The steps
// (BoxingStep.h) are its edges, each with a price (Cost.h). A boxing is a
// shortest path. Nothing else is built in: the algorithms that one would write
// by hand are such paths. On a 2 x 4 mesh, axis 0 slow, axis 1 fast:
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
// Price and path come from the same search, so a plan is executed exactly as it
// was priced.

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
/// component per axis of `mesh`. Of transitions that cost the same to the
/// picosecond, returns one with the fewest steps. The result depends on the
/// arguments alone.
///
/// Any dimension may be split on the way. A tensor that is Partial at neither
/// end does not become Partial in between, though that is sometimes cheaper:
/// its elements are only moved, never computed with. No step goes over an axis
/// of one device, where all components mean the same.
Transition cheapestTransition(llvm::ArrayRef<Component> from,
                              llvm::ArrayRef<Component> to,
                              llvm::ArrayRef<int64_t> shape,
                              int64_t elementBytes, const Mesh& mesh);

/// The transitions of tensors on one mesh, for one bucketing: for tensors that
/// move alone, or for tensors that move in buckets. Each search is run once,
/// and is shared by all transitions of tensors of one shape from the same
/// placement. Not safe for use by several threads at a time.
class TransitionTable {
 public:
  /// Makes the table of tensors that move alone.
  explicit TransitionTable(Mesh mesh);

  ~TransitionTable();
  TransitionTable(const TransitionTable&) = delete;
  TransitionTable& operator=(const TransitionTable&) = delete;

  const Mesh& mesh() const { return mesh_; }

  /// Returns the table of lower bounds: the prices that transitions would have
  /// if, between any two steps, axes that are alike could exchange their names.
  /// A bound does not depend on how the two placements name these axes, and no
  /// transition costs less than its bound. Owned by this table.
  TransitionTable& bounds();

  /// Returns the table for tensors with this `bucketing`; a table of bounds if
  /// this table is one. Owned by this table.
  TransitionTable& of(Bucketing bucketing);

  /// Whether the prices are lower bounds, which have no paths.
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
  /// Key of a search: the placement where it starts and the components that the
  /// tensor may have on the way. Keys of graphs leave `from` empty.
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

  /// Returns the search from `source` with the components that a tensor may
  /// have on its way to `target`.
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
