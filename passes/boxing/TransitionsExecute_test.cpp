// Executes every transition step by step on integers: the tensor that N ranks
// hold at the end must be the tensor that they held at the beginning.
//
// The Grid below models what a step does to the members of a group, as the rank
// dialect defines it. It knows nothing about which steps are legal or cheap.

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/boxing/Transitions.h"

namespace sbp {
namespace {

/// A matrix of integers.
struct Matrix {
  int64_t rows = 0, columns = 0;
  std::vector<int64_t> elements;

  Matrix() = default;
  Matrix(int64_t rows, int64_t columns, int64_t value)
      : rows(rows), columns(columns), elements(rows * columns, value) {}

  int64_t& at(int64_t row, int64_t column) {
    return elements[row * columns + column];
  }
  int64_t at(int64_t row, int64_t column) const {
    return elements[row * columns + column];
  }
  int64_t extent(int64_t dim) const { return dim == 0 ? rows : columns; }

  Matrix slice(int64_t dim, Interval part) const {
    Matrix result(dim == 0 ? part.size() : rows,
                  dim == 0 ? columns : part.size(), 0);
    for (int64_t row = 0; row < result.rows; ++row)
      for (int64_t column = 0; column < result.columns; ++column)
        result.at(row, column) = at(row + (dim == 0 ? part.begin : 0),
                                    column + (dim == 1 ? part.begin : 0));
    return result;
  }

  void paste(const Matrix& source, int64_t dim, int64_t begin) {
    for (int64_t row = 0; row < source.rows; ++row)
      for (int64_t column = 0; column < source.columns; ++column)
        at(row + (dim == 0 ? begin : 0), column + (dim == 1 ? begin : 0)) =
            source.at(row, column);
  }

  friend bool operator==(const Matrix& a, const Matrix& b) {
    return a.rows == b.rows && a.columns == b.columns &&
           a.elements == b.elements;
  }
};

constexpr int64_t kFar = 1'000'000;

int64_t identityOf(Reduction reduction) {
  switch (reduction) {
    case Reduction::Sum:
      return 0;
    case Reduction::Max:
      return -kFar;
    case Reduction::Min:
      return kFar;
  }
  return 0;
}

int64_t combine(Reduction reduction, int64_t a, int64_t b) {
  switch (reduction) {
    case Reduction::Sum:
      return a + b;
    case Reduction::Max:
      return std::max(a, b);
    case Reduction::Min:
      return std::min(a, b);
  }
  return 0;
}

/// Returns the ranks that differ from `rank` only along `axes`, row-major.
std::vector<int64_t> groupOf(int64_t rank, llvm::ArrayRef<int64_t> axes,
                             const Mesh& mesh) {
  std::vector<int64_t> group;
  auto mine = mesh.coordinatesOf(rank);
  for (int64_t other = 0; other < mesh.numRanks(); ++other) {
    auto theirs = mesh.coordinatesOf(other);
    bool isMember = true;
    for (size_t axis = 0; axis < mesh.axes.size(); ++axis)
      isMember &= theirs[axis] == mine[axis] ||
                  llvm::is_contained(axes, static_cast<int64_t>(axis));
    // Ranks ascend row-major over all axes, and so over `axes`.
    if (isMember) group.push_back(other);
  }
  return group;
}

/// Returns the part of an extent that `rank` owns if exactly `axes` split it.
Interval partOver(int64_t extent, llvm::ArrayRef<int64_t> axes, int64_t rank,
                  const Mesh& mesh) {
  Placement placement(mesh.axes.size());
  for (int64_t axis : axes) placement[axis] = Component::split(0);
  return partOf(extent, 0, placement, mesh, mesh.coordinatesOf(rank));
}

/// The local tensors of all ranks.
class Grid {
 public:
  Grid(const Matrix& whole, llvm::ArrayRef<Component> placement,
       const Mesh& mesh)
      : mesh_(mesh) {
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
      locals_.push_back(expectedValue(whole, placement, rank));
    for (const Component& component : placement)
      if (component.isPartial()) {
        breakIntoTerms(placement, component.reduction());
        break;
      }
  }

  void run(const BoxingStep& step) {
    std::vector<Matrix> before = locals_;
    for (int64_t rank = 0; rank < mesh_.numRanks(); ++rank)
      locals_[rank] = after(step, before, rank);
  }

  /// Whether the ranks hold `whole` in the placement `placement`.
  bool holds(const Matrix& whole, llvm::ArrayRef<Component> placement) const {
    llvm::SmallVector<int64_t, 3> partialAxes;
    for (auto [axis, component] : llvm::enumerate(placement))
      if (component.isPartial()) partialAxes.push_back(axis);
    for (int64_t rank = 0; rank < mesh_.numRanks(); ++rank) {
      Matrix value = locals_[rank];
      if (!partialAxes.empty())
        value = reduced(locals_, groupOf(rank, partialAxes, mesh_),
                        placement[partialAxes.front()].reduction());
      if (!(value == expectedValue(whole, placement, rank))) return false;
    }
    return true;
  }

 private:
  /// Returns the part of `whole` that `rank` owns after its terms are combined.
  Matrix expectedValue(const Matrix& whole, llvm::ArrayRef<Component> placement,
                       int64_t rank) const {
    auto coordinates = mesh_.coordinatesOf(rank);
    return whole.slice(0, partOf(whole.rows, 0, placement, mesh_, coordinates))
        .slice(1, partOf(whole.columns, 1, placement, mesh_, coordinates));
  }

  /// Replaces the value in each group over the Partial axes by terms of it.
  void breakIntoTerms(llvm::ArrayRef<Component> placement,
                      Reduction reduction) {
    llvm::SmallVector<int64_t, 3> axes;
    for (auto [axis, component] : llvm::enumerate(placement))
      if (component.isPartial()) axes.push_back(axis);
    for (int64_t rank = 0; rank < mesh_.numRanks(); ++rank) {
      std::vector<int64_t> group = groupOf(rank, axes, mesh_);
      if (group.front() != rank) continue;
      for (size_t i = 0; i < locals_[rank].elements.size(); ++i) {
        int64_t value = locals_[rank].elements[i];
        // One member has the remainder of the sum, or the extremum itself.
        size_t keeper = i % group.size();
        int64_t rest = value;
        for (size_t member = 0; member < group.size(); ++member) {
          if (member == keeper) continue;
          // Has both signs, and differs by element and member.
          int64_t noise = static_cast<int64_t>(i * 37 + member * 101) % 41 - 20;
          int64_t term = noise;
          if (reduction == Reduction::Sum) rest -= noise;
          if (reduction == Reduction::Max) term = value - std::abs(noise);
          if (reduction == Reduction::Min) term = value + std::abs(noise);
          locals_[group[member]].elements[i] = term;
        }
        locals_[group[keeper]].elements[i] = rest;
      }
    }
  }

  static Matrix reduced(const std::vector<Matrix>& locals,
                        const std::vector<int64_t>& group,
                        Reduction reduction) {
    Matrix result = locals[group.front()];
    for (size_t member = 1; member < group.size(); ++member)
      for (size_t i = 0; i < result.elements.size(); ++i)
        result.elements[i] = combine(reduction, result.elements[i],
                                     locals[group[member]].elements.at(i));
    return result;
  }

  static Matrix gathered(const std::vector<Matrix>& locals,
                         const std::vector<int64_t>& group, int64_t dim) {
    const Matrix& first = locals[group.front()];
    int64_t extent = 0;
    for (int64_t member : group) extent += locals[member].extent(dim);
    Matrix result(dim == 0 ? extent : first.rows,
                  dim == 1 ? extent : first.columns, 0);
    int64_t begin = 0;
    for (int64_t member : group) {
      result.paste(locals[member], dim, begin);
      begin += locals[member].extent(dim);
    }
    return result;
  }

  Matrix after(const BoxingStep& step, const std::vector<Matrix>& before,
               int64_t rank) const {
    std::vector<int64_t> group = groupOf(rank, step.axes, mesh_);
    auto myPart = [&](const Matrix& matrix, int64_t dim) {
      return matrix.slice(dim,
                          partOver(matrix.extent(dim), step.axes, rank, mesh_));
    };
    switch (step.kind()) {
      case StepKind::AllReduce:
        return reduced(before, group, step.from.reduction());
      case StepKind::AllGather:
        return gathered(before, group, step.from.dim());
      case StepKind::ReduceScatter:
        return myPart(reduced(before, group, step.from.reduction()),
                      step.to.dim());
      case StepKind::AllToAll:
        return myPart(gathered(before, group, step.from.dim()), step.to.dim());
      case StepKind::Slice:
        return myPart(before[rank], step.to.dim());
      case StepKind::Pad: {
        int64_t dim = step.from.dim();
        Matrix result = gathered(before, group, dim);
        Interval part = partOver(result.extent(dim), step.axes, rank, mesh_);
        result = Matrix(result.rows, result.columns,
                        identityOf(step.to.reduction()));
        result.paste(before[rank], dim, part.begin);
        return result;
      }
      case StepKind::ToPartial:
        if (rank == group.front()) return before[rank];
        return Matrix(before[rank].rows, before[rank].columns,
                      identityOf(step.to.reduction()));
    }
    return {};
  }

  const Mesh& mesh_;
  std::vector<Matrix> locals_;
};

Mesh meshOf(std::vector<int64_t> sizes, double outerOverInner) {
  Mesh mesh;
  double factor = 1;
  for (size_t i = sizes.size(); i-- > 0; factor *= outerOverInner)
    mesh.axes.insert(mesh.axes.begin(), {"a" + std::to_string(i), sizes[i],
                                         1e-6 * factor, 1e-9 * factor});
  return mesh;
}

std::vector<Placement> allPlacements(const std::vector<Component>& components,
                                     size_t numAxes) {
  std::vector<Placement> placements = {Placement()};
  for (size_t axis = 0; axis < numAxes; ++axis) {
    std::vector<Placement> longer;
    for (const Placement& placement : placements)
      for (const Component& component : components) {
        longer.push_back(placement);
        longer.back().push_back(component);
      }
    placements = std::move(longer);
  }
  return placements;
}

Matrix numbered(int64_t rows, int64_t columns) {
  Matrix whole(rows, columns, 0);
  std::iota(whole.elements.begin(), whole.elements.end(), 100);
  return whole;
}

/// Runs the transition of every ordered pair of placements over `components` on
/// `mesh`, for matrices whose extents are all pairs of `extents`.
void checkAllPairs(const Mesh& mesh, const std::vector<Component>& components,
                   const std::vector<int64_t>& extents) {
  auto placements = allPlacements(components, mesh.axes.size());
  for (int64_t rows : extents)
    for (int64_t columns : extents) {
      Matrix whole = numbered(rows, columns);
      for (const Placement& from : placements)
        for (const Placement& to : placements) {
          Grid grid(whole, from, mesh);
          ASSERT_TRUE(grid.holds(whole, from)) << "the grid itself is wrong";
          Transition transition =
              cheapestTransition(from, to, {rows, columns}, 4, mesh);
          for (const BoxingStep& step : transition.steps) {
            grid.run(step);
            ASSERT_TRUE(grid.holds(whole, step.result))
                << stringOf(from) << " -> " << stringOf(to) << " at "
                << stringOf(step.kind()).str() << " to "
                << stringOf(step.result) << ", " << rows << " x " << columns;
          }
          ASSERT_TRUE(grid.holds(whole, to))
              << stringOf(from) << " -> " << stringOf(to) << ", " << rows
              << " x " << columns;
        }
    }
}

const std::vector<int64_t> kExtents = {16, 10, 7, 1};

std::vector<Component> componentsWith(Reduction reduction) {
  return {Component::split(0), Component::split(1), Component::broadcast(),
          Component::partial(reduction)};
}

class EveryPair : public testing::TestWithParam<std::vector<int64_t>> {};

TEST_P(EveryPair, arrives_where_outer_links_are_slower) {
  checkAllPairs(meshOf(GetParam(), 20), componentsWith(Reduction::Sum),
                kExtents);
}

TEST_P(EveryPair, arrives_where_inner_links_are_slower) {
  checkAllPairs(meshOf(GetParam(), 0.05), componentsWith(Reduction::Sum),
                {10, 7});
}

TEST_P(EveryPair, arrives_where_links_are_free) {
  Mesh mesh = meshOf(GetParam(), 1);
  for (MeshAxis& axis : mesh.axes)
    axis.latencySeconds = axis.secondsPerByte = 0;
  checkAllPairs(mesh, componentsWith(Reduction::Sum), {10, 7});
}

INSTANTIATE_TEST_SUITE_P(
    Meshes, EveryPair,
    testing::Values(std::vector<int64_t>{2, 2}, std::vector<int64_t>{2, 4},
                    std::vector<int64_t>{2, 2, 2}, std::vector<int64_t>{3},
                    std::vector<int64_t>{2, 3}, std::vector<int64_t>{2, 1, 3}),
    [](const auto& info) {
      std::string name = "mesh";
      for (int64_t size : info.param) name += "_" + std::to_string(size);
      return name;
    });

TEST(EveryPairOfMax, arrives) {
  checkAllPairs(meshOf({2, 2}, 20), componentsWith(Reduction::Max), kExtents);
}

TEST(EveryPairOfMin, arrives) {
  checkAllPairs(meshOf({2, 2}, 20), componentsWith(Reduction::Min), kExtents);
}

}  // namespace
}  // namespace sbp
