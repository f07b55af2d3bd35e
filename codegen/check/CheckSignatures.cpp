#include "codegen/check/CheckSignatures.h"

#include <string>
#include <utility>
#include <vector>

#include "codegen/check/Counterexample.h"
#include "codegen/check/Difference.h"
#include "codegen/check/DistributedRun.h"
#include "codegen/check/SignatureChoices.h"
#include "codegen/interpreter/Random.h"
#include "dialects/sbp/DistributedOp.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/diagnostics/HeldDiagnostics.h"

namespace sbp::check {
namespace {

// Tolerance relative to the largest magnitude of a result. Kernels compute in
// f32, which has a relative rounding error of 1.2e-7, and terms of a sum may be
// ten times as large as their sum. If a rule is false, the error is of the
// order of the result.
constexpr double kTolerance = 1e-3;
/// Largest number of choices that are run on a mesh of several axes, since
/// their number grows exponentially with the number of axes.
constexpr size_t kMostChoices = 24;
/// Tolerance relative to the largest magnitude of the operands, because results
/// may be small differences of operands.
constexpr double kToleranceOfOperands = 1e-5;

std::string sizesOf(const Mesh& mesh) {
  return llvm::join(llvm::map_range(mesh.axes,
                                    [](const MeshAxis& axis) {
                                      return std::to_string(axis.size);
                                    }),
                    " x ");
}

/// Returns the choices to run on `mesh`: all legal ones if it has one axis, or
/// else at most kMostChoices, drawn at random.
std::vector<SignatureChoice> choicesToRun(const LoopNest& nest,
                                          const Mesh& mesh) {
  std::vector<SignatureChoice> choices = legalChoices(nest, mesh);
  if (mesh.axes.size() == 1 || choices.size() <= kMostChoices) return choices;
  const interpreter::CountedRandom random(/*seed=*/1, sizesOf(mesh));
  for (size_t i = 0; i < kMostChoices; ++i)
    std::swap(
        choices[i],
        choices[random.integer(i, static_cast<int64_t>(i),
                               static_cast<int64_t>(choices.size()) - 1)]);
  choices.resize(kMostChoices);
  return choices;
}

/// Returns a clause that says which method of the op declares `choice`.
StringRef sourceOf(ArrayRef<Signature> choice) {
  return communicates(choice) ? ", which getCommunicatingSignatures adds"
                              : ", which its loops declare";
}

LogicalResult checkChoice(Operation* op, ArrayRef<Signature> choice,
                          const Mesh& mesh, const Sample& sample,
                          const interpreter::Evaluators& evaluators) {
  FailureOr<interpreter::Results> inParts = failure();
  std::string reason;
  {
    HeldDiagnostics held(op->getContext(), HeldDiagnostics::Which::All);
    inParts = runDistributed(op, choice, mesh, sample.operands, evaluators,
                             /*seed=*/1);
    if (failed(inParts)) reason = reasonOf(held.take());
  }
  if (failed(inParts))
    return counterexample(op, {})
           << "cannot run by the signature " << toString(choice)
           << sourceOf(choice) << ", on a mesh of " << sizesOf(mesh) << ": "
           << reason;
  const std::optional<Difference> difference =
      firstDifference(*inParts, sample.results, kTolerance,
                      kToleranceOfOperands * largestMagnitude(sample.operands));
  if (!difference) return success();
  return counterexample(op, sample.operands)
         << "is wrong by the signature " << toString(choice) << sourceOf(choice)
         << ", on a mesh of " << sizesOf(mesh) << ": "
         << difference->element("result") << " is " << difference->actual
         << " in parts and " << difference->expected << " in the whole";
}

}  // namespace

FailureOr<int64_t> checkSignatures(Operation* op, ArrayRef<Mesh> meshes,
                                   ArrayRef<Sample> samples,
                                   const interpreter::Evaluators& evaluators) {
  const LoopNest nest = loopNestOf(op);
  int64_t numChoices = 0;
  for (const Mesh& mesh : meshes)
    for (const SignatureChoice& choice : choicesToRun(nest, mesh)) {
      for (const Sample& sample : samples)
        if (failed(checkChoice(op, choice, mesh, sample, evaluators)))
          return failure();
      ++numChoices;
    }
  return numChoices;
}

}  // namespace sbp::check
