// The table of what each op computes: from op names to functions.
//
// An evaluator maps the operands of an op to its results. It depends only on
// the operands and on the op's attributes and result types, unless the op
// communicates (see below). So the table is the semantics of a dialect as data.
// A library that defines an op adds a row:
//
//   evaluators.add<MyOp>([](MyOp op, ArrayRef<Tensor> operands) {
//     return Tensor(resultType(op), ...);
//   });
//
// The same table serves whole tensors and local ones. Evaluators of collectives
// and transfers also know the rank, and exchange tensors with other ranks
// (Collectives.h, Transfers.h).

#ifndef CODEGEN_INTERPRETER_EVALUATORS_H_
#define CODEGEN_INTERPRETER_EVALUATORS_H_

#include <functional>
#include <type_traits>

#include "codegen/interpreter/Tensor.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/StringMap.h"

namespace sbp::interpreter {

/// Values of the results of an op or a function.
using Results = SmallVector<Tensor, 2>;

/// A function that returns the results of an op on the given operands. Fails
/// after one diagnostic, or without a diagnostic if another rank has failed
/// (Rendezvous.h).
using Evaluator =
    std::function<FailureOr<Results>(Operation* op, ArrayRef<Tensor> operands)>;

/// A table of evaluators, by the name of the op.
class Evaluators {
 public:
  /// Adds `evaluator` for ops named `opName`; replaces an earlier one.
  void add(StringRef opName, Evaluator evaluator) {
    evaluators_[opName] = std::move(evaluator);
  }

  /// Adds `function` as the evaluator of `Op`; replaces an earlier one.
  /// `function` takes the op and its operands, and returns a Tensor, Results,
  /// or FailureOr<Results>.
  template <typename Op, typename Function>
  void add(Function function) {
    add(Op::getOperationName(),
        [function](Operation* op,
                   ArrayRef<Tensor> operands) -> FailureOr<Results> {
          auto result = function(llvm::cast<Op>(op), operands);
          if constexpr (std::is_same_v<decltype(result), Tensor>)
            return Results{result};
          else
            return result;
        });
  }

  /// Sets `evaluator` for all ops for whose name no evaluator was added.
  void addForOthers(Evaluator evaluator) { others_ = std::move(evaluator); }

  /// Returns the evaluator of `op`, or null if there is none.
  const Evaluator* find(Operation* op) const {
    auto found = evaluators_.find(op->getName().getStringRef());
    if (found != evaluators_.end()) return &found->second;
    return others_ ? &others_ : nullptr;
  }

 private:
  llvm::StringMap<Evaluator> evaluators_;
  Evaluator others_;  // null: other ops have no evaluator
};

/// Returns the type of result `index` of an op, without placement.
RankedTensorType resultType(Operation* op, size_t index = 0);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_EVALUATORS_H_
