#include "test/properties/Examination.h"

#include "fmt/format.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/TrainingStep.h"

namespace sbp::properties {
namespace {

/// The precision of programs that compute in one type.
struct Precision {
  /// Relative error that, for example, another order of additions may cause.
  double rounding;
  /// Relative difference above which a value is wrong.
  double tolerance;
};

Precision precisionOf(Type type) {
  if (type.isF32()) return {1e-6, 1e-3};
  if (type.isBF16()) return {1.0 / 256, 0.1};
  return {1e-14, 1e-9};
}

std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

class Examiner {
 public:
  Examiner(RandomProgram program, Choices& choices, uint64_t seed,
           RunOnRanks runOnRanks, PlaceProgram place)
      : program_(std::move(program)),
        module_(*program_.module),
        arguments_(program_.arguments(seed)),
        precision_(precisionOf(program_.floatType)),
        choices_(choices),
        seed_(seed),
        runOnRanks_(runOnRanks),
        place_(place),
        handler_(module_.getContext(), [this](mlir::Diagnostic& diagnostic) {
          diagnostics_ += diagnostic.str() + "\n";
          for (mlir::Diagnostic& note : diagnostic.getNotes())
            diagnostics_ += "  " + note.str() + "\n";
        }) {}

  Examination run();

 private:
  /// Returns the verdict Wrong, with a report on `what` and `module`.
  Examination wrong(StringRef what, ModuleOp module) {
    return {Verdict::Wrong, fmt::format("{}\n{}\n{}", what.str(), diagnostics_,
                                        textOf(module) + logicalText_)};
  }

  bool dependsOnRounding(ModuleOp differentiated, const TrainingStep& expected);

  RandomProgram program_;
  ModuleOp module_;
  SmallVector<interpreter::Tensor> arguments_;
  Precision precision_;
  Choices& choices_;
  uint64_t seed_;
  RunOnRanks runOnRanks_;
  PlaceProgram place_;
  std::string diagnostics_;
  std::string logicalText_;
  mlir::ScopedDiagnosticHandler handler_;
};

Examination Examiner::run() {
  if (failed(mlir::verify(module_)) || failed(bringTo(Form::Logical, module_)))
    return wrong("the program does not verify", module_);
  logicalText_ = "\nof the logical program\n" + textOf(module_);
  if (failed(bringTo(Form::Differentiated, module_)))
    return wrong("the program cannot be differentiated", module_);
  FailureOr<TrainingStep> expected =
      stepOnOneDevice(module_, arguments_, seed_);
  if (failed(expected)) return wrong("one device cannot run it", module_);

  mlir::OwningOpRef<ModuleOp> differentiated = module_.clone();
  if (failed(place_(module_, choices_)))
    return wrong("a legal placement is not accepted", module_);
  mlir::OwningOpRef<ModuleOp> placed = module_.clone();
  if (failed(bringTo(Form::Placed, *placed)))
    return wrong("what was placed is not of the placed form", *placed);
  if (failed(bringTo(Form::Local, module_)))
    return wrong("the placed program cannot be split over ranks", *placed);
  FailureOr<TrainingStep> actual = runOnRanks_(module_, arguments_, seed_);
  if (failed(actual)) return wrong("the ranks cannot run it", *placed);

  std::string where;
  double far = distance(*actual, *expected, &where);
  if (far <= precision_.tolerance) return {};
  if (dependsOnRounding(*differentiated, *expected))
    return {Verdict::Undecidable, ""};
  return wrong(fmt::format("{} of the ranks is {} away from that of one device",
                           where, far),
               *placed);
}

bool Examiner::dependsOnRounding(ModuleOp differentiated,
                                 const TrainingStep& expected) {
  for (uint64_t trial = 0; trial < 10; ++trial) {
    FailureOr<TrainingStep> inexact =
        stepOnOneDevice(differentiated, arguments_, seed_,
                        inexactEvaluators(differentiated.getContext(), trial,
                                          precision_.rounding));
    std::string where;
    if (failed(inexact) ||
        distance(*inexact, expected, &where) > precision_.tolerance)
      return true;
  }
  return false;
}

}  // namespace

LogicalResult bringTo(Form form, ModuleOp module,
                      const PipelineOptions& options) {
  mlir::PassManager passes(module.getContext());
  addPassesTo(form, options, passes);
  return passes.run(module);
}

Examination examine(RandomProgram program, Choices& choices, uint64_t seed,
                    RunOnRanks run, PlaceProgram place) {
  return Examiner(std::move(program), choices, seed, run, place).run();
}

RandomProgram programOf(MLIRContext* context, Choices& choices) {
  bool isSingle = choices.chance(12);
  Type type = isSingle ? Type(mlir::Float32Type::get(context))
                       : Type(mlir::Float64Type::get(context));
  return randomProgram(context, type, choices);
}

}  // namespace sbp::properties
