// A searched plan is right, and costs what the search says.
//
//   bazel test //test/properties:SearchedPrograms_test
//   ... --test_arg=--seeds=5000..9000                    other programs
//
// Random programs, with and without pins, are placed by the search on random
// meshes. Their ranks must compute what one device computes; the collectives of
// the program that comes out must take, to the last picosecond, what the plan
// was chosen for; and no other placement that is tried takes less.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "dialects/sbp/Device.h"
#include "dialects/sbp/Sbp.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "passes/cost/LocalCost.h"
#include "passes/placement/Plan.h"
#include "passes/search/program/SearchPlan.h"
#include "test/properties/Choices.h"
#include "test/properties/Examination.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/SeedRange.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 25;
SeedRange seeds{0, 400};

const Device kDevice = {1e12, 1e10, {{{"f64", true, 64}, 1e10, {}}}};

/// What the collectives of one run of `entry` take: of programs that differ in
/// the sizes of parts, what the largest takes at each.
double communicatingSeconds(ModuleOp local, StringRef entry) {
  SmallVector<double> slowest;
  for (auto program : local.getOps<rank::ProgramOp>()) {
    FailureOr<Mesh> mesh = lookupMesh(program, program.getMeshAttr());
    if (failed(mesh)) return NAN;
    auto costs = collectiveCosts(program, entry, *mesh);
    slowest.resize(costs.size());
    for (auto [most, cost] : llvm::zip(slowest, costs))
      most = std::max(most, cost.seconds);
  }
  double sum = 0;
  for (double seconds : slowest) sum += seconds;
  return sum;
}

class SearchedPrograms : public testing::TestWithParam<SeedRange> {};

TEST_P(SearchedPrograms, ComputeWhatOneDeviceComputesAtTheSearchedPrice) {
  search::SearchedPlan searched;
  auto place = [&](ModuleOp module, Choices& choices) -> LogicalResult {
    mlir::FlatSymbolRefAttr name = addRandomMesh(module, choices);
    FailureOr<Mesh> mesh = lookupMesh(module, name);
    if (failed(mesh)) return failure();
    if (choices.chance(50)) pinAtRandom(module, name, *mesh, choices);
    auto found = search::searchPlan(module, *mesh, kDevice);
    if (failed(found)) return failure();
    searched = std::move(*found);
    Planned planned(searched.plan);
    return placeModule(module, name, *mesh, planned);
  };
  auto runAndAudit = [&](ModuleOp local,
                         ArrayRef<interpreter::Tensor> arguments,
                         uint64_t seed) -> FailureOr<TrainingStep> {
    for (const search::EntryCost& cost : searched.entries) {
      double audited = communicatingSeconds(local, cost.entry);
      if (std::abs(audited - cost.communicating) <=
          1e-9 * (audited + cost.computing))
        continue;
      local.emitError() << fmt::format(
          "the collectives of @{} take {} s, but the plan was chosen for {} s",
          cost.entry, audited, cost.communicating);
      return failure();
    }
    return stepOnRanks(local, arguments, seed);
  };
  Trials trials{"//test/properties:SearchedPrograms_test",
                programOf,
                runAndAudit,
                /*shrinkAttempts=*/0,
                /*extend=*/{},
                place};
  trials.expectRight(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Seeds, SearchedPrograms,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         [](const testing::TestParamInfo<SeedRange>& piece) {
                           return fmt::format("{}_to_{}", piece.param.begin,
                                              piece.param.end - 1);
                         });

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
