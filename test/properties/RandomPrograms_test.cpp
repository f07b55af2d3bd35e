// Tests that the ranks compute the values that one device computes, for random
// programs with random placements. In every second case ops may communicate
// themselves (plugins/).
//
//   bazel test //test/properties:RandomPrograms_test
//   ... --test_arg=--seeds=5000..9000                    other programs
//
// A failure prints its seed, the command that repeats it, and the smallest
// program like it that was found.

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "dialects/Dialects.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/DistributedOp.h"
#include "gtest/gtest.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "test/properties/Choices.h"
#include "test/properties/Examination.h"
#include "test/properties/PlugIns.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/SeedRange.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 25;
SeedRange seeds{0, 800};

class RandomPrograms : public testing::TestWithParam<SeedRange> {};

TEST_P(RandomPrograms, ComputeOnAllRanksWhatOneDeviceComputes) {
  Trials trials{"//test/properties:RandomPrograms_test", programOf, stepOnRanks,
                /*shrinkAttempts=*/1500};
  if (GetParam().begin / kSeedsPerCase % 2 == 1)
    trials.extend = registerPlugIns;
  trials.expectRight(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

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

/// The gradient of a maximum of partial sums reaches the largest sum, although
/// the backward pass adds the terms up in another order.
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

/// Fails if a new op of nn has no step here, except for the ops of
/// micro-batches, which MicroBatches_test.cpp tests.
TEST(RandomProgramsTogether, HaveEveryOpOfNn) {
  NnContext context;
  std::set<std::string> missing;
  for (mlir::RegisteredOperationName name :
       context.get()->getRegisteredOperations())
    if (name.getDialectNamespace() == nn::NnDialect::getDialectNamespace())
      missing.insert(name.getStringRef().str());
  ASSERT_GT(missing.size(), 40u);
  for (const char* ofParts : {"nn.part", "nn.repeat", "nn.repetition"})
    missing.erase(ofParts);
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

/// Every op with communicating signatures from a plug-in runs with one of them.
TEST(RandomProgramsTogether, CommunicateThemselvesInEveryOpThatCan) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerPlugIns(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  std::map<std::string, int> times;
  for (const char* op :
       {"nn.einsum", "nn.convolution", "nn.convolution_input_grad",
        "nn.convolution_filter_grad", "nn.pool", "nn.pool_grad"})
    times[op] = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    Choices choices(seed);
    RandomProgram program = programOf(&context, choices);
    ASSERT_TRUE(succeeded(bringTo(Form::Differentiated, *program.module)));
    ASSERT_TRUE(succeeded(placeAtRandom(*program.module, choices)));
    program.module->walk([&](DistributedOpInterface op) {
      if (communicates(signaturesPerAxis(op, loopNestOf(op))))
        ++times[op->getName().getStringRef().str()];
    });
  }
  for (const auto& [op, number] : times) EXPECT_GE(number, 5) << op;
  EXPECT_EQ(times.size(), 6u);
}

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
