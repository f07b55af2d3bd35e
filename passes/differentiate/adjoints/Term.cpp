#include "passes/differentiate/adjoints/Term.h"

#include "dialects/nn/Nn.h"

namespace sbp {

ArrayRef<int64_t> Term::shape() const {
  return llvm::cast<RankedTensorType>(value_.getType()).getShape();
}

Type Term::elementType() const {
  return llvm::cast<RankedTensorType>(value_.getType()).getElementType();
}

Term Term::scalar(double number) const {
  auto type = RankedTensorType::get({}, elementType());
  Attribute element =
      llvm::isa<mlir::FloatType>(elementType())
          ? Attribute(builder_->getFloatAttr(elementType(), number))
          : builder_->getIntegerAttr(elementType(),
                                     static_cast<int64_t>(number));
  auto literal = mlir::DenseElementsAttr::get(type, element);
  return at(build<nn::ConstantOp>(type, literal));
}

Term Term::withElements(Type type) const {
  if (type == elementType()) return *this;
  return at(build<nn::CastOp>(RankedTensorType::get(shape(), type), value_));
}

Term Term::reshaped(ArrayRef<int64_t> shape) const {
  if (shape == this->shape()) return *this;
  return at(build<nn::ReshapeOp>(RankedTensorType::get(shape, elementType()),
                                 value_));
}

Term operator-(Term term) { return term.at(term.build<nn::NegOp>(term)); }

Term operator+(Term lhs, Term rhs) {
  return lhs.at(lhs.build<nn::AddOp>(lhs, rhs));
}

Term operator-(Term lhs, Term rhs) {
  return lhs.at(lhs.build<nn::SubOp>(lhs, rhs));
}

Term operator*(Term lhs, Term rhs) {
  return lhs.at(lhs.build<nn::MulOp>(lhs, rhs));
}

Term operator/(Term lhs, Term rhs) {
  return lhs.at(lhs.build<nn::DivOp>(lhs, rhs));
}

Term operator-(double lhs, Term rhs) { return rhs.scalar(lhs) - rhs; }
Term operator*(double lhs, Term rhs) { return rhs.scalar(lhs) * rhs; }

Term isEqual(Term lhs, Term rhs) {
  return lhs.at(lhs.build<nn::CompareOp>(nn::Predicate::Equal, lhs, rhs));
}

Term isLess(Term lhs, Term rhs) {
  return lhs.at(lhs.build<nn::CompareOp>(nn::Predicate::Less, lhs, rhs));
}

Term select(Term mask, Term onTrue, Term onFalse) {
  return mask.at(mask.build<nn::SelectOp>(mask, onTrue, onFalse));
}

}  // namespace sbp
