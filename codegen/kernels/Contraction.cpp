#include "codegen/kernels/Contraction.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace sbp {
namespace {

enum class Role { kBatch, kRow, kColumn, kSummed };

Role roleOf(const ContractionLoop& loop) {
  if (loop.isSummed()) return Role::kSummed;
  if (loop.a && loop.b) return Role::kBatch;
  return loop.b ? Role::kColumn : Role::kRow;
}

/// Whether one step of `outer` moves as far, in all tensors, as `inner` does in
/// its whole extent.
bool canMerge(const ContractionLoop& outer, const ContractionLoop& inner) {
  return outer.a == inner.a * inner.extent &&
         outer.b == inner.b * inner.extent && outer.c == inner.c * inner.extent;
}

/// Merges loops of one role that step through memory as a single loop would.
void merge(llvm::SmallVector<ContractionLoop>& loops) {
  for (size_t i = 0; i < loops.size(); ++i)
    for (size_t j = 0; j < loops.size(); ++j) {
      if (i == j || !canMerge(loops[i], loops[j])) continue;
      loops[j].extent *= loops[i].extent;
      loops.erase(loops.begin() + i);
      return merge(loops);
    }
}

/// Removes the best loop from `loops` and returns it. Returns a loop of one
/// iteration and strides 0 if there is none.
template <typename Better>
ContractionLoop takeBest(llvm::SmallVector<ContractionLoop>& loops,
                         Better isBetter) {
  if (loops.empty()) return ContractionLoop();
  auto best = std::max_element(loops.begin(), loops.end(),
                               [&](const auto& left, const auto& right) {
                                 return isBetter(right, left);
                               });
  ContractionLoop taken = *best;
  loops.erase(best);
  return taken;
}

}  // namespace

llvm::SmallVector<ContractionLoop> Contraction::parallelLoops() const {
  llvm::SmallVector<ContractionLoop> loops = outer;
  loops.append(outerRows);
  loops.push_back(m);
  loops.push_back(n);
  return loops;
}

llvm::SmallVector<ContractionLoop> Contraction::summedLoops() const {
  llvm::SmallVector<ContractionLoop> loops = outerSummed;
  loops.push_back(segments);
  loops.push_back(k);
  return loops;
}

Contraction arrange(llvm::SmallVector<ContractionLoop> loops) {
  std::map<Role, llvm::SmallVector<ContractionLoop>> byRole;
  for (const ContractionLoop& loop : loops)
    if (loop.extent != 1) byRole[roleOf(loop)].push_back(loop);
  for (auto& [role, group] : byRole) merge(group);

  auto writesInOrder = [](const ContractionLoop& loop) { return loop.c == 1; };
  Contraction result;
  // Vectors run along n, so the result should be contiguous along n.
  if (std::any_of(byRole[Role::kRow].begin(), byRole[Role::kRow].end(),
                  writesInOrder)) {
    std::swap(byRole[Role::kRow], byRole[Role::kColumn]);
    for (auto& [role, group] : byRole)
      for (ContractionLoop& loop : group) std::swap(loop.a, loop.b);
    result.isSwapped = true;
  }

  auto isLonger = [](const auto& x, const auto& y) {
    return x.extent > y.extent;
  };
  result.m = takeBest(byRole[Role::kRow], isLonger);
  result.n = takeBest(byRole[Role::kColumn], [&](const auto& x, const auto& y) {
    return std::pair(writesInOrder(x), x.extent) >
           std::pair(writesInOrder(y), y.extent);
  });
  result.k = takeBest(byRole[Role::kSummed], [](const auto& x, const auto& y) {
    auto isContiguous = [](const auto& loop) {
      return loop.a == 1 || loop.b == 1;
    };
    return std::pair(isContiguous(x), x.extent) >
           std::pair(isContiguous(y), y.extent);
  });
  result.segments = takeBest(byRole[Role::kSummed], isLonger);
  result.outer = byRole[Role::kBatch];
  result.outer.append(byRole[Role::kColumn]);
  result.outerRows = byRole[Role::kRow];
  result.outerSummed = byRole[Role::kSummed];
  return result;
}

/// The member of ContractionLoop that is the stride in one of the tensors.
using StrideOfOperand = decltype(&ContractionLoop::a);

Contraction contractionOf(llvm::StringRef equation,
                          llvm::ArrayRef<int64_t> leftShape,
                          llvm::ArrayRef<int64_t> rightShape) {
  auto [inputs, result] = equation.split("->");
  auto [left, right] = inputs.split(',');
  assert(left.size() == leftShape.size() && right.size() == rightShape.size());

  // Loops stand in the order of first appearance, so that equal problems give
  // equal code.
  llvm::SmallVector<ContractionLoop> loops;
  std::map<char, size_t> loopOf;
  auto addOperand = [&](llvm::StringRef indices, auto extentOf,
                        StrideOfOperand stride) {
    int64_t step = 1;
    for (size_t position = indices.size(); position-- > 0;) {
      auto [entry, isNew] = loopOf.try_emplace(indices[position], loops.size());
      if (isNew) loops.emplace_back();
      ContractionLoop& loop = loops[entry->second];
      loop.extent = extentOf(position, loop);
      loop.*stride += step;
      // Also in an empty tensor, a loop that indexes the tensor gets a stride
      // other than 0, since strides tell which loops index a tensor.
      step *= std::max<int64_t>(loop.extent, 1);
    }
  };
  addOperand(
      left, [&](size_t i, auto&) { return leftShape[i]; }, &ContractionLoop::a);
  addOperand(
      right, [&](size_t i, auto&) { return rightShape[i]; },
      &ContractionLoop::b);
  addOperand(
      result, [](size_t, auto& loop) { return loop.extent; },
      &ContractionLoop::c);
  return arrange(std::move(loops));
}

}  // namespace sbp
