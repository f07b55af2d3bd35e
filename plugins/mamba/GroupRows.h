// Code that the kernels of gated_norm and of its gradient share. A kernel is
// made for the local op of a rank, whose groups are those of the rank's part.

#ifndef PLUGINS_MAMBA_GROUPROWS_H_
#define PLUGINS_MAMBA_GROUPROWS_H_

#include "Mamba.h"
#include "codegen/kernels/Arithmetic.h"

namespace sbp::mamba {

/// Emits code for groups: rows of `size_` adjacent elements. All values are
/// vectors of elements of a row, and Arithmetic works on these.
class GroupRows {
 public:
  template <typename Op>
  GroupRows(Op op, KernelBuilder& builder, const KernelArguments& arguments)
      : builder_(builder),
        x_(builder),
        input_(arguments.operands[0]),
        gate_(arguments.operands[1]),
        scale_(arguments.operands[2]),
        groups_(op.getGroups()),
        size_(op.getScale().getType().getNumElements() / groups_),
        epsilon_(op.getEpsilon().convertToDouble()),
        type_(op.getInput().getType()) {}

  /// Number of elements in the last dimension.
  int64_t extent() const { return groups_ * size_; }
  /// Number of positions: the product of all extents but the last.
  int64_t positions() const { return type_.getNumElements() / extent(); }

  /// Emits loops over all groups; `body` emits the code for one group.
  void forEach(const KernelArguments& arguments,
               llvm::function_ref<void(Rows&)> body) {
    arguments.loops.forEachRows(builder_, {positions() * groups_, size_, 1},
                                type_.getElementType(), body);
  }

  /// Returns, for each group, the mean of the elements that `term` returns.
  Value mean(Rows& rows, llvm::function_ref<Value(Rows::At)> term) {
    Value sum = rows.reduce(mlir::vector::CombiningKind::ADD, term);
    return x_.mul(sum, x_.like(sum, 1.0 / size_));
  }

  /// A vector of elements of input and gate, and the values that both ops
  /// compute from them.
  struct Gated {
    Value input, gate, sigmoid, silu;
    Value h;
  };
  Gated load(Rows& rows, Rows::At at) {
    Gated gated;
    gated.input = rows.load(input_, at);
    gated.gate = rows.load(gate_, at);
    gated.sigmoid = x_.sigmoid(gated.gate);
    gated.silu = x_.mul(gated.gate, gated.sigmoid);
    gated.h = x_.mul(gated.input, gated.silu);
    return gated;
  }

  /// Returns 1 / sqrt(mean(h^2) + epsilon) of each group.
  Value inverseRms(Rows& rows) {
    Value square = mean(rows, [&](Rows::At at) {
      Value h = load(rows, at).h;
      return x_.mul(h, h);
    });
    return x_.div(x_.like(square, 1),
                  x_.sqrt(x_.add(square, x_.like(square, epsilon_))));
  }

  /// Returns where `at` lies in a tensor with the shape of scale, [extent()]:
  /// group g begins at g * size_.
  Rows::At inScale(Rows& rows, Rows::At at) {
    Value group = builder_.rem(rows.firstRow(), groups_);
    Value offset = builder_.add(builder_.mul(group, size_), at.along);
    return {offset, at.along, at.count};
  }
  Value loadScale(Rows& rows, Rows::At at) {
    return rows.load(scale_, inScale(rows, at));
  }

 private:
  KernelBuilder& builder_;
  Arithmetic x_;
  ElementRef input_, gate_, scale_;
  int64_t groups_, size_;
  double epsilon_;
  RankedTensorType type_;
};

}  // namespace sbp::mamba

#endif  // PLUGINS_MAMBA_GROUPROWS_H_
