// Tests all signatures: for every instance of every op, on every mesh, and for
// every legal choice of one signature per mesh axis,
//
//   cut the operands as the signature says, partial ones into random terms;
//   on every rank run the op's local form on the local operands;
//   assemble the results as the signature says
//
// gives the op's results on whole tensors. All in double precision, so that a
// difference larger than rounding is an error.

#include <iostream>
#include <set>
#include <string>
#include <tuple>

#include "codegen/check/SignatureChoices.h"
#include "codegen/interpreter/Interpreter.h"
#include "codegen/interpreter/Shards.h"
#include "codegen/interpreter/evaluate/StandardEvaluators.h"
#include "codegen/interpreter/testing/Instances.h"
#include "codegen/interpreter/testing/Programs.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Verifier.h"
#include "passes/localize/PlacedOp.h"

namespace sbp::check {
namespace {

using namespace interpreter;
using Choice = SignatureChoice;

constexpr double kRoundingTolerance = 1e-10;

Mesh meshOf(ArrayRef<int64_t> sizes) {
  Mesh mesh;
  for (int64_t size : sizes)
    mesh.axes.push_back({"axis" + std::to_string(mesh.axes.size()), size});
  return mesh;
}

// ---- Running one choice -----------------------------------------------------

/// The shard of one rank. The begins of its split loops are constants.
class ConstantShard : public Shard {
 public:
  ConstantShard(const LoopNest& nest, const Choice& choice, const Mesh& mesh,
                int64_t rank, OpBuilder& builder)
      : nest_(nest),
        choice_(choice),
        mesh_(mesh),
        rank_(rank),
        builder_(builder) {}

  bool isSplit(int64_t loop) override {
    return llvm::any_of(choice_, [&](const Signature& signature) {
      return signature.loop == loop;
    });
  }

  Value beginOf(int64_t loop) override {
    Placement splits;
    for (const Signature& signature : choice_)
      splits.push_back(signature.loop == loop ? Component::split(0)
                                              : Component::broadcast());
    Interval part = partOf(nest_.loops[loop].extent, /*dim=*/0, splits, mesh_,
                           mesh_.coordinatesOf(rank_));
    auto type = RankedTensorType::get({}, builder_.getI64Type());
    return nn::ConstantOp::create(
        builder_, builder_.getUnknownLoc(), type,
        mlir::DenseElementsAttr::get(type, part.begin));
  }

 private:
  const LoopNest& nest_;
  const Choice& choice_;
  const Mesh& mesh_;
  int64_t rank_;
  OpBuilder& builder_;
};

class SignaturesTest : public testing::TestWithParam<
                           std::tuple<std::string, std::vector<int64_t>>> {
 protected:
  /// Returns the function @local of one rank: the local form of `op`.
  mlir::func::FuncOp buildLocal(Operation* op, const LoopNest& nest,
                                const Choice& choice, int64_t rank) {
    auto coordinates = mesh_.coordinatesOf(rank);
    auto localType = [&](Type type, const Placement& placement) -> Type {
      auto tensor = llvm::cast<RankedTensorType>(type);
      return RankedTensorType::get(
          localShape(tensor.getShape(), placement, mesh_, coordinates),
          tensor.getElementType());
    };
    SmallVector<Type> operands, results;
    for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
      operands.push_back(localType(type, operandPlacement(choice, index)));
    for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
      results.push_back(localType(type, resultPlacement(choice, index)));

    OpBuilder builder = OpBuilder::atBlockEnd(scratch_->getBody());
    auto function =
        mlir::func::FuncOp::create(builder, builder.getUnknownLoc(), "local",
                                   builder.getFunctionType(operands, results));
    builder.setInsertionPointToStart(function.addEntryBlock());
    ConstantShard shard(nest, choice, mesh_, rank, builder);
    Operation* local = llvm::cast<DistributedOpInterface>(op).buildLocal(
        builder, function.getArguments(), results, shard);
    mlir::func::ReturnOp::create(builder, builder.getUnknownLoc(),
                                 local->getResults());
    return function;
  }

  /// Runs the op's local form on every rank, and returns its assembled results.
  FailureOr<Results> runDistributed(Instance& instance, const LoopNest& nest,
                                    const Choice& choice) {
    CountedRandom random(1, instance.name());
    std::vector<std::vector<Tensor>> operands;
    for (auto [index, operand] : llvm::enumerate(instance.operands))
      operands.push_back(
          cut(operand, operandPlacement(choice, index), mesh_, random));

    std::vector<std::vector<Tensor>> results(instance.op->getNumResults());
    Evaluators evaluators = standardEvaluators();
    for (int64_t rank = 0; rank < mesh_.numRanks(); ++rank) {
      mlir::func::FuncOp local = buildLocal(instance.op, nest, choice, rank);
      SmallVector<Tensor> arguments;
      for (const std::vector<Tensor>& ofOperand : operands)
        arguments.push_back(ofOperand[rank]);
      Parameters parameters;
      Interpreter interpreter(scratch_.get(), evaluators, parameters);
      FailureOr<Results> ofRank = failure();
      if (succeeded(mlir::verify(local)))
        ofRank = interpreter.run("local", arguments);
      local.erase();
      if (failed(ofRank)) return failure();
      for (auto [index, result] : llvm::enumerate(*ofRank))
        results[index].push_back(result);
    }

    Results whole;
    for (auto [index, type] : llvm::enumerate(instance.op->getResultTypes())) {
      FailureOr<Tensor> result =
          assembled(results[index], llvm::cast<RankedTensorType>(type),
                    resultPlacement(choice, index), mesh_,
                    [&] { return instance.op->emitOpError(); });
      if (failed(result)) return failure();
      whole.push_back(*result);
    }
    return whole;
  }

  /// Whether the verifier of placed types accepts the choice.
  bool isAcceptedByVerifier(Operation* op, const Choice& choice) const {
    SmallVector<Placement> operands, results;
    for (size_t index = 0; index < op->getNumOperands(); ++index)
      operands.push_back(operandPlacement(choice, index));
    for (size_t index = 0; index < op->getNumResults(); ++index)
      results.push_back(resultPlacement(choice, index));
    return succeeded(
        mlir::verify(PlacedOp(op, operands, results, mesh_).get()));
  }

  TestContext context_;
  Mesh mesh_ = meshOf(std::get<1>(GetParam()));
  mlir::OwningOpRef<ModuleOp> scratch_ =
      ModuleOp::create(mlir::UnknownLoc::get(context_.get()));
};

TEST_P(SignaturesTest, DistributedExecutionEqualsWholeExecution) {
  Instances instances(context_, std::get<0>(GetParam()), Precision::Double);
  int64_t numChoices = 0;
  for (Instance& instance : instances.list()) {
    LoopNest nest =
        llvm::cast<DistributedOpInterface>(instance.op).getLoopNest();
    auto whole = instances.program().run(instance.name(), instance.operands);
    ASSERT_TRUE(succeeded(whole)) << instances.program().error();

    for (const Choice& choice : legalChoices(nest, mesh_)) {
      std::string what = instance.name() + " " + toString(choice);
      EXPECT_TRUE(isAcceptedByVerifier(instance.op, choice))
          << what << "\n"
          << instances.program().error();
      auto distributed = runDistributed(instance, nest, choice);
      ASSERT_TRUE(succeeded(distributed)) << what << "\n"
                                          << instances.program().error();
      for (auto [actual, expected] : llvm::zip(*distributed, *whole))
        EXPECT_THAT(actual, IsCloseTo(expected, kRoundingTolerance)) << what;
      ++numChoices;
    }
  }
  RecordProperty("choices", numChoices);
  std::cout << numChoices << " choices of signatures for "
            << instances.list().size() << " instances\n";
}

TEST_P(SignaturesTest, AWrongSignatureShows) {
  // The exponential is not linear.
  Program program(context_, R"(
    func.func @exp(%a: tensor<6xf64>) -> tensor<6xf64> {
      %r = nn.exp %a : tensor<6xf64>
      return %r : tensor<6xf64>
    })");
  auto function = program.module().lookupSymbol<mlir::func::FuncOp>("exp");
  Instance exp = {function, &function.getBody().front().front(),
                  program.randomArguments("exp", /*seed=*/1)};
  Signature wrong;
  wrong.operands = {Component::partial(Reduction::Sum)};
  wrong.results = {Component::partial(Reduction::Sum)};
  Choice choice(mesh_.axes.size(), wrong);

  LoopNest nest = llvm::cast<DistributedOpInterface>(exp.op).getLoopNest();
  EXPECT_FALSE(isAcceptedByVerifier(exp.op, choice));
  auto distributed = runDistributed(exp, nest, choice);
  ASSERT_TRUE(succeeded(distributed)) << program.error();
  auto whole = program.run("exp", exp.operands);
  EXPECT_GT(distance(distributed->front(), whole->front()), 0.1);
}

INSTANTIATE_TEST_SUITE_P(
    Meshes, SignaturesTest,
    testing::Combine(testing::ValuesIn(Instances::families()),
                     testing::Values(std::vector<int64_t>{2},
                                     std::vector<int64_t>{3},
                                     std::vector<int64_t>{2, 2},
                                     std::vector<int64_t>{2, 3})),
    [](const auto& instance) {
      std::string name = std::get<0>(instance.param);
      for (int64_t size : std::get<1>(instance.param))
        name += "_" + std::to_string(size);
      return name;
    });

// ---- Nothing is left out ----------------------------------------------------

class CoverageTest : public testing::Test {
 protected:
  /// Returns the names of all ops that have an instance.
  std::set<std::string> opsWithInstance() {
    std::set<std::string> names;
    for (const std::string& family : Instances::families()) {
      Instances instances(context_, family, Precision::AsWritten);
      for (Instance& instance : instances.list())
        names.insert(instance.op->getName().getStringRef().str());
    }
    return names;
  }

  TestContext context_;
};

TEST_F(CoverageTest, EveryComputingOpOfNnHasAnInstance) {
  std::set<std::string> covered = opsWithInstance();
  // These ops compute nothing: their placements are those of a parameter or a
  // function.
  const std::set<std::string> exempt = {"nn.parameter", "nn.get", "nn.set",
                                        "nn.repeat"};
  for (mlir::RegisteredOperationName op :
       context_.get()->getRegisteredOperationsByDialect("nn")) {
    std::string name = op.getStringRef().str();
    EXPECT_EQ(op.hasInterface<DistributedOpInterface>(),
              exempt.count(name) == 0)
        << name;
    // nn.repetition has a value only in repeated functions, and no operands.
    if (name == "nn.repetition") continue;
    EXPECT_NE(covered.count(name), exempt.count(name)) << name;
  }
}

TEST_F(CoverageTest, EveryInstanceRoundTrips) {
  for (const std::string& family : Instances::families()) {
    Instances instances(context_, family, Precision::AsWritten);
    // Compares whole files, with the bytes of resources. The second context is
    // a new one, since a context renames resources that it has read before.
    std::string text, again;
    llvm::raw_string_ostream stream(text), streamAgain(again);
    instances.program().module()->print(stream);
    TestContext anew;
    Program reread(anew, text);
    reread.module()->print(streamAgain);
    EXPECT_EQ(text, again);
  }
}

TEST_F(CoverageTest, LoopsFitTheTensorsOfEveryOp) {
  for (const std::string& family : Instances::families()) {
    Instances instances(context_, family, Precision::AsWritten);
    for (Instance& instance : instances.list())
      EXPECT_TRUE(succeeded(verifyLoopNest(
          instance.op,
          llvm::cast<DistributedOpInterface>(instance.op).getLoopNest())))
          << instance.name() << "\n"
          << instances.program().error();
  }
}

}  // namespace
}  // namespace sbp::check
