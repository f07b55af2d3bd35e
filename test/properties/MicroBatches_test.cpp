// A batch in parts gives what it gives at once, on one device and on many.
//
//   bazel test //test/properties:MicroBatches_test
//   ... --test_arg=--seeds=5000..9000                    other programs
//
// Random networks that treat samples alike, whose loss is a sum or a mean over
// them, with layers that are called or written out, and parameters that are
// used twice. Divided into parts, a step of one device must give the loss, the
// parameters and the optimiser's state that it gives for the batch as a whole;
// and placed by a search or at random, the ranks must give the same.

#include <cstdint>
#include <string>

#include "dialects/Dialects.h"
#include "dialects/sbp/Device.h"
#include "dialects/sbp/Sbp.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"
#include "passes/placement/Placer.h"
#include "passes/placement/Plan.h"
#include "passes/search/program/SearchPlan.h"
#include "test/properties/Choices.h"
#include "test/properties/Examination.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/SeedRange.h"
#include "test/properties/TrainingStep.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 50;
SeedRange seeds{0, 400};

const Device kDevice = {1e12, 1e10, {{{"f64", true, 64}, 1e10, {}}}};

/// A network of a few layers, and into how many parts its batch goes.
struct Network {
  std::string text;
  int64_t parts = 1;
};

/// Writes the text of a network.
class NetworkWriter {
 public:
  explicit NetworkWriter(Choices& choices) : choices_(choices) {}

  Network write() {
    Network network;
    network.parts = choices_.between(2, 5);
    samples_ = network.parts * choices_.between(1, 4);
    int64_t width = choices_.between(1, 6);
    std::string value = "%x";
    std::string input = typeOf(width);
    for (int64_t count = choices_.between(1, 4); count > 0; --count) {
      // Of the same extents as before, so that it may be called again.
      bool isCalled = choices_.chance(50);
      int64_t next = isCalled ? width : choices_.between(1, 6);
      int64_t times = isCalled ? choices_.between(1, 3) : 1;
      value = addLayer(value, width, next, isCalled, times);
      width = next;
    }
    const char* kind = choices_.chance(50) ? "mean" : "sum";
    network.text = fmt::format(
        "{}func.func @loss(%x: {} {{nn.input = \"x\"}})\n"
        "    -> (tensor<f64> {{nn.output = \"loss\"}})\n"
        "    attributes {{nn.optimizer = {}}} {{\n"
        "{}  %loss = nn.reduce {} {} over [0, 1] : {} -> tensor<f64>\n"
        "  return %loss : tensor<f64>\n}}\n",
        functions_, input, optimizer(), body_, kind, value, typeOf(width));
    return network;
  }

 private:
  std::string typeOf(int64_t width) const {
    return fmt::format("tensor<{}x{}xf64>", samples_, width);
  }

  std::string optimizer() {
    constexpr const char* kOptimizers[] = {
        "#nn.sgd", "#nn.sgd<momentum = 0.5>",
        "#nn.adam<beta1 = 0.5, beta2 = 0.75, epsilon = 0.01>"};
    return kOptimizers[choices_.between(0, 2)];
  }

  /// Adds a layer from `width` to `next` elements per sample, applied `times`
  /// times to `value` with the same parameters; returns what it gives.
  std::string addLayer(std::string value, int64_t width, int64_t next,
                       bool isCalled, int64_t times) {
    int64_t number = numLayers_++;
    const std::string from = typeOf(width), to = typeOf(next);
    const std::string matrix = fmt::format("tensor<{}x{}xf64>", width, next);
    const std::string vector = fmt::format("tensor<{}xf64>", next);
    functions_ += fmt::format(
        "nn.parameter @w{0} : {1} = #nn.normal<0.5>\n"
        "nn.parameter @b{0} : {2} = #nn.normal<0.5>\n",
        number, matrix, vector);
    body_ += fmt::format(
        "  %w{0} = nn.get @w{0} : {1}\n"
        "  %b{0} = nn.get @b{0} : {2}\n",
        number, matrix, vector);
    constexpr const char* kActivations[] = {"nn.tanh", "nn.gelu", "nn.silu"};
    const char* activation = kActivations[choices_.between(0, 2)];
    auto ops = [&](const std::string& input, const std::string& prefix,
                   const std::string& w, const std::string& b) {
      return fmt::format(
          "  {0}p = nn.einsum \"bi,ij->bj\" {1}, {2} : ({3}, {4}) -> {5}\n"
          "  {0}s = nn.add {0}p, {6} : ({5}, {7}) -> {5}\n"
          "  {0}y = {8} {0}s : {5}\n",
          prefix, input, w, from, matrix, to, b, vector, activation);
    };
    if (isCalled)
      functions_ += fmt::format(
          "func.func private @layer{0}(%x: {1}, %w: {2}, %b: {3}) -> {4} {{\n"
          "{5}  return %y : {4}\n}}\n",
          number, from, matrix, vector, to, ops("%x", "%", "%w", "%b"));
    for (int64_t time = 0; time < times; ++time) {
      const std::string prefix = fmt::format("%l{}_{}", number, time);
      const std::string w = fmt::format("%w{}", number);
      const std::string b = fmt::format("%b{}", number);
      if (isCalled)
        body_ += fmt::format(
            "  {0}y = call @layer{1}({2}, {3}, {4}) : ({5}, {6}, {7}) -> {8}\n",
            prefix, number, value, w, b, from, matrix, vector, to);
      else
        body_ += ops(value, prefix, w, b);
      value = prefix + "y";
    }
    return value;
  }

  Choices& choices_;
  int64_t samples_ = 1;
  int64_t numLayers_ = 0;
  std::string functions_, body_;
};

LogicalResult differentiate(ModuleOp module, int64_t parts) {
  mlir::PassManager passes(module.getContext());
  PipelineOptions options;
  options.microBatches = parts;
  addPassesTo(Form::Differentiated, options, passes);
  return passes.run(module);
}

/// Places a program on a random mesh by the cheapest plan.
LogicalResult placeBySearch(ModuleOp module, Choices& choices) {
  mlir::FlatSymbolRefAttr name = addRandomMesh(module, choices);
  FailureOr<Mesh> mesh = lookupMesh(module, name);
  if (failed(mesh)) return failure();
  auto searched = search::searchPlan(module, *mesh, kDevice);
  if (failed(searched)) return failure();
  Planned planned(searched->plan);
  return placeModule(module, {name, *mesh}, planned);
}

class MicroBatches : public testing::TestWithParam<SeedRange> {};

TEST_P(MicroBatches, GiveWhatTheBatchGivesAtOnce) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    Choices choices(seed);
    Network network = NetworkWriter(choices).write();
    SCOPED_TRACE(fmt::format("seed {}, {} parts of\n{}", seed, network.parts,
                             network.text));
    RandomProgram program;
    program.floatType = mlir::Float64Type::get(&context);
    program.integerBounds = {0};
    program.module = mlir::parseSourceString<ModuleOp>(network.text, &context);
    ASSERT_TRUE(program.module);
    const SmallVector<interpreter::Tensor> arguments = program.arguments(seed);
    mlir::OwningOpRef<ModuleOp> whole = program.module->clone();
    ASSERT_TRUE(succeeded(differentiate(*whole, 1)));
    ASSERT_TRUE(succeeded(differentiate(*program.module, network.parts)));
    FailureOr<TrainingStep> expected = stepOnOneDevice(*whole, arguments, seed);
    FailureOr<TrainingStep> actual =
        stepOnOneDevice(*program.module, arguments, seed);
    ASSERT_TRUE(succeeded(expected) && succeeded(actual));
    std::string where;
    EXPECT_LE(distance(*actual, *expected, &where), 1e-9) << where;

    Examination examination = choices.chance(50)
                                  ? examine(std::move(program), choices, seed,
                                            stepOnRanks, placeBySearch)
                                  : examine(std::move(program), choices, seed);
    ASSERT_NE(examination.verdict, Verdict::Wrong) << examination.report;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MicroBatches,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
