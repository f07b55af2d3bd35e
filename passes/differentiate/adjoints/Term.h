// Gradients written as formulas.
//
// A Term is a tensor value that knows where the ops of the gradient are being
// built, so that the adjoint of y = tanh(x) reads as it does on paper:
//
//   Term y = g.at(op.getResult());
//   return {g * (1.0 - y * y)};
//
// Shapes broadcast as those of the nn ops do; numbers become scalar constants
// of the element type at hand.

#ifndef PASSES_DIFFERENTIATE_ADJOINTS_TERM_H_
#define PASSES_DIFFERENTIATE_ADJOINTS_TERM_H_

#include <utility>

#include "dialects/support/LLVM.h"

namespace sbp {

class Term {
 public:
  /// `value`, in formulas that are built at `builder` with `location`.
  Term(OpBuilder& builder, Location location, Value value)
      : builder(&builder), location(location), value(value) {}

  operator Value() const { return value; }

  /// Another value in the same formula.
  Term at(Value other) const { return Term(*builder, location, other); }

  /// A scalar tensor of this term's element type.
  Term scalar(double number) const;

  /// The op `OpType` in this formula, its result types inferred.
  template <typename OpType, typename... Arguments>
  OpType build(Arguments&&... arguments) const {
    return OpType::create(*builder, location,
                          std::forward<Arguments>(arguments)...);
  }

  ArrayRef<int64_t> shape() const;
  Type elementType() const;

  /// The same elements as elements of `type`.
  Term withElements(Type type) const;

  /// The same elements in `shape`.
  Term reshaped(ArrayRef<int64_t> shape) const;

 private:
  OpBuilder* builder;
  Location location;
  Value value;
};

Term operator-(Term term);
Term operator+(Term lhs, Term rhs);
Term operator-(Term lhs, Term rhs);
Term operator*(Term lhs, Term rhs);
Term operator/(Term lhs, Term rhs);
Term operator-(double lhs, Term rhs);
Term operator*(double lhs, Term rhs);

/// Masks, i1.
Term isEqual(Term lhs, Term rhs);
Term isLess(Term lhs, Term rhs);

/// `onTrue` where `mask`, else `onFalse`.
Term select(Term mask, Term onTrue, Term onFalse);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_ADJOINTS_TERM_H_
