#include "codegen/kernels/WindowCode.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace sbp {

using namespace mlir;

WindowCode::WindowCode(KernelBuilder& builder, WindowedShape shape,
                       ArrayRef<ElementRef> first)
    : builder_(builder),
      shape_(std::move(shape)),
      first_(shape_.windows.size(), builder.index(0)) {
  for (auto [dim, ref] : llvm::zip_equal(shape_.firstIn, first))
    first_[dim] = arith::IndexCastOp::create(builder, builder.getIndexType(),
                                             builder.load(ref));
}

Value WindowCode::inputOf(size_t dim, Value output, Value k) {
  const nn::Window& window = shape_.windows[dim];
  output = builder_.add(output, first_[dim]);
  return builder_.add(builder_.add(builder_.mul(output, window.stride),
                                   builder_.mul(k, window.dilation)),
                      -window.low);
}

Value WindowCode::isInside(size_t dim, Value input) {
  if (!shape_.mayCoverPadding(dim))
    return arith::ConstantIntOp::create(builder_, 1, 1);
  // An unsigned comparison also rejects negative indices.
  return builder_.createOrFold<arith::CmpIOp>(
      arith::CmpIPredicate::ult, input, builder_.index(shape_.inputs[dim]));
}

}  // namespace sbp
