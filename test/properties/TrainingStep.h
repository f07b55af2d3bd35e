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

/// What a step gives: the loss, and each parameter and piece of optimiser state
/// after it. With the learning rate 1 of SGD that is the parameter less its
/// gradient.
struct TrainingStep {
  interpreter::Tensor loss;
  interpreter::Parameters parameters;
};

/// Runs `@train_step` of whole tensors with `arguments`, of which the last is
/// the learning rate. Parameters begin as `seed` says. Fails after a
/// diagnostic.
FailureOr<TrainingStep> stepOnOneDevice(
    ModuleOp differentiated, ArrayRef<interpreter::Tensor> arguments,
    uint64_t seed,
    const interpreter::Evaluators& evaluators =
        interpreter::standardEvaluators());

/// Likewise by the rank programs of `local`, one thread per rank.
FailureOr<TrainingStep> stepOnRanks(ModuleOp local,
                                    ArrayRef<interpreter::Tensor> arguments,
                                    uint64_t seed);

/// The loss by the rank programs of `local`, as the entry `@loss` gives it.
/// `arguments` may have more behind its own.
FailureOr<interpreter::Tensor> lossOnRanks(
    ModuleOp local, ArrayRef<interpreter::Tensor> arguments, uint64_t seed);

/// Evaluators that compute with errors: the results of ops that round are off
/// at random by up to `relativeError` of their largest element, and of their
/// operands' largest.
interpreter::Evaluators inexactEvaluators(MLIRContext* context, uint64_t seed,
                                          double relativeError);

/// The largest difference between elements of the two, each relative to the
/// largest element of its tensor in `expected`, or to 1e-3 where that is less;
/// infinite when one is NaN and the other is not. `where` becomes the name of
/// the tensor that has it.
double distance(const TrainingStep& actual, const TrainingStep& expected,
                std::string* where);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_TRAININGSTEP_H_
