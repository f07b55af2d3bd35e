// Runs are read, and a model that is fitted to runs of itself predicts others.

#include "tools/lab/vtrain/Validation.h"

#include <random>
#include <string>

#include "gtest/gtest.h"
#include "runtime/status/Status.h"

namespace sbp::vtrain {
namespace {

constexpr char kNames[] = "GPUs,batch,...\n";

std::string errorOf(const std::string& lines) {
  return textOf(readRuns(kNames + lines).status());
}

TEST(MeasuredRuns, AreReadLineByLine) {
  const auto runs =
      readRuns(std::string(kNames) + "8,32,4,1024,16,24,1024,2,2,2,219.5\r\n");
  ASSERT_TRUE(runs.ok()) << textOf(runs.status());
  ASSERT_EQ(runs->size(), 1u);
  EXPECT_EQ(runs->front().numMicroBatches(), 4);
  EXPECT_EQ(runs->front().layers, 24);
  EXPECT_DOUBLE_EQ(runs->front().seconds, 0.2195);
}

TEST(MeasuredRuns, NameTheLineThatIsWrong) {
  EXPECT_EQ(errorOf(""), "there are no lines of values");
  EXPECT_EQ(errorOf("8,32\n"), "line 2 has 2 values; 11 are needed");
  EXPECT_EQ(errorOf("8,32,4,1024,x,24,1024,2,2,2,219.5\n"),
            "line 2, value 5 is no positive integer");
  EXPECT_EQ(errorOf("8,32,4,1024,16,24,1024,2,2,2,0\n"),
            "line 2, value 11 is no positive time");
  EXPECT_EQ(errorOf("8,32,4,1024,16,24,1024,2,2,1,9\n"),
            "line 2: the degrees of parallelism do not multiply to the number "
            "of GPUs");
  EXPECT_EQ(errorOf("8,30,4,1024,16,24,1024,2,2,2,9\n"),
            "line 2: the batch cannot be divided into micro-batches");
}

TEST(AllReduceTimes, AreInterpolated) {
  const auto times = AllReduceTimes::read(
      "size,count,type,time\n1000,1,float,10\n2000,1,float,30\n");
  ASSERT_TRUE(times.ok()) << textOf(times.status());
  EXPECT_DOUBLE_EQ(times->seconds(10), 10e-9);
  EXPECT_DOUBLE_EQ(times->seconds(1500), 20e-9);
  EXPECT_DOUBLE_EQ(times->seconds(4000), 60e-9);
  EXPECT_EQ(textOf(AllReduceTimes::read("names\n2,1,f,10\n1,1,f,5\n").status()),
            "line 3: sizes must ascend");
}

/// Returns runs whose times are those of the model.
std::vector<MeasuredRun> runsOf(const MachineNumbers& numbers,
                                const AllReduces& allReduces) {
  std::vector<MeasuredRun> runs;
  for (int64_t tensor : {1, 2, 4})
    for (int64_t data : {1, 2})
      for (int64_t pipeline : {1, 2, 4})
        for (int64_t microBatch : {1, 4})
          for (int64_t hidden : {1024, 2048}) {
            MeasuredRun run = {tensor * data * pipeline,
                               64,
                               microBatch,
                               hidden,
                               16,
                               24,
                               1024,
                               tensor,
                               data,
                               pipeline};
            run.seconds = simulatedSeconds(run, numbers, allReduces);
            runs.push_back(run);
          }
  return runs;
}

TEST(Validation, AModelThatIsFittedToItselfPredictsOtherRuns) {
  AllReduces allReduces;
  const auto times = AllReduceTimes::read(
      "size,count,type,time\n1000000,1,f,40000\n1000000000,1,f,9000000\n");
  for (int64_t gpus : {2, 4}) allReduces.emplace(gpus, *times);
  MachineNumbers numbers;
  numbers.rate = 120e12;
  numbers.launch = 0.4e-3;
  numbers.constant = 9e-3;
  const std::vector<MeasuredRun> runs = runsOf(numbers, allReduces);
  for (const MeasuredRun& run : runs)
    EXPECT_NEAR(estimatedSeconds(run, numbers, allReduces), run.seconds,
                0.01 * run.seconds);
  const std::vector<Fold> folds = crossValidate(runs, 3, allReduces);
  ASSERT_EQ(folds.size(), 3u);
  for (const Fold& fold : folds) {
    EXPECT_LT(fold.others.mean, 0.04);
    EXPECT_LE(fold.others.median, fold.others.percentile90);
    EXPECT_GE(fold.choices.amongThree, 0.9);
    EXPECT_LT(fold.choices.loss, 0.02);
  }
}

}  // namespace
}  // namespace sbp::vtrain
