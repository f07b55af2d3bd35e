// The pipes of tables.

#include "passes/schedule/Pipes.h"

#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/families/Family.h"

namespace sbp::schedule {
namespace {

using ::testing::ElementsAre;

Table tableOf(std::string_view family, int64_t depth, int64_t microBatches) {
  Shape shape;
  shape.depth = depth;
  shape.microBatches = microBatches;
  return *tableOf(family, shape);
}

TEST(Pipes, OneWayIsOnePipe) {
  const std::vector<Pipe> pipes = pipesOf(tableOf("1f1b", 3, 4));
  ASSERT_EQ(pipes.size(), 1);
  EXPECT_THAT(pipes[0].workers, ElementsAre(0, 1, 2));
  EXPECT_THAT(pipes[0].parts, ElementsAre(0, 1, 2, 3));
}

TEST(Pipes, OfChimeraAreOpposite) {
  const std::vector<Pipe> pipes = pipesOf(tableOf("chimera", 4, 8));
  ASSERT_EQ(pipes.size(), 2);
  EXPECT_THAT(pipes[0].workers, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(pipes[0].parts, ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(pipes[1].workers, ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(pipes[1].parts, ElementsAre(2, 3, 6, 7));
}

TEST(Pipes, ThatShareAWorkerForOneStageAreTwo) {
  const Table table = *readCsv("0F0,0F1,1F1,1B1,0B0,0B1\n1F0,1B0");
  const std::vector<Pipe> pipes = pipesOf(table);
  ASSERT_EQ(pipes.size(), 2);
  EXPECT_THAT(pipes[0].workers, ElementsAre(0, 1));
  EXPECT_THAT(pipes[1].workers, ElementsAre(0, 0));
  EXPECT_THAT(pipes[1].parts, ElementsAre(1));
}

TEST(Pipes, HaveTheirPartsInTheirOrder) {
  const Table table = *readCsv("0F2,0F0-1,0B2,0B0,0B1");
  const std::vector<Pipe> pipes = pipesOf(table);
  ASSERT_EQ(pipes.size(), 1);
  EXPECT_THAT(pipes[0].parts, ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace sbp::schedule
