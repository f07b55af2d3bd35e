// The kernels of gated_norm and its gradient. A kernel works on the part of a
// rank, whose number of groups the op has.
//
// With u = silu(gate), h = input * u, r = 1 / sqrt(mean(h^2) + epsilon) and
// n = h * r, the result is n * scale. Where v = gradient * scale, the gradients
// are
//
//   of h       d = r * (v - n * mean(v * n))
//   of input   d * u
//   of gate    d * input * silu'(gate)
//   of scale   the sum of gradient * n over all positions

#include "Mamba.h"
#include "codegen/kernels/Arithmetic.h"

namespace sbp::mamba {
namespace {

using mlir::vector::CombiningKind;

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
  /// Number of positions: of all dimensions but the last.
  int64_t positions() const { return type_.getNumElements() / extent(); }

  /// Emits loops over all groups; `body` emits the code for one.
  void forEach(const KernelArguments& arguments,
               llvm::function_ref<void(Rows&)> body) {
    arguments.loops.forEachRows(builder_, {positions() * groups_, size_, 1},
                                type_.getElementType(), body);
  }

  /// Returns the mean over each group of the vectors that `term` returns.
  Value mean(Rows& rows, llvm::function_ref<Value(Rows::At)> term) {
    Value sum = rows.reduce(CombiningKind::ADD, term);
    return x_.mul(sum, x_.like(sum, 1.0 / size_));
  }

  /// The elements of a vector, and what both ops compute from them.
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

  /// Returns r.
  Value inverseRms(Rows& rows) {
    Value square = mean(rows, [&](Rows::At at) {
      Value h = load(rows, at).h;
      return x_.mul(h, h);
    });
    return x_.div(x_.like(square, 1),
                  x_.sqrt(x_.add(square, x_.like(square, epsilon_))));
  }

  /// Returns the position in a tensor like scale, which has the elements of one
  /// position: group g is at g * size.
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

/// Emits the gradients of input and gate. `addTerm` emits what becomes of
/// gradient * n, a term of the gradient of scale, at a position.
void emitRows(GroupRows& groups, KernelBuilder& builder,
              const KernelArguments& arguments,
              llvm::function_ref<void(Rows&, Rows::At, Value)> addTerm) {
  Arithmetic x(builder);
  const ElementRef gradient = arguments.operands[3];
  groups.forEach(arguments, [&](Rows& rows) {
    Value r = groups.inverseRms(rows);
    auto v = [&](Rows::At at) {
      return x.mul(rows.load(gradient, at), groups.loadScale(rows, at));
    };
    Value correlation = groups.mean(rows, [&](Rows::At at) {
      return x.mul(v(at), x.mul(groups.load(rows, at).h, r));
    });
    rows.forEach([&](Rows::At at) {
      const GroupRows::Gated gated = groups.load(rows, at);
      Value n = x.mul(gated.h, r);
      Value d = x.mul(x.sub(v(at), x.mul(n, correlation)), r);
      // silu' = s + u - u * s, where s is the sigmoid.
      Value slope = x.sub(x.add(gated.sigmoid, gated.silu),
                          x.mul(gated.silu, gated.sigmoid));
      Value term = x.mul(rows.load(gradient, at), n);
      // All loads come before the stores: results may be in their buffers.
      addTerm(rows, at, term);
      rows.store(x.mul(d, gated.silu), arguments.results[0], at);
      rows.store(x.mul(x.mul(d, gated.input), slope), arguments.results[1], at);
    });
  });
}

/// Whether result `result` of the gradient may be in the buffer of operand
/// `operand`. The gradient of scale has another shape than the other results,
/// and scale is read until the end.
bool canReplace(unsigned result, unsigned operand) {
  return result != 2 && operand != 2;
}

}  // namespace

// ---- gated_norm, for all targets --------------------------------------------

// An element of the result is stored after all else of its position is loaded.
bool GatedNormOp::canWriteInPlace(unsigned, unsigned operand) {
  return operand != 2;
}

void GatedNormOp::buildKernel(KernelBuilder& builder,
                              const KernelArguments& arguments) {
  Arithmetic x(builder);
  GroupRows groups(*this, builder, arguments);
  groups.forEach(arguments, [&](Rows& rows) {
    Value r = groups.inverseRms(rows);
    rows.forEach([&](Rows::At at) {
      Value n = x.mul(groups.load(rows, at).h, r);
      rows.store(x.mul(n, groups.loadScale(rows, at)), arguments.results[0],
                 at);
    });
  });
}

// ---- gated_norm_grad, for CPUs ----------------------------------------------

bool GatedNormGradOp::canWriteInPlaceOnCpu(unsigned result, unsigned operand) {
  return canReplace(result, operand);
}

// A CPU runs one row after the other, so each adds its terms to the result.
void GatedNormGradOp::buildKernel(KernelBuilder& builder,
                                  const cpu::KernelArguments& arguments) {
  Arithmetic x(builder);
  GroupRows groups(*this, builder, arguments);
  const ElementRef sums = arguments.results[2];
  fill(builder, sums, groups.extent(),
       builder.number(getScale().getType().getElementType(), 0));
  emitRows(groups, builder, arguments,
           [&](Rows& rows, Rows::At at, Value term) {
             const Rows::At sum = groups.inScale(rows, at);
             rows.store(x.add(rows.load(sums, sum), term), sums, sum);
           });
}

// ---- gated_norm_grad, for GPUs ----------------------------------------------

bool GatedNormGradOp::canWriteInPlaceOnGpu(unsigned result, unsigned operand) {
  return canReplace(result, operand);
}

// Scratch memory has a term of the gradient of scale per element, in f32.
int64_t GatedNormGradOp::getGpuScratchBytes() {
  return getInput().getType().getNumElements() * sizeof(float);
}

// Threads that run at the same time cannot add to one element. So a first
// launch writes the terms, and a second one adds them up.
void GatedNormGradOp::buildKernel(cuda::Launches& launches) {
  const auto termsIn = [&](KernelBuilder& builder, ElementRef scratch) {
    return builder.view(scratch, /*offset=*/0, builder.getF32Type(),
                        getInput().getType().getNumElements());
  };
  launches.add(
      [&](KernelBuilder& builder, const cuda::KernelArguments& arguments) {
        GroupRows groups(*this, builder, arguments);
        const ElementRef terms = termsIn(builder, arguments.scratch);
        emitRows(groups, builder, arguments,
                 [&](Rows& rows, Rows::At at, Value term) {
                   rows.store(term, terms, at);
                 });
      });
  launches.add(
      [&](KernelBuilder& builder, const cuda::KernelArguments& arguments) {
        GroupRows groups(*this, builder, arguments);
        const ElementRef terms = termsIn(builder, arguments.scratch);
        // Rows along the positions, side by side: a thread adds up its own.
        arguments.loops.forEachRows(
            builder, {1, groups.positions(), groups.extent()},
            builder.getF32Type(), [&](Rows& rows) {
              Value sum = rows.reduce(CombiningKind::ADD, [&](Rows::At at) {
                return rows.load(terms, at);
              });
              rows.storeOnePerRow(sum, arguments.results[2]);
            });
      });
}

}  // namespace sbp::mamba
