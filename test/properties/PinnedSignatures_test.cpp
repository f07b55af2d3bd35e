// Tests that ops run by the signatures to which they are pinned, and that the
// plan is the best one with these signatures.
//
//   bazel test //test/properties:PinnedSignatures_test
//   ... --test_arg=--seeds=5000..9000                    other programs
//
// Ops of random programs are pinned to random signatures, on random meshes,
// with and without ops that communicate themselves (plugins/). The plan that is
// found must have these signatures, and ranks that run it must compute the
// values that one device computes. If a single op is pinned, the plan must also
// have the least cost of all plans with the signature. The test computes this
// cost from the problem without the pin, by trying all plans if they are few,
// or else by elimination.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/sbp/Device.h"
#include "dialects/sbp/Sbp.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/boxing/Transitions.h"
#include "passes/placement/Propagation.h"
#include "passes/plan/Plan.h"
#include "passes/plan/Signatures.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/decisions/Pricing.h"
#include "passes/search/program/SearchPlan.h"
#include "passes/search/reading/ReadProgram.h"
#include "passes/search/solvers/Elimination.h"
#include "test/properties/Choices.h"
#include "test/properties/Examination.h"
#include "test/properties/PlugIns.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/SeedRange.h"
#include "test/properties/Trials.h"
#include "tools/lab/Exhaustive.h"

namespace sbp::properties {
namespace {

using mlir::func::FuncOp;

constexpr uint64_t kSeedsPerCase = 25;
SeedRange seeds{0, 100};

const Device kDevice = {1e12, 1e10, {{{"f64", true, 64}, 1e10, {}}}};

/// Most plans that are tried one after the other.
constexpr double kMaxTried = 1e5;

/// An op, and the signature to which it is pinned.
struct Pin {
  DistributedOpInterface op;
  MeshSignature signature;
};

/// Returns some ops that run in @train_step with random legal signatures.
std::vector<Pin> randomPins(ModuleOp module,
                            const search::ProgramDecisions& program,
                            const Mesh& mesh, Choices& choices) {
  std::vector<DistributedOpInterface> ops;
  module.walk([&](DistributedOpInterface op) {
    if (program.ops.contains(op)) ops.push_back(op);
  });
  std::vector<Pin> pins;
  for (int64_t left = choices.chance(60) ? 1 : choices.between(2, 4); left > 0;
       --left) {
    DistributedOpInterface op = ops[choices.below(ops.size())];
    if (llvm::any_of(pins, [&](const Pin& pin) { return pin.op == op; }))
      continue;
    std::vector<MeshSignature> legal;
    forEachSignature(loopNestOf(op), mesh, [&](const MeshSignature& signature) {
      legal.push_back(signature);
    });
    pins.push_back({op, legal[choices.below(legal.size())]});
  }
  return pins;
}

/// The least cost of a plan that has the signature of a pin.
struct LeastCost {
  double seconds = 0;
  /// Whether a search with the pin has the same plans to choose from. It has
  /// more plans if, without the pin, another op must run as the pinned op does.
  bool isOfSamePlans = false;
};

double numAssignments(const search::Problem& problem) {
  double number = 1;
  for (int64_t variable = 0; variable < problem.numVariables(); ++variable)
    number *= static_cast<double>(problem.numStates(variable));
  return number;
}

/// Returns the least cost of a plan of `program` in which the op of `pin` has
/// the pinned signature. `program` was read without the pin. Returns nullopt if
/// the cost cannot be computed.
std::optional<LeastCost> leastCost(search::ProgramDecisions& program,
                                   const Pin& pin) {
  // An op that computes a gradient runs as its forward op does, unless it is
  // pinned.
  if (pin.op->hasAttr(nn::kAdjointOfAttrName)) return std::nullopt;
  if (!program.isWhole()) return std::nullopt;
  search::DecisionGraph& graph = program.graph;
  TransitionTable transitions(graph.mesh);
  search::Movements movements(graph.placements, transitions);
  auto priced =
      search::problemOf(graph, movements, {}, search::WideFlows::Above);
  if (!priced || !priced->isExact) return std::nullopt;

  const auto site = program.ops.at(pin.op);
  const int64_t decision = site.decision;
  std::vector<search::Cost> costs;
  for (const search::Decision::State& state :
       graph.decisions[decision].states) {
    int64_t slot = site.index;
    auto lies = [&](const Placement& placement) {
      return graph.placements[state.placements[slot++]] ==
             ArrayRef<Component>(placement);
    };
    const bool has = llvm::all_of(pin.signature.operands, lies) &&
                     llvm::all_of(pin.signature.results, lies);
    costs.push_back(has ? 0 : search::kInfiniteCost);
  }
  priced->problem.addCosts({decision}, costs);
  LeastCost least;
  if (numAssignments(priced->problem) <= kMaxTried) {
    least.seconds = search::lab::solveExhaustively(priced->problem).cost;
  } else {
    auto solved = search::solveByElimination(priced->problem);
    if (!solved) return std::nullopt;
    least.seconds = solved->cost;
  }
  if (least.seconds == search::kInfiniteCost) return std::nullopt;
  least.isOfSamePlans = llvm::count_if(program.ops, [&](const auto& other) {
                          return other.second.decision == decision &&
                                 !other.first->hasAttr(nn::kAdjointOfAttrName);
                        }) == 1;
  return least;
}

void set(const Pin& pin, const Mesh& mesh) {
  pin.op->setAttr(
      kSignatureAttrName,
      SignatureAttr::get(pin.op->getContext(),
                         componentsPerAxis(pin.signature, mesh.axes.size())));
}

class PinnedSignatures : public testing::TestWithParam<SeedRange> {};

TEST_P(PinnedSignatures, AreThoseOfTheBestPlanThatHasThem) {
  int64_t numCompared = 0;
  auto place = [&](ModuleOp module, Choices& choices) -> LogicalResult {
    mlir::FlatSymbolRefAttr name = addRandomMesh(module, choices);
    FailureOr<Mesh> mesh = lookupMesh(module, name);
    if (failed(mesh)) return failure();
    if (choices.chance(30)) pinAtRandom(module, name, *mesh, choices);
    mlir::SymbolTable symbols(module);
    auto program = search::readProgram(symbols.lookup<FuncOp>("train_step"),
                                       symbols, *mesh, kDevice, Plan(), {});
    if (failed(program)) return failure();
    const std::vector<Pin> pins = randomPins(module, *program, *mesh, choices);
    std::optional<LeastCost> least;
    if (pins.size() == 1) least = leastCost(*program, pins.front());
    for (const Pin& pin : pins) set(pin, *mesh);
    if (choices.chance(20)) {
      Propagation propagation(*mesh, /*splitsInputs=*/false);
      return placeModule(module, {name, *mesh}, propagation);
    }
    auto searched = search::searchPlan(module, *mesh, kDevice);
    if (failed(searched)) return failure();
    for (const Pin& pin : pins) {
      const MeshSignature& found = searched->plan.ops.at(pin.op);
      EXPECT_EQ(found.operands, pin.signature.operands);
      EXPECT_EQ(found.results, pin.signature.results);
    }
    const search::EntryCost& cost = searched->entries.front();
    if (least) {
      EXPECT_LE(cost.lowerBound, (1 + 1e-9) * least->seconds);
      if (cost.isProven()) {
        EXPECT_LE(cost.seconds(), (1 + 1e-9) * least->seconds);
      }
      if (least->isOfSamePlans) {
        EXPECT_GE(cost.seconds(), (1 - 1e-9) * least->seconds);
        numCompared += cost.isProven() ? 1 : 0;
      }
    }
    Planned planned(searched->plan);
    return placeModule(module, {name, *mesh}, planned);
  };
  Trials trials{"//test/properties:PinnedSignatures_test",
                programOf,
                stepOnRanks,
                /*shrinkAttempts=*/0,
                /*extend=*/{},
                place};
  if (GetParam().begin / kSeedsPerCase % 2 == 1)
    trials.extend = registerPlugIns;
  trials.expectRight(GetParam());
  if (GetParam().end - GetParam().begin == kSeedsPerCase) {
    EXPECT_GT(numCompared, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PinnedSignatures,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
