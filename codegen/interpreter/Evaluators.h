// What each op computes: a table from op names to functions.
//
// An evaluator maps the op's operands to its results. It sees the op for its
// attributes and result types, and no other state, so the table is the meaning
// of a dialect as data. Whoever brings an op brings a row:
//
//   evaluators.add<MyOp>([](MyOp op, ArrayRef<Tensor> operands) {
//     return Tensor(resultType(op), ...);
//   });
//
// The same table serves whole tensors and local ones: a rank's collectives are
// rows that know the rank (RankGrid.h).

#ifndef CODEGEN_INTERPRETER_EVALUATORS_H_
#define CODEGEN_INTERPRETER_EVALUATORS_H_

#include <functional>
#include <type_traits>

#include "codegen/interpreter/Tensor.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/StringMap.h"

namespace sbp::interpreter {

/// The values of an op's results, or of a function's.
using Results = SmallVector<Tensor, 2>;

/// Computes the results of an op. Fails after one diagnostic at the op.
using Evaluator =
    std::function<FailureOr<Results>(Operation* op, ArrayRef<Tensor> operands)>;

class Evaluators {
 public:
  /// Evaluates the ops named `opName` by `evaluator`, also where another one
  /// was in the table.
  void add(StringRef opName, Evaluator evaluator) {
    evaluators_[opName] = std::move(evaluator);
  }

  /// Evaluates `Op` by `function`, which takes the op and its operands and
  /// returns a Tensor, Results, or FailureOr<Results>.
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

  /// The evaluator of an op, or null.
  const Evaluator* find(Operation* op) const {
    auto found = evaluators_.find(op->getName().getStringRef());
    return found == evaluators_.end() ? nullptr : &found->second;
  }

 private:
  llvm::StringMap<Evaluator> evaluators_;
};

/// The type of result `index` of an op, without placement.
RankedTensorType resultType(Operation* op, size_t index = 0);

/// Evaluators of every computing op of `nn`, and of `sbp.pin`, `sbp.cast` and
/// `sbp.box`,
/// which leave a whole tensor as it is.
Evaluators standardEvaluators();

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_EVALUATORS_H_
