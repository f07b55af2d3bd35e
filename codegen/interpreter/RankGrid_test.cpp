// Tests programs of several ranks: the results of collectives and transfers,
// and that every failure ends with one diagnostic.

#include "codegen/interpreter/RankGrid.h"

#include <string>

#include "codegen/interpreter/testing/Programs.h"
#include "gtest/gtest.h"

namespace sbp::interpreter {
namespace {

using testing::HasSubstr;

constexpr const char* kMachine = R"(
  sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                  #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
)";

class RankGridTest : public testing::Test {
 protected:
  /// Returns a program for `ranks` whose function @f has the given type and
  /// body.
  static std::string rankProgram(const std::string& ranks,
                                 const std::string& results,
                                 const std::string& body) {
    std::string name = "@p" + std::to_string(ranks.size()) + ranks.substr(0, 1);
    return "rank.program " + name + " on @m ranks [" + ranks +
           "] {\n func.func @f() -> " + results + " {" + body +
           "return %r : " + results + "}}\n";
  }

  /// Returns the result of @f on each of four ranks, one per line, or the
  /// diagnostics.
  std::string run(const std::string& programs) {
    return runModule(kMachine + programs);
  }

  std::string runModule(const std::string& text) {
    Program program(context_, text);
    auto grid = RankGrid::create(program.module(), program.evaluators());
    if (failed(grid)) return program.error();
    auto results =
        grid->run("f", std::vector<SmallVector<Tensor>>(grid->numRanks()));
    if (failed(results)) return program.error();
    std::string lines;
    for (const Results& ofRank : *results) lines += ofRank.front().str() + "\n";
    return lines;
  }

  TestContext context_;
};

// %x of rank r is [r * 10, r * 10 + 1, ...] in all these programs.
const char* const kNumbered = R"(
  %o = rank.offset 4 over ["node", "gpu"] : tensor<i64>
  %ten = nn.constant dense<10> : tensor<i64>
  %first = nn.mul %o, %ten : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %x = nn.iota from %first dim 0 : (tensor<i64>) -> tensor<2xi64>
)";
std::string numbered(const std::string& body) { return kNumbered + body; }

TEST_F(RankGridTest, AllReduceSpansTheNamedAxes) {
  EXPECT_EQ(run(rankProgram("0, 1, 2, 3", "tensor<2xi64>", numbered(R"(
              %r = rank.all_reduce sum %x over ["gpu"] : tensor<2xi64>)"))),
            "[10, 12]\n[10, 12]\n[50, 52]\n[50, 52]\n");
  EXPECT_EQ(run(rankProgram("0, 1, 2, 3", "tensor<2xi64>", numbered(R"(
              %r = rank.all_reduce max %x over ["node"] : tensor<2xi64>)"))),
            "[20, 21]\n[30, 31]\n[20, 21]\n[30, 31]\n");
  EXPECT_EQ(run(rankProgram("0, 1, 2, 3", "tensor<2xi64>", numbered(R"(
              %r = rank.all_reduce min %x over ["node", "gpu"]
                 : tensor<2xi64>)"))),
            "[0, 1]\n[0, 1]\n[0, 1]\n[0, 1]\n");
}

TEST_F(RankGridTest, AllGatherJoinsInMemberOrder) {
  EXPECT_EQ(run(rankProgram("0, 1, 2, 3", "tensor<4xi64>", numbered(R"(
              %r = rank.all_gather %x dim 0 over ["node"]
                 : tensor<2xi64> -> tensor<4xi64>)"))),
            "[0, 1, 20, 21]\n[10, 11, 30, 31]\n[0, 1, 20, 21]\n"
            "[10, 11, 30, 31]\n");
}

TEST_F(RankGridTest, ReduceScatterLeavesEachMemberItsPart) {
  EXPECT_EQ(run(rankProgram("0, 1, 2, 3", "tensor<1xi64>", numbered(R"(
              %r = rank.reduce_scatter sum %x dim 0 over ["gpu"]
                 : tensor<2xi64> -> tensor<1xi64>)"))),
            "[10]\n[12]\n[50]\n[52]\n");
}

TEST_F(RankGridTest, AllToAllMovesTheSplitToAnotherDimension) {
  EXPECT_EQ(run(rankProgram("0, 1, 2, 3", "tensor<2x1xi64>", numbered(R"(
              %row = nn.reshape %x : tensor<2xi64> -> tensor<1x2xi64>
              %r = rank.all_to_all %row gather 0 split 1 over ["gpu"]
                 : tensor<1x2xi64> -> tensor<2x1xi64>)"))),
            "[[0], [10]]\n[[1], [11]]\n[[20], [30]]\n[[21], [31]]\n");
}

TEST_F(RankGridTest, LocalStepsDependOnThePlaceInTheGroup) {
  EXPECT_EQ(run(rankProgram("0, 1, 2, 3", "tensor<1xi64>", numbered(R"(
              %r = rank.slice %x dim 0 over ["node"]
                 : tensor<2xi64> -> tensor<1xi64>)"))),
            "[0]\n[10]\n[21]\n[31]\n");
  EXPECT_EQ(run(rankProgram("0, 1, 2, 3", "tensor<4xi32>", numbered(R"(
              %i = nn.cast %x : tensor<2xi64> -> tensor<2xi32>
              %r = rank.pad max %i dim 0 over ["gpu"]
                 : tensor<2xi32> -> tensor<4xi32>)"))),
            "[0, 1, -2147483648, -2147483648]\n"
            "[-2147483648, -2147483648, 10, 11]\n"
            "[20, 21, -2147483648, -2147483648]\n"
            "[-2147483648, -2147483648, 30, 31]\n");
  EXPECT_EQ(run(rankProgram("0, 1, 2, 3", "tensor<2xi64>", numbered(R"(
              %r = rank.to_partial sum %x over ["node"] : tensor<2xi64>)"))),
            "[0, 1]\n[10, 11]\n[0, 0]\n[0, 0]\n");
}

TEST_F(RankGridTest, PartsOfPartsAreNested) {
  // Five rows: node 0 has 2, node 1 has 3; their gpus have 1, 1, 1, 2.
  std::string text = run(rankProgram("0, 1, 2, 3", "tensor<i64>", R"(
        %r = rank.offset 5 over ["node", "gpu"] : tensor<i64>)"));
  EXPECT_EQ(text, "0\n1\n2\n3\n");
}

TEST_F(RankGridTest, RanksMayRunDifferentPrograms) {
  auto gather = [](const std::string& extent) {
    return "%x = nn.iota dim 0 : () -> tensor<" + extent +
           "xi64>\n %r = rank.all_gather %x dim 0 over [\"gpu\"] : tensor<" +
           extent + "xi64> -> tensor<3xi64>";
  };
  EXPECT_EQ(run(rankProgram("0, 2", "tensor<3xi64>", gather("1")) +
                rankProgram("1, 3", "tensor<3xi64>", gather("2"))),
            "[0, 0, 1]\n[0, 0, 1]\n[0, 0, 1]\n[0, 0, 1]\n");
}

TEST_F(RankGridTest, CutsAndAssemblesWholeTensors) {
  Program program(context_, std::string(kMachine) + R"(
    rank.program @all on @m ranks [0, 1, 2, 3] {
      nn.parameter @w : tensor<3x2xf32> = #nn.normal<1.0>
        {rank.whole = tensor<6x2xf32, #sbp.nd<@m, [B, S(0)]>>}
      func.func @f(%x: tensor<2x3xf32>
                   {rank.whole = tensor<4x6xf32, #sbp.nd<@m, [S(0), S(1)]>>})
          -> (tensor<2x2xf32>
              {rank.whole = tensor<4x2xf32, #sbp.nd<@m, [S(0), P(sum)]>>}) {
        %w = nn.get @w : tensor<3x2xf32>
        %y = nn.einsum "bi,ij->bj" %x, %w
           : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
        nn.set @w, %w : tensor<3x2xf32>
        return %y : tensor<2x2xf32>
      }
    })");
  Program whole(context_, R"(
    nn.parameter @w : tensor<6x2xf32> = #nn.normal<1.0>
    func.func @f(%x: tensor<4x6xf32>) -> tensor<4x2xf32> {
      %w = nn.get @w : tensor<6x2xf32>
      %y = nn.einsum "bi,ij->bj" %x, %w
         : (tensor<4x6xf32>, tensor<6x2xf32>) -> tensor<4x2xf32>
      return %y : tensor<4x2xf32>
    })");
  auto grid = RankGrid::create(program.module(), program.evaluators());
  ASSERT_TRUE(succeeded(grid)) << program.error();
  ASSERT_TRUE(succeeded(grid->initializeParameters(/*seed=*/1)));
  auto arguments = whole.randomArguments("f", /*seed=*/1);
  auto results = grid->runWhole("f", arguments);
  ASSERT_TRUE(succeeded(results)) << program.error();
  EXPECT_THAT(results->front(),
              IsCloseTo(whole.run("f", arguments)->front(), 1e-6));
  auto parameters = grid->wholeParameters();
  ASSERT_TRUE(succeeded(parameters));
  EXPECT_TRUE(parameters->at("w").isIdenticalTo(whole.parameters().at("w")));
}

// ---- Pipelines --------------------------------------------------------------

/// Returns a pipeline of two stages, on ranks 0 and 1. Its tasks negate the
/// index of their micro-batch. The carried value appends the negated index as
/// its last digit, so it ends as -12 if it takes micro-batches in their order.
/// `front` and `back` are the rows of the schedule.
std::string pipeline(const std::string& front, const std::string& back) {
  const std::string functions = R"(
    func.func private @forward(%x: tensor<i64>) -> tensor<i64>
        attributes {sbp.kind = #sbp.kind<F>, sbp.stage = STAGE : i64} {
      %y = nn.neg %x : tensor<i64>
      return %y : tensor<i64>
    }
    func.func private @backward(%x: tensor<i64>) -> tensor<i64>
        attributes {sbp.kind = #sbp.kind<B>, sbp.stage = STAGE : i64} {
      %y = nn.neg %x : tensor<i64>
      return %y : tensor<i64>
    }
    func.func private @part(%sum: tensor<i64>) -> tensor<i64> {
      BODY
      %ten = nn.constant dense<10> : tensor<i64>
      %moved = nn.mul %sum, %ten : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %new = nn.add %moved, %g {rank.task = #sbp.task<STAGEB>}
         : (tensor<i64>, tensor<i64>) -> tensor<i64>
      return %new : tensor<i64>
    }
    func.func @f() -> tensor<i64> {
      %r = nn.repeat 3 @part() : () -> tensor<i64>
      return %r : tensor<i64>
    }
  })";
  auto program = [&](const std::string& stage, const std::string& body) {
    std::string text = "rank.program @ranks_like_" + stage +
                       " on @pair ranks [" + stage + "] {" + functions;
    text.replace(text.find("BODY"), 4, body);
    for (size_t at; (at = text.find("STAGE")) != std::string::npos;)
      text.replace(at, 5, stage);
    return text;
  };
  return R"(
    sbp.machine @pair [#sbp.level<"rank" x 2, alpha = 0.0, beta = 0.0>]
    sbp.mesh @front of @pair ranks [0] [#sbp.axis<"a" x 1 in "rank">]
    sbp.mesh @back of @pair ranks [1] [#sbp.axis<"a" x 1 in "rank">]
    sbp.stages [@front, @back]
    sbp.schedule [@front ")" +
         front + "\", @back \"" + back + R"("]
    rank.transfer @there : tensor<i64, #sbp.nd<@front, [B]>>
        to tensor<i64, #sbp.nd<@back, [B]>> {rank.task = #sbp.task<1F>}
    rank.transfer @again : tensor<i64, #sbp.nd<@back, [B]>>
        to tensor<i64, #sbp.nd<@front, [B]>> {rank.task = #sbp.task<0B>}
  )" + program("0", R"(
      %k = nn.repetition : tensor<i64>
      %y = func.call @forward(%k) {rank.task = #sbp.task<0F>} : (tensor<i64>) -> tensor<i64>
      rank.send %y through @there {rank.task = #sbp.task<0F>} : tensor<i64>
      %h = rank.receive through @again {rank.task = #sbp.task<0B>} : tensor<i64>
      %g = func.call @backward(%h) {rank.task = #sbp.task<0B>} : (tensor<i64>) -> tensor<i64>
    )") + program("1", R"(
      %x = rank.receive through @there {rank.task = #sbp.task<1F>} : tensor<i64>
      %y = func.call @forward(%x) {rank.task = #sbp.task<1F>} : (tensor<i64>) -> tensor<i64>
      %g = func.call @backward(%y) {rank.task = #sbp.task<1B>} : (tensor<i64>) -> tensor<i64>
      rank.send %y through @again {rank.task = #sbp.task<1B>} : tensor<i64>
    )");
}

TEST_F(RankGridTest, APipelineGivesTheSameByAnyTable) {
  const std::string sums = "-12\n-12\n";
  EXPECT_EQ(
      runModule(pipeline("0F0,0F1,0F2,0B0,0B1,0B2", "1F0,1B0,1F1,1B1,1F2,1B2")),
      sums);
  EXPECT_EQ(
      runModule(pipeline("0F2,0F0,0B2,0F1,0B1,0B0", "1F2,1F0,1B2,1B0,1F1,1B1")),
      sums);
}

TEST_F(RankGridTest, ATableThatCannotBeRunIsADiagnostic) {
  EXPECT_THAT(
      runModule(pipeline("0F0,0B0,0F1,0F2,0B1,0B2", "1F0,1F1,1B0,1F2,1B1,1B2")),
      HasSubstr("cannot be run"));
  EXPECT_THAT(runModule(pipeline("0F0,0B0,0F1,0B1", "1F0,1B0,1F1,1B1")),
              HasSubstr("runs 0F 3 times, but the schedule has it for 2 "
                        "micro-batches"));
}

TEST_F(RankGridTest, AnOpInATaskThatRunsTooEarlyIsADiagnostic) {
  std::string text =
      pipeline("0F0,0F1,0F2,0B0,0B1,0B2", "1F0,1F1,1F2,1B0,1B1,1B2");
  const std::string kTask = "rank.task = #sbp.task<";
  auto moved = [&](const std::string& op, const std::string& task) {
    std::string edited = text;
    size_t at = edited.find(kTask, edited.find(op));
    return edited.replace(at + kTask.size(), 2, task);
  };
  // The other rank sends it only after the forward of another micro-batch.
  EXPECT_THAT(runModule(moved("rank.receive through @again", "0F")),
              testing::AllOf(HasSubstr("waits for ever: rank 0 has come here"),
                             HasSubstr("rank 1 waits for others here")));
  EXPECT_THAT(runModule(moved("call @backward(%h)", "0F")),
              HasSubstr("is run by 0F for micro-batch 0 before its operand has "
                        "been made"));
}

// ---- What goes wrong --------------------------------------------------------

TEST_F(RankGridTest, ARankThatFailsEndsTheOthers) {
  std::string error = run(rankProgram("0, 1, 2", "tensor<2xi64>", numbered(R"(
        %r = rank.all_reduce sum %x over ["node", "gpu"] : tensor<2xi64>)")) +
                          rankProgram("3", "tensor<2xi64>", numbered(R"(
        %y = "mine.unknown"(%x) : (tensor<2xi64>) -> tensor<2xi64>
        %r = rank.all_reduce sum %y over ["node", "gpu"] : tensor<2xi64>)")));
  EXPECT_THAT(error, HasSubstr("'mine.unknown' op has no evaluator"));
  EXPECT_THAT(error, HasSubstr("on rank 3"));
}

TEST_F(RankGridTest, TheSameFailureOnAllRanksIsOneDiagnostic) {
  std::string error = run(rankProgram("0, 1, 2, 3", "tensor<i64>", R"(
    %r = "mine.unknown"() : () -> tensor<i64>)"));
  std::string what = "has no evaluator";
  EXPECT_THAT(error, HasSubstr(what));
  EXPECT_EQ(error.find(what), error.rfind(what));
  EXPECT_THAT(error, HasSubstr("on rank 0"));
}

TEST_F(RankGridTest, WaitingForARankThatHasReturnedIsADiagnostic) {
  std::string error =
      run(rankProgram("0, 1, 2", "tensor<2xi64>", numbered(R"(
            %r = rank.all_reduce sum %x over ["gpu"] : tensor<2xi64>)")) +
          rankProgram("3", "tensor<2xi64>",
                      numbered("%r = nn.neg %x : tensor<2xi64>")));
  EXPECT_THAT(error, HasSubstr("waits for ever: rank 2 has come here"));
  EXPECT_THAT(error, HasSubstr("rank 3 has returned"));
}

TEST_F(RankGridTest, CollectivesInDifferentOrderAreADiagnostic) {
  auto inOrder = [](const std::string& first, const std::string& second) {
    return numbered(
        "%y = rank.all_reduce sum %x over [\"" + first +
        "\"] : tensor<2xi64>\n%r = rank.all_reduce sum %y over [\"" + second +
        "\"] : tensor<2xi64>");
  };
  std::string error =
      run(rankProgram("0, 3", "tensor<2xi64>", inOrder("gpu", "node")) +
          rankProgram("1, 2", "tensor<2xi64>", inOrder("node", "gpu")));
  EXPECT_THAT(error, HasSubstr("waits for ever"));
  EXPECT_THAT(error, HasSubstr("waits for others here"));
}

TEST_F(RankGridTest, DifferentCollectivesOfOneGroupAreADiagnostic) {
  // Only one group disagrees; of two, either could be reported.
  std::string error = run(rankProgram("0, 2, 3", "tensor<2xi64>", numbered(R"(
            %r = rank.all_reduce sum %x over ["gpu"] : tensor<2xi64>)")) +
                          rankProgram("1", "tensor<2xi64>", numbered(R"(
            %r = rank.all_reduce max %x over ["gpu"] : tensor<2xi64>)")));
  EXPECT_THAT(error, HasSubstr("brings a 'tensor<2xi64>' from rank 0"));
  EXPECT_THAT(error, HasSubstr("rank 1 brings a 'tensor<2xi64>' to "
                               "'rank.all_reduce'"));
}

TEST_F(RankGridTest, ARankWithoutProgramIsADiagnostic) {
  EXPECT_THAT(run(rankProgram("0, 1, 3", "tensor<2xi64>",
                              numbered("%r = nn.neg %x : tensor<2xi64>"))),
              HasSubstr("no rank.program is for rank 2 of 4"));
}

}  // namespace
}  // namespace sbp::interpreter
