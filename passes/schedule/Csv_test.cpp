// Tests tables as text: a table that is written is read as the same table, and
// errors name the position of a mistake.

#include "passes/schedule/Csv.h"

#include <fstream>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Recomputation.h"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/families/Family.h"

namespace sbp::schedule {
namespace {

using ::testing::HasSubstr;

Shape shapeOf(int64_t depth, int64_t microBatches,
              std::optional<std::string> variant = {}) {
  Shape shape;
  shape.depth = depth;
  shape.microBatches = microBatches;
  shape.variant = std::move(variant);
  return shape;
}

void expectRoundTrip(const Table& table) {
  const std::string text = csvOf(table);
  const absl::StatusOr<Table> read = readCsv(text);
  ASSERT_TRUE(read.ok()) << read.status() << "\n" << text;
  EXPECT_TRUE(*read == table) << text << "\nis read as\n" << csvOf(*read);
}

TEST(Csv, KeepsEveryFamily) {
  for (const Family& family : families()) {
    expectRoundTrip(*tableOf(family.name, shapeOf(4, 8)));
    for (std::string_view variant : family.variants)
      expectRoundTrip(
          *tableOf(family.name, shapeOf(4, 8, std::string(variant))));
    expectRoundTrip(withRecomputation(*tableOf(family.name, shapeOf(2, 4))));
  }
}

TEST(Csv, KeepsAWorkerWithoutTasks) {
  Table table = *tableOf("gpipe", shapeOf(2, 2));
  table.workers.emplace_back();
  expectRoundTrip(table);
}

TEST(Csv, ReadsOverIdleSlotsAndStartingSlots) {
  const Table plain = *readCsv("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n");
  EXPECT_TRUE(plain == *readCsv("0F0,0F1,,,0B0,,0B1\r\n ,1F0,1B0, 1F1 ,1B1"));
  EXPECT_TRUE(plain == *readCsv("0F0@0,0F1@1,0B0@4,0B1@7\n"
                                "1F0@1,1B0@2,1F1@4,1B1@5\n\n"));
  EXPECT_EQ(csvOf(plain), "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n");
}

TEST(Csv, ReadsWhatOverlapsOneBehindTheOther) {
  EXPECT_TRUE(*readCsv("0F0,(0F1;0B0)OVERLAP_F_B,0B1") ==
              *readCsv("0F0,0F1,0B0,0B1"));
  for (const char* text : {"(", "()OVERLAP_F_B", "(0F1;0B0)", "(0F1;0B0",
                           "(0F1)OVERLAP_F_B", "(0F1;0B0;0B1)OVERLAP_F_B"})
    EXPECT_THAT(std::string(readCsv(text).status().message()),
                HasSubstr("no pair of tasks"))
        << text;
}

TEST(Csv, ReadsRunsPartsAndUpdates) {
  const Table table = *readCsv("0F0-1,0B0.0,0B0.1-1.1,0G,0U1<2+3,0U<1+3");
  EXPECT_EQ(table.numMicroBatches, 2);
  EXPECT_EQ(table.partsPerMicroBatch, 2);
  EXPECT_EQ(table.delay, 3);
  const std::vector<Task> expected = {
      {Kind::Forward, 0, 0, 4},    {Kind::Backward, 0, 0, 1},
      {Kind::Backward, 0, 1, 3},   {Kind::Reduce, 0, 0, 4},
      {Kind::Update, 0, 2, 2, -2}, {Kind::Update, 0, 0, 4, -1}};
  EXPECT_TRUE(table.workers[0] == expected) << csvOf(table);
}

std::string errorOf(std::string_view text) {
  return std::string(readCsv(text).status().message());
}

TEST(Csv, SaysWhereAMistakeIs) {
  EXPECT_THAT(errorOf("0F0,0B0\n1F0,1X0"),
              HasSubstr("line 2, cell 2: '1X0' has 'X' for a kind"));
  EXPECT_THAT(errorOf("0F"), HasSubstr("'0F' lacks a micro-batch"));
  EXPECT_THAT(errorOf("F0"), HasSubstr("lacks a stage before 'F0'"));
  EXPECT_THAT(errorOf("0F0;"), HasSubstr("ends with ';'"));
  EXPECT_THAT(errorOf("0SEND_F0"),
              HasSubstr("'0SEND_F0' has 'SEND_F' for a kind"));
  EXPECT_THAT(errorOf("0F3-2"), HasSubstr("counted upwards"));
  EXPECT_THAT(errorOf("0F99999999999999999999"), HasSubstr("largest number"));
  EXPECT_THAT(errorOf("0U+1,0U"), HasSubstr("line 1, cell 2"));
  EXPECT_THAT(errorOf("\n\n"), HasSubstr("no tasks"));
  EXPECT_THAT(errorOf(""), HasSubstr("no tasks"));
}

/// A file of testing/tables: the makespan that its name ends with, and its
/// text.
struct Sample {
  std::string name;
  double makespan = 0;
  std::string text;
};

Sample sampleOf(const std::string& name) {
  std::ifstream file("passes/schedule/testing/tables/" + name + ".csv");
  EXPECT_TRUE(file.is_open()) << name;
  std::stringstream text;
  text << file.rdbuf();
  return {name, std::stod(name.substr(name.rfind('T') + 1)), text.str()};
}

TEST(SampleTables, StartTasksWhereTheySay) {
  for (const char* name :
       {"1f1b_D4_N4_F1_B2_T21", "chimera_direct_D4_N4_F1_B2_T16",
        "chimera_direct_D8_N4_F1_B2_T28", "chimera_direct_D8_N8_F1_B2_T36",
        "gems_D4_N4_F1_B2_T39", "gpipe_D4_N4_F1_B2_T21",
        "optimal_bidir_D4_N8_cap4_T28"}) {
    const Sample sample = sampleOf(name);
    const Table table = *readCsv(sample.text);
    ASSERT_TRUE(check(table).ok()) << name << check(table);
    Durations durations;
    durations.stages.resize(table.numStages);
    const Dependencies dependencies(table);
    const Simulation run = simulate(dependencies, durations);
    EXPECT_EQ(run.makespan, sample.makespan) << name;
    // All cells with their slots, in the order of lines.
    std::string cells;
    for (int64_t task = 0; task < dependencies.numTasks(); ++task) {
      const bool isLast =
          task + 1 == dependencies.firstOf(dependencies.workerOf(task) + 1);
      cells += cellOf(table, dependencies.task(task)) + "@" +
               std::to_string(static_cast<int>(run.starts[task])) +
               (isLast ? "\n" : ",");
    }
    EXPECT_EQ(cells, sample.text) << name;
  }
}

TEST(SampleTables, AreWhatFamiliesMake) {
  auto expectSame = [](const char* name, const char* family, int64_t depth,
                       int64_t microBatches) {
    EXPECT_EQ(csvOf(*tableOf(family, shapeOf(depth, microBatches))),
              csvOf(*readCsv(sampleOf(name).text)))
        << name;
  };
  expectSame("1f1b_D4_N4_F1_B2_T21", "1f1b", 4, 4);
  expectSame("gpipe_D4_N4_F1_B2_T21", "gpipe", 4, 4);
  expectSame("gems_D4_N4_F1_B2_T39", "gems", 4, 4);
  expectSame("chimera_direct_D4_N4_F1_B2_T16", "chimera", 4, 4);
  expectSame("chimera_direct_D8_N4_F1_B2_T28", "chimera", 8, 4);
  expectSame("chimera_direct_D8_N8_F1_B2_T36", "chimera", 8, 8);
}

}  // namespace
}  // namespace sbp::schedule
