// Tests that plans with free layers cost no more than plans with tied layers,
// and compute the same values.
//
//   bazel test //test/properties:FreeLayers_test
//   ... --test_arg=--seeds=5000..9000                    other programs
//
// Random programs, with and without pins, are searched with tied layers (all
// calls of a layer are placed alike), and with free layers (each call has its
// own copy of the layer). For a program without pins, no tied plan costs less
// than the lower bound for free plans. If the copies are placed by the tied
// plan and then joined, the result is exactly the tied program. The free plan's
// copies are joined as well, and its ranks must compute the values that one
// device computes.

#include "passes/placement/FreeLayers.h"

#include <cstdint>
#include <string>

#include "dialects/sbp/Device.h"
#include "dialects/sbp/Sbp.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/plan/Placer.h"
#include "passes/plan/Plan.h"
#include "passes/search/program/SearchPlan.h"
#include "test/properties/Choices.h"
#include "test/properties/Examination.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/SeedRange.h"
#include "test/properties/TrainingStep.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 50;
SeedRange seeds{0, 100};

const Device kDevice = {1e12, 1e10, {{{"f64", true, 64}, 1e10, {}}}};

std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

double secondsOf(const search::SearchedPlan& searched) {
  const search::EntryCost& first = searched.entries.front();
  return first.computing + first.communicating;
}

bool hasCallsThatDiffer(ModuleOp module) {
  return llvm::any_of(
      module.getOps<mlir::func::FuncOp>(),
      [](Operation* function) { return function->hasAttr(kCallsAttrName); });
}

/// Places programs with free layers.
class FreePlacement {
 public:
  LogicalResult place(ModuleOp module, Choices& choices) {
    name_ = addRandomMesh(module, choices);
    FailureOr<Mesh> mesh = lookupMesh(module, name_);
    if (failed(mesh)) return failure();
    mesh_ = *mesh;
    bool isPinned = choices.chance(30);
    if (isPinned) pinAtRandom(module, name_, mesh_, choices);

    mlir::OwningOpRef<ModuleOp> copied = module.clone();
    const FailureOr<double> tied = joinedSeconds(*copied);
    if (failed(tied)) return failure();

    FailureOr<FreeLayers> copies = FreeLayers::copyPerCall(module);
    if (failed(copies)) return failure();
    auto free = search::searchPlan(module, mesh_, kDevice);
    if (failed(free)) return failure();
    double bound = free->entries.front().lowerBound;
    // A value that a forward function saves for its backward function has the
    // same placement in both. A pin between the two calls hides this relation,
    // so that the placements may differ.
    if (!isPinned && bound > *tied * (1 + 1e-9))
      return module.emitError()
             << fmt::format("free layers take at least {} s, tied ones {} s",
                            bound, *tied);
    if (secondsOf(*free) < *tied * (1 - 1e-9)) ++numCheaper;
    if (failed(placeJoined(module, *copies, free->plan))) return failure();
    if (hasCallsThatDiffer(module)) ++numDiffering;
    return success();
  }

  int64_t numCheaper = 0;    // programs that are cheaper with free layers
  int64_t numDiffering = 0;  // programs whose calls have different placements

 private:
  LogicalResult placeJoined(ModuleOp module, FreeLayers& copies,
                            const Plan& plan) const {
    Planned planned(plan);
    if (failed(placeModule(module, {name_, mesh_}, planned))) return failure();
    copies.mergeEqualCopies();
    return success();
  }

  /// Returns the seconds of the tied plan for `module`. Fails with a diagnostic
  /// if `module`, with copied layers that are placed by this plan, does not
  /// become the tied program when the copies are joined.
  FailureOr<double> joinedSeconds(ModuleOp module) const {
    mlir::OwningOpRef<ModuleOp> uncopied = module.clone();
    auto plan = search::searchPlan(*uncopied, mesh_, kDevice);
    auto same = search::searchPlan(module, mesh_, kDevice);
    if (failed(plan) || failed(same)) return failure();
    FreeLayers none;
    if (failed(placeJoined(*uncopied, none, plan->plan))) return failure();
    FailureOr<FreeLayers> copies = FreeLayers::copyPerCall(module);
    if (failed(copies)) return failure();
    copies->addCopies(same->plan);
    if (failed(placeJoined(module, *copies, same->plan))) return failure();
    if (textOf(module) == textOf(*uncopied)) return secondsOf(*plan);
    return module.emitError("joined copies are not what was copied: ")
           << textOf(*uncopied);
  }

  mlir::FlatSymbolRefAttr name_;
  Mesh mesh_;
};

class FreeLayersTest : public testing::TestWithParam<SeedRange> {};

TEST_P(FreeLayersTest, CostNoMoreAndComputeWhatOneDeviceComputes) {
  FreePlacement placement;
  auto place = [&](ModuleOp module, Choices& choices) {
    return placement.place(module, choices);
  };
  Trials{"//test/properties:FreeLayers_test",
         programOf,
         stepOnRanks,
         /*shrinkAttempts=*/0,
         /*extend=*/{},
         place}
      .expectRight(GetParam());
  if (GetParam().end - GetParam().begin < kSeedsPerCase) return;
  EXPECT_GE(placement.numDiffering, 3);
  EXPECT_GE(placement.numCheaper, 1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FreeLayersTest,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
