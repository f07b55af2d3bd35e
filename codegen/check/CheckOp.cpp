#include "codegen/check/CheckOp.h"

#include <algorithm>

#include "codegen/check/CheckAdjoint.h"
#include "codegen/check/CheckInPlace.h"
#include "codegen/check/CheckSignatures.h"
#include "codegen/check/Counterexample.h"
#include "codegen/check/RunSafely.h"
#include "codegen/check/Samples.h"
#include "codegen/check/SmallOps.h"
#include "codegen/interpreter/evaluate/StandardEvaluators.h"
#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/diagnostics/HeldDiagnostics.h"
#include "passes/placement/VerifySignatures.h"

namespace sbp::check {
namespace {

Mesh meshOf(ArrayRef<int64_t> sizes) {
  Mesh mesh;
  for (auto [axis, size] : llvm::enumerate(sizes))
    mesh.axes.push_back({"axis" + std::to_string(axis), size});
  return mesh;
}

/// Returns the ops named `name` that `draw` draws from `small`. Fails after an
/// error at `location` if the code of one of them crashes.
FailureOr<std::vector<Operation*>> drawSafely(
    Location location, StringRef name, const SmallOps& small,
    llvm::function_ref<std::vector<Operation*>()> draw) {
  std::vector<Operation*> ops;
  if (runSafely(location.getContext(), [&] { ops = draw(); })) return ops;
  mlir::InFlightDiagnostic error = mlir::emitError(location);
  error << "'" << name << "' op crashes while it is created and verified";
  if (const OpTrial* trial = small.lastTried())
    error << ", with " << trial->str();
  return error;
}

}  // namespace

OpChecker::OpChecker(MLIRContext* context, const cpu::Target& target,
                     Thoroughness thoroughness)
    : context_(context),
      thoroughness_(std::move(thoroughness)),
      kernels_(target),
      evaluators_(interpreter::standardEvaluators()) {
  // The dialects of the programs in which ops are run.
  context->loadDialect<mlir::func::FuncDialect, nn::NnDialect, SbpDialect,
                       rank::RankDialect>();
  for (const std::vector<int64_t>& sizes : thoroughness_.meshes)
    meshes_.push_back(meshOf(sizes));
  evaluators_.addForOthers(
      [this](Operation* op, ArrayRef<interpreter::Tensor> operands) {
        return kernels_.evaluate(op, operands);
      });
}

FailureOr<OpChecks> OpChecker::checkLike(Operation* op) {
  SmallOps small(context_);
  const FailureOr<std::vector<Operation*>> instances =
      drawSafely(op->getLoc(), op->getName().getStringRef(), small,
                 [&] { return small.like(op, thoroughness_.numInstances); });
  if (failed(instances)) return failure();
  if (!instances->empty()) return check(*instances);
  OpChecks checks;
  checks.obstacle =
      "its verifier accepts no shapes that are small enough to run";
  return checks;
}

FailureOr<OpChecks> OpChecker::checkNamed(mlir::RegisteredOperationName name) {
  SmallOps small(context_);
  const FailureOr<std::vector<Operation*>> instances =
      drawSafely(mlir::UnknownLoc::get(context_), name.getStringRef(), small,
                 [&] { return small.named(name, thoroughness_.numInstances); });
  if (failed(instances)) return failure();
  // A verifier may leave some checks to the loops if enough of the ops that are
  // drawn are valid.
  if (const Refusal* misfit = small.misfit();
      misfit && instances->size() < thoroughness_.numInstances)
    return counterexample(misfit->misfit, {})
           << "is accepted by its verifier, but its loops do not fit: it "
           << misfit->message;
  if (!instances->empty()) return check(*instances);
  OpChecks checks;
  checks.obstacle =
      "its verifier accepts no operands and attributes that were drawn at "
      "random; a model that has the op shows which it takes";
  if (const Refusal* refusal = small.lastRefusal())
    checks.obstacle += " (the last refusal: " + refusal->message + ")";
  return checks;
}

FailureOr<OpChecks> OpChecker::check(ArrayRef<Operation*> instances) {
  OpChecks checks;
  for (Operation* instance : instances) {
    HeldDiagnostics held(context_, HeldDiagnostics::Which::All);
    if (!kernels_.takes(instance)) {
      checks.obstacle = reasonOf(held.take());
      return checks;
    }
  }
  for (Operation* instance : instances) {
    const llvm::PrettyStackTraceFormat task(
        "checking '%s'", instance->getName().getStringRef().str().c_str());
    LogicalResult isRight = failure();
    if (!runSafely(context_, [&] { isRight = check(instance, checks); }))
      return counterexample(instance, {}) << "crashes while it is checked";
    if (failed(isRight)) return failure();
  }
  return checks;
}

LogicalResult OpChecker::check(Operation* op, OpChecks& checks) {
  interpreter::Evaluators evaluators = evaluators_;
  const interpreter::Evaluator own =
      [this](Operation* own, ArrayRef<interpreter::Tensor> operands) {
        return kernels_.evaluate(own, operands);
      };
  evaluators.add(op->getName().getStringRef(), own);

  if (failed(verifyPlacedTypes(llvm::cast<DistributedOpInterface>(op))))
    return failure();
  FailureOr<std::vector<Sample>> samples = samplesOf(op, own);
  if (failed(samples)) return failure();
  samples->resize(std::min(samples->size(), thoroughness_.numSamples));
  const FailureOr<int64_t> inPlace = checkInPlace(op, *samples, kernels_);
  if (failed(inPlace)) return failure();
  const FailureOr<int64_t> choices =
      checkSignatures(op, meshes_, *samples, evaluators);
  if (failed(choices)) return failure();
  const FailureOr<int64_t> gradients = checkAdjoint(op, *samples, evaluators);
  if (failed(gradients)) return failure();
  ++checks.numInstances;
  checks.numChoices += *choices;
  checks.numGradients += *gradients;
  checks.numInPlace += *inPlace;
  return success();
}

}  // namespace sbp::check
