#include "codegen/kernels/families/NormRows.h"

namespace sbp {

using namespace mlir;
using vector::CombiningKind;

NormRows::NormRows(KernelBuilder& builder, ParallelLoops& loops, Value input,
                   bool hasMean, double epsilon)
    : builder_(builder),
      loops_(loops),
      type_(cast<RankedTensorType>(input.getType())),
      shape_(rowsAlong(type_, type_.getRank() - 1)),
      hasMean_(hasMean),
      epsilon_(epsilon) {}

void NormRows::forEach(llvm::function_ref<void(Rows&)> body) {
  loops_.forEachRows(builder_, shape_, elementType(), body);
}

Value NormRows::mean(Rows& rows, llvm::function_ref<Value(Rows::At)> term) {
  Arithmetic x(builder_);
  Value sum = rows.reduce(CombiningKind::ADD, term);
  return x.mul(sum, x.like(sum, 1.0 / shape_.length));
}

Normalizer NormRows::normalizer(Rows& rows, ElementRef input) {
  Arithmetic x(builder_);
  Normalizer result;
  if (hasMean_)
    result.mean = mean(rows, [&](Rows::At at) { return rows.load(input, at); });
  Value variance = mean(rows, [&](Rows::At at) {
    Value value = rows.load(input, at);
    if (hasMean_) value = x.sub(value, result.mean);
    return x.mul(value, value);
  });
  result.scale = x.div(x.like(variance, 1),
                       x.sqrt(x.add(variance, x.like(variance, epsilon_))));
  return result;
}

NormRows::Means NormRows::meansOf(Rows& rows, const Normalizer& normalizer,
                                  ElementRef input, ElementRef gamma,
                                  ElementRef gradient) {
  Arithmetic x(builder_);
  auto scaledGradient = [&](Rows::At at) {
    return x.mul(rows.load(gradient, at), rows.loadShared(gamma, at));
  };
  Means means;
  if (hasMean_) means.gradient = mean(rows, scaledGradient);
  means.correlation = mean(rows, [&](Rows::At at) {
    return x.mul(scaledGradient(at), normalizer.apply(x, rows.load(input, at)));
  });
  return means;
}

Value NormRows::inputGradient(Rows& rows, Rows::At at,
                              const Normalizer& normalizer, const Means& means,
                              ElementRef input, ElementRef gamma,
                              ElementRef gradient) {
  Arithmetic x(builder_);
  Value xHat = normalizer.apply(x, rows.load(input, at));
  Value direction = x.mul(rows.load(gradient, at), rows.loadShared(gamma, at));
  if (means.gradient) direction = x.sub(direction, means.gradient);
  direction = x.sub(direction, x.mul(xHat, means.correlation));
  return x.mul(direction, normalizer.scale);
}

}  // namespace sbp
