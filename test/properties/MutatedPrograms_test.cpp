// Tests that the compiler ends for every text of a program, with a diagnostic
// if the text is wrong.
//
//   bazel test //test/properties:MutatedPrograms_test
//   ... --test_arg=--seeds=0..99999                       other programs
//
// A seed makes a random program, brings it to a random form, and makes a few
// mistakes in its text. A crash prints the seed.

#include <string>

#include "dialects/Dialects.h"
#include "gtest/gtest.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "test/properties/Examination.h"
#include "test/properties/MutatedText.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/SeedRange.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 50;
SeedRange seeds{0, 1800};

/// Returns the text of a random program in a random form, or "" if the program
/// cannot be brought to that form.
std::string randomText(MLIRContext* context, Choices& choices) {
  RandomProgram program = programOf(context, choices);
  ModuleOp module = *program.module;
  constexpr Form kForms[] = {Form::Logical, Form::Differentiated, Form::Placed,
                             Form::Boxed, Form::Local};
  Form form = choices.pick(kForms);
  LogicalResult reached = success();
  if (form != Form::Logical) reached = bringTo(Form::Differentiated, module);
  if (succeeded(reached) && form > Form::Differentiated)
    reached = placeAtRandom(module, choices);
  if (succeeded(reached)) reached = bringTo(form, module);
  EXPECT_TRUE(succeeded(reached));
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

class MutatedPrograms : public testing::TestWithParam<SeedRange> {};

TEST_P(MutatedPrograms, AreCompiledOrRejectedWithADiagnostic) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    MLIRContext context(registry);
    context.loadAllAvailableDialects();
    std::string diagnostics;
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic& diagnostic) {
          diagnostics += diagnostic.str() + "\n";
        });
    Choices choices(seed);
    std::string text = mutated(randomText(&context, choices), choices);
    llvm::PrettyStackTraceFormat crash("seed %llu, the text\n%s",
                                       static_cast<unsigned long long>(seed),
                                       text.c_str());
    mlir::OwningOpRef<ModuleOp> module =
        mlir::parseSourceString<ModuleOp>(text, &context);
    bool isCompiled = module && succeeded(bringTo(Form::Local, *module));
    EXPECT_TRUE(isCompiled || !diagnostics.empty())
        << "seed " << seed << " is rejected without a word:\n"
        << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MutatedPrograms,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
