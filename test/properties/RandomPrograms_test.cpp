// Execution is the semantics: whatever the program and however it is placed,
// the ranks compute what one device computes.
//
//   bazel test //test/properties:RandomPrograms_test
//   bazel test //test/properties:RandomPrograms_test
//   --test_arg=--seeds=5000..9000
//
// A failure prints its seed, the command that repeats it, and the smallest
// program like it that was found.

#include <cstdint>
#include <set>
#include <string>

#include "dialects/Dialects.h"
#include "dialects/nn/Nn.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "test/properties/Choices.h"
#include "test/properties/Examination.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/SeedRange.h"

namespace sbp::properties {
namespace {

constexpr SeedRange kSeedsInCi{0, 2000};
constexpr uint64_t kSeedsPerCase = 25;
constexpr int kShrinkAttempts = 1500;

SeedRange seeds = kSeedsInCi;

class NnContext {
 public:
  NnContext() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context_.appendDialectRegistry(registry);
    context_.loadAllAvailableDialects();
  }
  MLIRContext* get() { return &context_; }

 private:
  MLIRContext context_;
};

/// The report on the smallest program that is wrong as that of `record` is.
std::string smallestReport(MLIRContext* context, const ChoiceRecord& record,
                           uint64_t seed) {
  std::string report;
  shrunk(
      record,
      [&](const ChoiceRecord& smaller) {
        Choices choices(smaller);
        Examination examination =
            examine(programOf(context, choices), choices, seed);
        if (examination.verdict != Verdict::Wrong) return false;
        report = examination.report;
        return true;
      },
      kShrinkAttempts);
  return report;
}

class RandomPrograms : public testing::TestWithParam<SeedRange> {};

TEST_P(RandomPrograms, ComputeOnAllRanksWhatOneDeviceComputes) {
  NnContext context;
  int undecidable = 0;
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    llvm::PrettyStackTraceFormat crash("the program of seed %llu",
                                       static_cast<unsigned long long>(seed));
    Choices choices(seed);
    Examination examination =
        examine(programOf(context.get(), choices), choices, seed);
    if (examination.verdict == Verdict::Undecidable) ++undecidable;
    if (examination.verdict != Verdict::Wrong) continue;
    std::string smallest =
        smallestReport(context.get(), choices.record(), seed);
    ADD_FAILURE() << fmt::format(
        "seed {0}; again by\n"
        "  bazel test //test/properties:RandomPrograms_test "
        "--test_arg=--seeds={0}..{1}\n{2}",
        seed, seed + 1,
        smallest.empty() ? examination.report
                         : "the smallest like it: " + smallest);
  }
  EXPECT_LE(undecidable, 2) << "programs, of " << kSeedsPerCase
                            << ", whose value depends on rounding";
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         [](const testing::TestParamInfo<SeedRange>& piece) {
                           return fmt::format("{}_to_{}", piece.param.begin,
                                              piece.param.end - 1);
                         });

/// A maximum of sums finds its terms again, though the sums were added up in
/// another order.
TEST(Extrema, OfPartialSumsPassTheGradientOn) {
  NnContext context;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    RandomProgram program;
    program.floatType = mlir::Float64Type::get(context.get());
    program.module = mlir::parseSourceString<ModuleOp>(R"(
      nn.parameter @w : tensor<8x3x16xf64> = #nn.normal<1.0>
      nn.parameter @v : tensor<3x8x4xf64> = #nn.normal<1.0>
      func.func private @layer(%x: tensor<16x4xf64>) -> tensor<4xf64> {
        %max = nn.reduce max %x over [0] : tensor<16x4xf64> -> tensor<4xf64>
        return %max : tensor<4xf64>
      }
      func.func @loss() -> (tensor<f64> {nn.output = "loss"})
          attributes {nn.optimizer = #nn.sgd} {
        %w = nn.get @w : tensor<8x3x16xf64>
        %v = nn.get @v : tensor<3x8x4xf64>
        %x = nn.einsum "abi,baj->ij" %w, %v
           : (tensor<8x3x16xf64>, tensor<3x8x4xf64>) -> tensor<16x4xf64>
        %far = call @layer(%x) : (tensor<16x4xf64>) -> tensor<4xf64>
        %near = nn.reduce max %x over [0] : tensor<16x4xf64> -> tensor<4xf64>
        %both = nn.add %far, %near
           : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
        %loss = nn.reduce mean %both over [0] : tensor<4xf64> -> tensor<f64>
        return %loss : tensor<f64>
      })",
                                                       context.get());
    Choices choices(seed);
    Examination examination = examine(std::move(program), choices, seed);
    ASSERT_EQ(examination.verdict, Verdict::Right) << examination.report;
  }
}

/// A new op of nn is not forgotten.
TEST(RandomProgramsTogether, HaveEveryOpOfNn) {
  NnContext context;
  std::set<std::string> missing;
  for (mlir::RegisteredOperationName name :
       context.get()->getRegisteredOperations())
    if (name.getDialectNamespace() == nn::NnDialect::getDialectNamespace())
      missing.insert(name.getStringRef().str());
  ASSERT_GT(missing.size(), 40u);
  for (uint64_t seed = 0; seed < 400 && !missing.empty(); ++seed) {
    Choices choices(seed);
    RandomProgram program = programOf(context.get(), choices);
    ASSERT_TRUE(succeeded(bringTo(Form::Differentiated, *program.module)))
        << "seed " << seed;
    program.module->walk([&](Operation* op) {
      missing.erase(op->getName().getStringRef().str());
    });
  }
  EXPECT_EQ(missing, std::set<std::string>());
}

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  llvm::EnablePrettyStackTrace();
  sbp::properties::seeds =
      sbp::properties::seedsFrom(argc, argv, sbp::properties::kSeedsInCi);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
