// Tables that cannot be run, and the errors that say why.

#include "passes/schedule/Check.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "passes/schedule/Csv.h"

namespace sbp::schedule {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string errorOf(std::string_view text) {
  const absl::StatusOr<Table> table = readCsv(text);
  EXPECT_TRUE(table.ok()) << table.status();
  return std::string(check(*table).message());
}

TEST(Check, TakesATableThatCanBeRun) {
  EXPECT_EQ(errorOf("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1"), "");
  // Halves and wholes, runs, recomputation, and updates.
  EXPECT_EQ(errorOf("0F0-1,0R0-1,0I1,0B0,0W1,0G,0U\n1F0,1F1,1B1,1B0,1U"), "");
  // A stage on two workers.
  EXPECT_EQ(errorOf("0F0,1F1,1B1,0B0\n0F1,1F0,1B0,0B1"), "");
}

TEST(Check, MissesTasks) {
  EXPECT_THAT(errorOf("0F0,0F1,0B0,0B1\n1F0,1B0,1B1"),
              AllOf(HasSubstr("stage 1, micro-batch 1 has no forward"),
                    HasSubstr("each of 2 micro-batches")));
  EXPECT_THAT(errorOf("0F0,0F1,0B0\n1F0,1B0,1F1,1B1"),
              AllOf(HasSubstr("stage 0, micro-batch 1 has a forward on worker "
                              "0 and no backward"),
                    HasSubstr("it needs one")));
  EXPECT_THAT(errorOf("0F0,0I0"),
              HasSubstr("has a backward of inputs and no backward of weights"));
  EXPECT_THAT(errorOf("0F0,0F1,0B0.0,0B1.0,0B1.1"),
              HasSubstr("stage 0, micro-batch 0.1 has a forward"));
}

TEST(Check, FindsTasksTwice) {
  EXPECT_THAT(errorOf("0F0,0B0\n1F0,1B0,0F0"),
              AllOf(HasSubstr("stage 0, micro-batch 0 has two tasks "
                              "'forward', on worker 0 and on worker 1"),
                    HasSubstr("one is needed")));
  EXPECT_THAT(errorOf("0F0,0B0,0W0"),
              AllOf(HasSubstr("a backward on worker 0"),
                    HasSubstr("a backward of weights on worker 0"),
                    HasSubstr("either whole or in two halves")));
}

TEST(Check, WantsABackwardWhereItsForwardIs) {
  EXPECT_THAT(errorOf("0F0,1B0\n1F0,0B0"),
              AllOf(HasSubstr("its forward on worker 0 and its backward on "
                              "worker 1"),
                    HasSubstr("both are on one")));
}

TEST(Check, WantsAllOfAForwardRecomputedOrNothing) {
  EXPECT_THAT(errorOf("0F0-1,0R1,0B1,0B0"),
              HasSubstr("the forward of stage 0, micro-batches 0-1 is "
                        "recomputed for micro-batch 1 and not for micro-batch "
                        "0; all of a forward is, or nothing"));
  EXPECT_EQ(errorOf("0F0,0F1,0R1,0B1,0B0"), "");
}

TEST(Check, WantsUpdatesOfAllOrNone) {
  EXPECT_THAT(errorOf("0F0,0B0,0U\n1F0,1B0"),
              HasSubstr("worker 1 has 0 tasks 'update' of stage 1"));
  EXPECT_THAT(errorOf("0F0,0F1,0B0,0B1,0U0,0U"),
              HasSubstr("2 tasks 'update' of stage 0 for micro-batch 0"));
  EXPECT_THAT(errorOf("0F0,0B0,0U\n1F0,1B0,1U,0U"),
              HasSubstr("worker 1 has a task 'update' of stage 0 and no "
                        "forward"));
  EXPECT_THAT(errorOf("0F0,0F1,0B0,0B1,0U1,0U0"),
              HasSubstr("in the order of micro-batches"));
  EXPECT_THAT(errorOf("0F0,0B0<1"), AllOf(HasSubstr("tasks of earlier steps"),
                                          HasSubstr("no updates")));
}

TEST(Check, TellsTheShortestCycle) {
  EXPECT_EQ(errorOf("0B0,0F0"),
            "worker 0: the backward of stage 0, micro-batch 0 waits for the "
            "forward of stage 0, micro-batch 0, which comes after it");
  // Each of the two workers waits for the other one, whatever tasks follow.
  EXPECT_THAT(errorOf("0F0,0B0,0F1,0B1\n1F1,1F0,1B0,1B1"),
              AllOf(HasSubstr("worker 0: the backward of stage 0, micro-batch "
                              "0 waits for the backward of stage 1, "
                              "micro-batch 0 on worker 1, which comes there "
                              "after the forward of stage 1, micro-batch 1"),
                    HasSubstr("worker 1: the forward of stage 1, micro-batch 1 "
                              "waits for the forward of stage 0, micro-batch 1 "
                              "on worker 0")));
  // Worker 0 waits as well, but is not part of the cycle.
  const std::string error = errorOf(
      "0F0,0B0,0F1,0B1,0F2,0B2\n1F0,1B0,1F1,1B1,1F2,1B2\n2F1,2B1,2F0,2B0,2F2,"
      "2B2");
  EXPECT_THAT(error, AllOf(HasSubstr("worker 1"), HasSubstr("worker 2"),
                           Not(HasSubstr("worker 0"))));
}

TEST(Check, LooksAcrossSteps) {
  // PipeDream on two workers.
  EXPECT_EQ(errorOf("0F0,0B0<1,0U0<1\n1F0,1B0,1U0"), "");
  // Worker 0 runs all of its tasks a step later, which is allowed.
  EXPECT_EQ(errorOf("0F0<1,0B0<1,0U0<1\n1F0,1B0,1U0"), "");
  // Worker 1 needs the next forward before it runs its backward; worker 0 needs
  // its backward before it runs the next forward.
  EXPECT_THAT(errorOf("0F0,0B0,0U0\n1F0,1B0<1,1U0<1"),
              HasSubstr("wait for one another"));
  EXPECT_THAT(errorOf("0F0,0B0<1,0U0<4000000\n1F0,1B0,1U0"),
              HasSubstr("too many to check"));
}

TEST(Check, RefusesWhatWouldFillTheMemory) {
  EXPECT_THAT(errorOf("0F0,0B0,4000000F4000000"), HasSubstr("too large"));
}

}  // namespace
}  // namespace sbp::schedule
