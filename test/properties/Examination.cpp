#include "test/properties/Examination.h"

#include "fmt/format.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/TrainingStep.h"

namespace sbp::properties {
namespace {

/// How exactly programs of a type compute.
struct Precision {
  Type type;
  /// What the order of additions, and the like, may change.
  double rounding;
  /// Beyond it a difference is one.
  double tolerance;
};

Precision randomPrecision(MLIRContext* context, Choices& choices) {
  if (choices.chance(12)) return {mlir::Float32Type::get(context), 1e-6, 1e-3};
  return {mlir::Float64Type::get(context), 1e-14, 1e-9};
}

LogicalResult bringTo(Form form, ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  addPassesTo(form, {}, passes);
  return passes.run(module);
}

std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

class Examiner {
 public:
  Examiner(MLIRContext* context, Choices& choices, uint64_t seed)
      : context_(context),
        choices_(choices),
        seed_(seed),
        handler_(context, [this](mlir::Diagnostic& diagnostic) {
          diagnostics_ += diagnostic.str() + "\n";
          for (mlir::Diagnostic& note : diagnostic.getNotes())
            diagnostics_ += "  " + note.str() + "\n";
        }) {}

  Examination run();

 private:
  /// Wrong, as far as `module` shows.
  Examination wrong(StringRef what, ModuleOp module) {
    return {Verdict::Wrong, fmt::format("{}\n{}\n{}", what.str(), diagnostics_,
                                        textOf(module) + logicalText_)};
  }

  bool dependsOnRounding(ModuleOp differentiated,
                         ArrayRef<interpreter::Tensor> arguments,
                         const TrainingStep& expected, Precision precision);

  MLIRContext* context_;
  Choices& choices_;
  uint64_t seed_;
  std::string diagnostics_;
  std::string logicalText_;
  mlir::ScopedDiagnosticHandler handler_;
};

Examination Examiner::run() {
  Precision precision = randomPrecision(context_, choices_);
  RandomProgram program = randomProgram(context_, precision.type, choices_);
  ModuleOp module = *program.module;
  SmallVector<interpreter::Tensor> arguments = program.arguments(seed_);
  if (failed(mlir::verify(module)) || failed(bringTo(Form::Logical, module)))
    return wrong("the program does not verify", module);
  logicalText_ = "\nof the logical program\n" + textOf(module);
  if (failed(bringTo(Form::Differentiated, module)))
    return wrong("the program cannot be differentiated", module);

  FailureOr<TrainingStep> expected = stepOnOneDevice(module, arguments, seed_);
  if (failed(expected)) return wrong("one device cannot run it", module);

  mlir::OwningOpRef<ModuleOp> differentiated = module.clone();
  if (failed(placeAtRandom(module, choices_)))
    return wrong("a legal placement is not accepted", module);
  mlir::OwningOpRef<ModuleOp> placed = module.clone();
  if (failed(bringTo(Form::Placed, *placed)))
    return wrong("what was placed is not of the placed form", *placed);
  if (failed(bringTo(Form::Local, module)))
    return wrong("the placed program cannot be split over ranks", *placed);
  FailureOr<TrainingStep> actual = stepOnRanks(module, arguments, seed_);
  if (failed(actual)) return wrong("the ranks cannot run it", module);

  std::string where;
  double far = distance(*actual, *expected, &where);
  if (far <= precision.tolerance) return {};
  if (dependsOnRounding(*differentiated, arguments, *expected, precision))
    return {Verdict::Undecidable, ""};
  return wrong(fmt::format("{} of the ranks is {} away from that of one device",
                           where, far),
               *placed);
}

bool Examiner::dependsOnRounding(ModuleOp differentiated,
                                 ArrayRef<interpreter::Tensor> arguments,
                                 const TrainingStep& expected,
                                 Precision precision) {
  for (uint64_t trial = 0; trial < 10; ++trial) {
    FailureOr<TrainingStep> inexact =
        stepOnOneDevice(differentiated, arguments, seed_,
                        inexactEvaluators(context_, trial, precision.rounding));
    std::string where;
    if (failed(inexact) ||
        distance(*inexact, expected, &where) > precision.tolerance)
      return true;
  }
  return false;
}

}  // namespace

Examination examine(MLIRContext* context, Choices& choices, uint64_t seed) {
  return Examiner(context, choices, seed).run();
}

mlir::OwningOpRef<ModuleOp> differentiatedProgram(MLIRContext* context,
                                                  uint64_t seed) {
  Choices choices(seed);
  Precision precision = randomPrecision(context, choices);
  RandomProgram program = randomProgram(context, precision.type, choices);
  if (failed(bringTo(Form::Differentiated, *program.module))) return {};
  return std::move(program.module);
}

}  // namespace sbp::properties
