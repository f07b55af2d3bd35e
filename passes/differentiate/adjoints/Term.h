// Gradients written as formulas.
//
// A Term is a tensor value together with the builder of a gradient's ops. With
// Terms, the adjoint of y = tanh(x) reads as it does on paper:
//
//   Term y = g.at(op.getResult());
//   return {g * (1.0 - y * y)};
//
// Shapes broadcast as in nn ops. A number becomes a scalar constant of the
// element type of the other operand.

#ifndef PASSES_DIFFERENTIATE_ADJOINTS_TERM_H_
#define PASSES_DIFFERENTIATE_ADJOINTS_TERM_H_

#include <utility>

#include "dialects/support/LLVM.h"

namespace sbp {

/// A tensor value in a formula, and the builder and location of the formula's
/// ops.
class Term {
 public:
  /// Constructs a term of `value` for a formula whose ops are built at
  /// `builder` with `location`.
  Term(OpBuilder& builder, Location location, Value value)
      : builder_(&builder), location_(location), value_(value) {}

  operator Value() const { return value_; }

  /// Returns `other` as a term of the same formula.
  Term at(Value other) const { return Term(*builder_, location_, other); }

  /// Returns `number` as a scalar constant of this term's element type.
  Term scalar(double number) const;

  /// Builds an op of type `OpType` in this formula, by OpType::create(builder,
  /// location, arguments...).
  template <typename OpType, typename... Arguments>
  OpType build(Arguments&&... arguments) const {
    return OpType::create(*builder_, location_,
                          std::forward<Arguments>(arguments)...);
  }

  ArrayRef<int64_t> shape() const;
  Type elementType() const;

  /// Returns the elements of this term, cast to `type`.
  Term withElements(Type type) const;

  /// Returns the elements of this term in shape `shape`.
  Term reshaped(ArrayRef<int64_t> shape) const;

 private:
  OpBuilder* builder_;
  Location location_;
  Value value_;
};

Term operator-(Term term);
Term operator+(Term lhs, Term rhs);
Term operator-(Term lhs, Term rhs);
Term operator*(Term lhs, Term rhs);
Term operator/(Term lhs, Term rhs);
Term operator-(double lhs, Term rhs);
Term operator*(double lhs, Term rhs);

/// Return a mask of i1 that compares elements.
Term isEqual(Term lhs, Term rhs);
Term isLess(Term lhs, Term rhs);

/// Returns `onTrue` where `mask` is true, and `onFalse` elsewhere.
Term select(Term mask, Term onTrue, Term onFalse);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_ADJOINTS_TERM_H_
