// gated_norm_grad: its types, loops, local form, and a kernel for each target.
//
// With u = silu(gate), h = input * u, r = 1 / sqrt(mean(h^2) + epsilon) and n =
// h * r, the result is n * scale. With v = gradient * scale, the gradients are
//
//   of h       d = r * (v - n * mean(v * n))
//   of input   d * u
//   of gate    d * input * silu'(gate)
//   of scale   the sum of gradient * n over all positions

#include "GroupRows.h"
#include "Groups.h"

namespace sbp::mamba {
namespace {

/// Emits the gradients of input and gate. `addTerm` gets gradient * n at a
/// position, which is a term of the gradient of scale, and emits the code that
/// adds or stores it.
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

LogicalResult GatedNormGradOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  if (failed(check(location, adaptor))) return mlir::failure();
  const RankedTensorType input = plainTypeOf(adaptor.getInput()),
                         gradient = plainTypeOf(adaptor.getGradient());
  if (gradient != input)
    return mlir::emitOptionalError(location, "input is ", input,
                                   ", but gradient is ", gradient);
  inferred.append({input, input, plainTypeOf(adaptor.getScale())});
  return mlir::success();
}

// The gradient of scale has the last loop only. The other loops are therefore
// reductions: if one of them is split, this gradient is Partial. The op is
// linear in the gradient of the result, operand 3.
LoopNest GatedNormGradOp::getLoopNest() {
  LoopNest nest;
  const TensorLoops loops =
      addLoops(nest, typeOf(getInput()), getGroups(), Loop::Kind::Reduction);
  nest.operands = {loops, loops, {loops.back()}, loops};
  nest.results = {loops, loops, {loops.back()}};
  nest.partialPasses = {{Reduction::Sum, {3}}};
  nest.flopsPerPoint = 24.0 * typeOf(getScale()).getNumElements() / getGroups();
  return nest;
}

Operation* GatedNormGradOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                       TypeRange results, Shard&) {
  return buildPart(*this, builder, operands, results);
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
  launches.add([&](KernelBuilder& builder,
                   const cuda::KernelArguments& arguments) {
    GroupRows groups(*this, builder, arguments);
    const ElementRef terms = termsIn(builder, arguments.scratch);
    // One row per element of scale, with a term per position. A thread adds up
    // the terms of its row.
    arguments.loops.forEachRows(
        builder, {1, groups.positions(), groups.extent()}, builder.getF32Type(),
        [&](Rows& rows) {
          Value sum =
              rows.reduce(mlir::vector::CombiningKind::ADD,
                          [&](Rows::At at) { return rows.load(terms, at); });
          rows.storeOnePerRow(sum, arguments.results[2]);
        });
  });
}

}  // namespace sbp::mamba
