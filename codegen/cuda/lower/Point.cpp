#include "codegen/cuda/lower/Point.h"

namespace sbp::cuda {

using namespace mlir;

Point::Point(KernelBuilder& builder)
    : builder_(builder),
      linearIndex_(builder.index(0)),
      isValid_(arith::ConstantIntOp::create(builder, 1, 1)) {}

void Point::add(Value index, int64_t extent) {
  linearIndex_ = builder_.add(builder_.mul(linearIndex_, extent), index);
}

void Point::require(Value condition) {
  isValid_ = builder_.createOrFold<arith::AndIOp>(condition, isValid_);
}

void Point::requireInside(Value index, int64_t extent) {
  // An unsigned comparison also rejects negative indices.
  require(builder_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ult, index,
                                               builder_.index(extent)));
}

}  // namespace sbp::cuda
