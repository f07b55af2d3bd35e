// The shape of equal groups of ranks: the number of parts into which they
// divide each axis of a mesh. Group g is part c[i] of axis i, where c are the
// coordinates of g, row-major:
//
//   mesh of 2 x 4     shape 2x1     group 0: ranks 0 1 2 3    group 1: 4 5 6 7
//                     shape 1x2     group 0: ranks 0 1 4 5    group 1: 2 3 6 7
//
// A pipeline sends along the axes that the shape divides; collectives use what
// is left of each axis. The outermost shape divides an axis only if all axes
// outside of it are divided into single ranks. It leaves the fast links to the
// collectives, if inner links are faster.

#ifndef PASSES_CUT_GROUPSHAPE_H_
#define PASSES_CUT_GROUPSHAPE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dialects/sbp/Algebra.h"
#include "passes/cut/GroupCounts.h"

namespace sbp {

/// The shape, as described at the head of this file.
struct GroupShape {
  std::vector<int64_t> counts;  // by axis of the mesh; each divides its size

  int64_t numGroups() const;
  std::string str() const;  // "1x8x1"

  friend bool operator==(const GroupShape& a, const GroupShape& b) {
    return a.counts == b.counts;
  }
  friend bool operator!=(const GroupShape& a, const GroupShape& b) {
    return !(a == b);
  }
  /// Orders by the number of groups; of equal ones, the outermost shape is
  /// first.
  friend bool operator<(const GroupShape& a, const GroupShape& b);
};

/// Returns the outermost shape of `numGroups` groups; nullopt if the axes of
/// `mesh` do not allow this division.
std::optional<GroupShape> outermostShape(const Mesh& mesh, int64_t numGroups);

/// Returns the shape that `counts`, which must be given, mean on `mesh`;
/// nullopt if `mesh` has another number of axes, or does not allow this
/// division.
std::optional<GroupShape> shapeOf(const Mesh& mesh, const GroupCounts& counts);

/// Returns the value of --groups that means `shape` on `mesh`: a number, if
/// the shape is the outermost one.
GroupCounts countsOf(const Mesh& mesh, const GroupShape& shape);

/// Returns what --groups accepts on `mesh`, for error messages: "1, 2, 4 or 8,
/// or per axis (1 or 2) x (1, 2 or 4)".
std::string possibleCounts(const Mesh& mesh);

/// Returns the outermost shapes of up to `most` groups, by number of groups.
std::vector<GroupShape> outermostShapes(const Mesh& mesh, int64_t most);

/// Returns the shapes of up to `most` groups that divide one axis only and are
/// not outermost ones. Of shapes that differ only by an exchange of neighbour
/// axes of equal size and links, only the first one is returned. Shapes with
/// the fastest collectives are first, compared with the outermost shape of as
/// many groups, or of the next smaller number.
std::vector<GroupShape> innerShapes(const Mesh& mesh, int64_t most);

}  // namespace sbp

#endif  // PASSES_CUT_GROUPSHAPE_H_
