// One training step of a differentiated program: on one device, and on the
// ranks of a mesh.

#ifndef TEST_PROPERTIES_TRAININGSTEP_H_
#define TEST_PROPERTIES_TRAININGSTEP_H_

#include <cstdint>
#include <string>

#include "codegen/interpreter/Parameters.h"
#include "codegen/interpreter/Tensor.h"
#include "codegen/interpreter/evaluate/StandardEvaluators.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp::properties {

/// The result of a step: the loss, and each parameter and tensor of the
/// optimiser's state after the step. With SGD and the learning rate 1 a
/// parameter becomes its old value minus its gradient.
struct TrainingStep {
  interpreter::Tensor loss;
  interpreter::Parameters parameters;
};

/// Runs `@train_step` of `differentiated` on whole tensors. The last of
/// `arguments` is the learning rate. The initial values of parameters depend on
/// `seed`. Fails with a diagnostic.
FailureOr<TrainingStep> stepOnOneDevice(
    ModuleOp differentiated, ArrayRef<interpreter::Tensor> arguments,
    uint64_t seed,
    const interpreter::Evaluators& evaluators =
        interpreter::standardEvaluators());

/// Runs `@train_step` of the rank programs of `local`, with one thread per
/// rank. `arguments` and `seed` are as for stepOnOneDevice.
FailureOr<TrainingStep> stepOnRanks(ModuleOp local,
                                    ArrayRef<interpreter::Tensor> arguments,
                                    uint64_t seed);

/// Returns the result of the entry `@loss` of the rank programs of `local`.
/// `arguments` may have further elements, which are ignored.
FailureOr<interpreter::Tensor> lossOnRanks(
    ModuleOp local, ArrayRef<interpreter::Tensor> arguments, uint64_t seed);

/// Returns evaluators with random errors. The results of ops that round are
/// wrong by up to `relativeError` times the largest magnitude in the operands
/// and the result.
interpreter::Evaluators inexactEvaluators(MLIRContext* context, uint64_t seed,
                                          double relativeError);

/// Returns the largest difference between elements of `actual` and `expected`,
/// each relative to the largest element of its tensor in `expected`, or to 1e-3
/// if that is larger. The difference is infinite if only one of the elements is
/// NaN, if they are infinite and differ, or if a tensor has another type or is
/// missing. Sets `where` to the name of the tensor with the largest difference.
double distance(const TrainingStep& actual, const TrainingStep& expected,
                std::string* where);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_TRAININGSTEP_H_
