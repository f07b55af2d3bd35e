// Tests of whole programs, in process: what they compute, print, write and
// refuse.

#include "runtime/main/Program.h"

#include <sys/stat.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/data/Npy.h"
#include "runtime/file/FileLock.h"
#include "runtime/main/testing/LinearModel.h"
#include "runtime/main/testing/LinearRun.h"

namespace sbp::program {
namespace {

using plan::ElementType;
using tensor::HostTensor;
using testing::contents;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kNumSamples;
using testing::kTrueWeights;
using ::testing::Not;
using testing::numbersOf;
using testing::pathOf;
using testing::Result;
using ::testing::StartsWith;

using Program = testing::LinearRun;

TEST_F(Program, ProfilesSayHowLongAStepCommunicates) {
  const auto alone = numbersOf(train(1, 1, {"--steps", "3", "--profile"}),
                               "communication_seconds");
  EXPECT_THAT(alone, ElementsAre(0, 0, 0));
  const Result together = train(2, 1, {"--steps", "3", "--profile"});
  const auto communicating = numbersOf(together, "communication_seconds");
  ASSERT_EQ(communicating.size(), 3u);
  double sum = 0;
  for (double seconds : communicating) {
    EXPECT_GT(seconds, 0);
    sum += seconds;
  }
  EXPECT_LT(sum, numbersOf(together, "seconds").back());
}

TEST_F(Program, LearnsTheWeights) {
  const Result result = train(1, 1, {"--steps", "300", "--dump", "w=@w.npy"});
  const auto losses = numbersOf(result, "loss");
  ASSERT_EQ(losses.size(), 300u);
  EXPECT_LT(losses.back(), 1e-6 * losses.front());
  const auto w = data::NpyFile::open(pathOf("w.npy"));
  ASSERT_TRUE(w.ok());
  EXPECT_THAT(w->shape(), ElementsAre(4));
  float weights[4];
  std::memcpy(weights, w->elements(), sizeof weights);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(weights[i], kTrueWeights[i], 1e-3);
}

TEST_F(Program, LossesDoNotDependOnThePlacement) {
  const auto one = numbersOf(train(1, 1, {"--steps", "20"}), "loss");
  ASSERT_EQ(one.size(), 20u);
  EXPECT_LT(one.back(), one.front());
  for (auto [data, model] : {std::pair{2, 1}, {1, 2}, {2, 2}}) {
    const auto spread =
        numbersOf(train(data, model, {"--steps", "20"}), "loss");
    ASSERT_EQ(spread.size(), 20u);
    for (size_t i = 0; i < 20; ++i)
      EXPECT_NEAR(spread[i], one[i], 1e-5 * std::abs(one[i])) << i;
  }
}

TEST_F(Program, OnePlanAndSeedGiveTheSameBits) {
  const auto saved = [this](std::vector<std::string> more) {
    more.insert(more.end(), {"--steps", "20", "--save", "@bits.safetensors"});
    train(2, 2, more);
    return contents(pathOf("bits.safetensors"));
  };
  const std::string first = saved({});
  EXPECT_EQ(saved({}), first);
  EXPECT_NE(saved({"--seed", "1"}), first);
}

TEST_F(Program, GoesOnFromACheckpointAsIfItHadNotStopped) {
  train(2, 2, {"--steps", "12", "--save", "@whole.safetensors"});
  train(2, 2, {"--steps", "5", "--save", "@half.safetensors"});
  const Result rest = train(2, 2,
                            {"--steps", "7", "--load", "@half.safetensors",
                             "--save", "@rest.safetensors"});
  EXPECT_EQ(contents(pathOf("rest.safetensors")),
            contents(pathOf("whole.safetensors")));
  EXPECT_EQ(numbersOf(rest, "step").front(), 6);
  // A program with another placement can continue the run, too.
  const auto other =
      train(1, 1, {"--steps", "7", "--load", "@half.safetensors"});
  EXPECT_NEAR(numbersOf(other, "loss").back(), numbersOf(rest, "loss").back(),
              1e-5);
}

TEST_F(Program, AScheduleGoesOnWithoutItsOptionsBeingRepeated) {
  train(
      2, 2,
      {"--steps", "20", "--schedule", "cosine", "--warmup", "3", "--seed", "5",
       "--min-lr", "0.01", "--save", "@run.safetensors", "--save-every", "10"});
  const std::string whole = contents(pathOf("run.safetensors"));
  EXPECT_EQ(contents(pathOf("run-000020.safetensors")), whole);
  const Result rest =
      run(2, 2,
          {"--json", "--data", "x=@x.npy", "--data", "t=@t.npy", "--load",
           "@run-000010.safetensors", "--save", "@rest.safetensors"});
  ASSERT_EQ(rest.exitCode, 0) << rest.error;
  EXPECT_EQ(rest.error, "");
  EXPECT_EQ(numbersOf(rest, "step").front(), 11);
  EXPECT_EQ(numbersOf(rest, "step").back(), 20);
  EXPECT_EQ(contents(pathOf("rest.safetensors")), whole);
}

TEST_F(Program, OptionsWinOverTheCheckpointAndSayWhereTheyDisagree) {
  train(1, 1,
        {"--steps", "6", "--schedule", "linear", "--seed", "5", "--save",
         "@six.safetensors", "--save-every", "3"});
  const std::string path = pathOf("six-000003.safetensors");
  const Result other =
      run(1, 1,
          {"--json", "--data", "x=@x.npy", "--data", "t=@t.npy", "--load", path,
           "--lr", "0.25", "--seed", "5", "--schedule", "constant", "--steps",
           "4"});
  EXPECT_EQ(other.error,
            "note: --schedule constant replaces the linear of " + path +
                "\nnote: --lr 0.25 replaces the 0.1 of " + path +
                "\nnote: --steps 4 makes this a run of 7 steps, not of 6 like "
                "that of " +
                path + "\n");
  EXPECT_EQ(numbersOf(other, "step").back(), 7);
  EXPECT_THAT(numbersOf(other, "lr"), Each(0.25));
}

TEST_F(Program, OtherDataAndOptimisersAreRefusedUnlessToldOtherwise) {
  train(2, 1, {"--steps", "3", "--save", "@mine.safetensors"});
  auto t = HostTensor::zeros(ElementType::kF32, {kNumSamples});
  ASSERT_TRUE(data::writeNpy(pathOf("zeros.npy"), t).ok());
  const auto train = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--data", "x=@x.npy", "--steps", "2", "--load",
                             "@mine.safetensors"});
    return run(2, 1, more);
  };
  const Result other = train({"--data", "t=@zeros.npy"});
  EXPECT_EQ(other.exitCode, 1);
  EXPECT_THAT(other.error, StartsWith("error: input \"t\": "));
  EXPECT_THAT(other.error, HasSubstr("zeros.npy is not the data that "));
  EXPECT_EQ(train({"--data", "t=@zeros.npy", "--load-anyway", "data"}).exitCode,
            0);
  EXPECT_EQ(train({"--data", "t=@t.npy"}).exitCode, 0);
  // Evaluation accepts any data.
  EXPECT_EQ(run(2, 1,
                {"--entry", "loss", "--data", "x=@x.npy", "--data",
                 "t=@zeros.npy", "--load", "@mine.safetensors"})
                .exitCode,
            0);

  optimizer = "adam";
  const Result adam = train({"--data", "t=@t.npy"});
  EXPECT_EQ(adam.exitCode, 1);
  EXPECT_THAT(adam.error, HasSubstr("mine.safetensors was trained by "
                                    "sgd<momentum = 0.9>, this program trains "
                                    "by adam; --load-anyway optimizer"));
  const Result anyway =
      train({"--data", "t=@t.npy", "--load-anyway", "optimizer"});
  EXPECT_EQ(anyway.exitCode, 0);
  EXPECT_THAT(anyway.error, HasSubstr("note: "));
  optimizer = "sgd<momentum = 0.8>";
  const Result momentum = train({"--data", "t=@t.npy"});
  EXPECT_EQ(momentum.exitCode, 0) << momentum.error;
  EXPECT_THAT(momentum.error,
              StartsWith("note: this program trains by sgd<momentum = 0.8>"));
}

TEST_F(Program, ACompleteRunGoesOnOnlyForANumberOfSteps) {
  train(1, 1, {"--steps", "3", "--save", "@done.safetensors"});
  const Result none = run(1, 1,
                          {"--data", "x=@x.npy", "--data", "t=@t.npy", "--load",
                           "@done.safetensors"});
  EXPECT_EQ(none.exitCode, 1);
  EXPECT_THAT(none.error, HasSubstr("done.safetensors has had all 3 steps of "
                                    "its run; --steps N trains N more"));
}

TEST_F(Program, KeepsTheNewestOfTheCheckpointsItWritesOnTheWay) {
  for (int step : {2, 4, 6, 8})
    (void)std::remove(
        pathOf("kept-00000" + std::to_string(step) + ".safetensors").c_str());
  train(2, 2,
        {"--steps", "7", "--save", "@kept.safetensors", "--save-every", "2",
         "--keep", "2"});
  EXPECT_EQ(contents(pathOf("kept-000002.safetensors")), "");
  for (const char* name : {"kept-000004.safetensors", "kept-000006.safetensors",
                           "kept.safetensors"})
    EXPECT_NE(contents(pathOf(name)), "") << name;
  train(2, 2, {"--steps", "7", "--save", "@once.safetensors"});
  EXPECT_EQ(contents(pathOf("kept.safetensors")),
            contents(pathOf("once.safetensors")));
}

TEST_F(Program, ACheckpointThatCannotBeWrittenEndsTheRunOnAllRanks) {
  mkdir(pathOf("broken-000004.safetensors").c_str(), 0777);
  const Result result =
      run(2, 2,
          {"--json", "--data", "x=@x.npy", "--data", "t=@t.npy", "--steps",
           "100", "--save", "@broken.safetensors", "--save-every", "2"});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(result.error, "error: cannot write " +
                              pathOf("broken-000004.safetensors") +
                              ": it is a folder\n");
  EXPECT_EQ(numbersOf(result, "step").back(), 5);
  const auto step = [](const char* name) {
    const std::string text = contents(pathOf(name));
    const size_t begin = text.find("\"step\":\"");
    return begin == text.npos ? "none" : text.substr(begin + 8, 1);
  };
  EXPECT_EQ(step("broken-000002.safetensors"), "2");
  EXPECT_EQ(step("broken.safetensors"), "5");
}

TEST_F(Program, AnEntryThatTrainsReadsInTheOrderOfTheSeed) {
  const auto losses = [this](std::vector<std::string> more) {
    more.insert(more.end(), {"--steps", "4"});
    return numbersOf(train(1, 1, more), "loss");
  };
  EXPECT_EQ(losses({"--entry", "train_step"}), losses({}));
  EXPECT_NE(losses({"--entry", "train_step", "--seed", "1"}), losses({}));
  EXPECT_THAT(run(1, 1, {"--help"}).out,
              HasSubstr("Entry to run. An entry with the input `lr`"));
}

TEST_F(Program, ReportsWhatAllRanksCommunicate) {
  // All-reduces among pairs of ranks: p of 4 samples, g of 2 features.
  const auto bytes =
      numbersOf(train(2, 2, {"--steps", "3"}), "bytes_communicated");
  EXPECT_GT(bytes[0], 0);
  EXPECT_EQ(bytes[2], bytes[0]);
  EXPECT_EQ(numbersOf(train(1, 1, {"--steps", "1"}), "bytes_communicated")[0],
            0);
}

TEST_F(Program, FollowsTheSchedule) {
  const auto rates =
      numbersOf(train(1, 1,
                      {"--steps", "5", "--warmup", "2", "--schedule", "linear",
                       "--min-lr", "0.01"}),
                "lr");
  const double expected[] = {0.05, 0.1, 0.1, 0.055, 0.01};
  ASSERT_EQ(rates.size(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(rates[i], expected[i], 1e-8);
}

TEST_F(Program, EvaluatesEachBatchInTheOrderOfTheData) {
  train(2, 2, {"--steps", "3", "--save", "@eval.safetensors"});
  const auto evaluate = [this](int64_t data, int64_t model) {
    return run(data, model,
               {"--entry", "loss", "--data", "x=@x.npy", "--data", "t=@t.npy",
                "--load", "@eval.safetensors", "--dump", "p=@p.npy", "--dump",
                "loss=@losses.npy"});
  };
  const Result one = evaluate(1, 1);
  ASSERT_EQ(one.exitCode, 0) << one.error;
  const std::string predictions = contents(pathOf("p.npy"));
  EXPECT_THAT(one.out, StartsWith("batch 1  loss "));
  EXPECT_THAT(one.out, HasSubstr("\nbatch 4  loss "));
  EXPECT_THAT(one.out, HasSubstr("\nmean  loss "));
  EXPECT_THAT(one.error, HasSubstr("5 samples are left over"));
  const auto p = data::NpyFile::open(pathOf("p.npy"));
  EXPECT_THAT(p->shape(), ElementsAre(32));
  EXPECT_THAT(data::NpyFile::open(pathOf("losses.npy"))->shape(),
              ElementsAre(4));
  EXPECT_EQ(evaluate(2, 1).exitCode, 0);
  EXPECT_EQ(contents(pathOf("p.npy")), predictions);
}

TEST_F(Program, SamplesBytesThroughASlidingWindow) {
  for (int64_t ranks : {1, 2}) {
    const Result best =
        run(ranks, ranks,
            {"--sample", "20", "--prompt", "abc", "--temperature", "0"});
    ASSERT_EQ(best.exitCode, 0) << best.error;
    EXPECT_EQ(best.out, "abcdefghijklmnopqrstuvw\n");
  }
  EXPECT_EQ(
      run(1, 1,
          {"--sample", "3", "--prompt", "abc", "--dump", "logits=@logits.npy"})
          .exitCode,
      0);
  EXPECT_EQ(data::NpyFile::open(pathOf("logits.npy"))->shape()[0], 3);
  const auto sampled = [this](const char* seed) {
    return run(1, 1, {"--sample", "30", "--prompt", "a", "--seed", seed}).out;
  };
  EXPECT_EQ(sampled("1"), sampled("1"));
  EXPECT_NE(sampled("1"), sampled("2"));
}

TEST_F(Program, DescribesItself) {
  const Result result = run(2, 2, {"--describe"});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_THAT(result.out, StartsWith("linear: 4 ranks (data = 2, model = 2)"));
  EXPECT_THAT(result.out, HasSubstr("w.momentum  4xf32  [B, S(0)]"));
  EXPECT_THAT(result.out, HasSubstr("input x: 8x4xf32 [S(0), S(1)]"));
  EXPECT_THAT(result.out, HasSubstr("\n  trained by sgd<momentum = 0.9>\n"));
  EXPECT_THAT(run(1, 1, {"--help"}).out, HasSubstr("--temperature"));
}

TEST_F(Program, MistakesGetOneErrorAndExitCode1) {
  struct Mistake {
    std::vector<std::string> arguments;
    const char* message;
  };
  const std::vector<std::string> good = {"--data", "x=@x.npy", "--data",
                                         "t=@t.npy"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), good.begin(), good.end());
    return more;
  };
  const Mistake mistakes[] = {
      {{"--data", "x=@x.npy"},
       "input \"t\" (8xf32) of entry \"train_step\" "
       "has no data: --data t=FILE"},
      {with({"--data", "z=@x.npy"}), "data for \"z\""},
      {{"--data", "x=@t.npy", "--data", "t=@t.npy"}, "t.npy holds 37xf32"},
      {{"--data", "x=/no/file", "--data", "t=@t.npy"},
       "cannot read /no/file: No such file or directory"},
      {with({"--steps", "0"}),
       "--steps: \"0\" is no integer from 1 to 1000000000000"},
      {with({"--steps", "99999999999999999999"}), "--steps: \"9999"},
      {with({"--steps", "x"}), "--steps: \"x\" is no integer"},
      {with({"--seed", "-1"}), "--seed: \"-1\" is no integer from 0 to"},
      {with({"--lr", "nan"}), "--lr: \"nan\" is no finite number"},
      {with({"--min-lr", "1e39"}), "--min-lr: \"1e39\" is no finite number"},
      {with({"--temperature", "-1"}),
       "\"-1\" is no finite number of at least 0"},
      {with({"--schedule", "up"}),
       "--schedule: \"up\" is none of constant, linear, cosine"},
      {with({"--schedule", "1"}), "--schedule: \"1\" is none of"},
      {with({"--on-nan", "ignore"}),
       "--on-nan: \"ignore\" is none of stop, skip, continue"},
      {with({"--lr", "inf"}), "--lr: \"inf\" is no finite number"},
      {with({"--save", "@same", "--dump", "w=@same"}),
       "--save and --dump w both write "},
      {{"--data", "x"}, "--data: expected name=file, got x"},
      {with({"--entry", "los"}),
       "there is no entry \"los\"; the program has: train_step, loss, next"},
      {with({"--save", "/no/folder/file"}), "cannot write /no/folder/file"},
      {with({"--dump", "q=@q.npy"}),
       "cannot dump \"q\"; outputs of entry \"train_step\" and parameters are: "
       "loss, w, w.momentum"},
      {with({"--dump", "w=/no/folder/file"}),
       "error: cannot write /no/folder/file"},
      {with({"--load", "@x.npy"}), "x.npy: it is no safetensors file"},
      {with({"--sample", "3"}), "--sample takes its input from --prompt"},
      {{"--sample", "3", "--entry", "loss"},
       "entry \"loss\" cannot sample: that takes one input of tokens"},
      {{"--text", "@x.npy"}, "has no input of integers"},
      {with({"--frobnicate"}), "--frobnicate"},
      {with({"--save-every", "5"}), "--save-every requires --save"},
      {with({"--save", "@s", "--keep", "5"}), "--keep requires --save-every"},
      {with({"--save", "@s", "--save-every", "0"}), "--save-every: \"0\""},
      {with({"--entry", "loss", "--save", "@s", "--save-every", "5"}),
       "--save-every is for training"},
      {with({"--load-anyway", "data"}), "--load-anyway requires --load"},
      {with({"--load-anyway", "seed"}),
       "\"seed\" is none of data, optimizer, missing, extra"},
      {with({"--lr", "0.1", "--min-lr", "0.2"}),
       "--min-lr 0.2 is above --lr 0.1; the learning rate falls"},
      {with({"--text", "@a", "--tokens", "@b"}), "--text excludes --tokens"},
  };
  for (const Mistake& mistake : mistakes)
    for (int64_t ranks : {1, 2}) {
      const Result result = run(ranks, ranks, mistake.arguments);
      EXPECT_EQ(result.exitCode, 1) << mistake.message;
      EXPECT_EQ(result.out, "");
      EXPECT_THAT(result.error, StartsWith("error: "));
      EXPECT_THAT(result.error, HasSubstr(mistake.message));
      EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1)
          << result.error;
    }
}

TEST_F(Program, AnotherProcessorIsAnErrorThatSaysWhatItLacks) {
  const std::string plan = plan::toJson(testing::linearPlan(1, 1));
  const auto kernels = testing::linearKernels(1, 1);
  const std::string x = "x=" + pathOf("x.npy"), t = "t=" + pathOf("t.npy");
  const char* argv[] = {"linear", "--data", x.c_str(), "--data", t.c_str()};
  ::testing::internal::CaptureStderr();
  // Features of AMD's Bulldozer and of Intel's Diamond Rapids; no CPU has both.
  EXPECT_EQ(
      runProgram(
          5, argv, plan,
          {kernels.data(), {"oddity", {"xop", "fma4", "avx10.2", "egpr"}}, {}}),
      1);
  const std::string error = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(error, StartsWith("error: the program is for the CPU oddity, but "
                                "that of rank 0 (host "));
  EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1);
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(runProgram(5, argv, plan, {kernels.data(), {"x86-64", {}}, {}}), 0);
  ::testing::internal::GetCapturedStdout();
}

TEST_F(Program, AWarmUpLongerThanTheRunIsNoted) {
  const Result result = train(1, 1, {"--steps", "2", "--warmup", "5"});
  EXPECT_EQ(result.error,
            "note: --warmup 5 is longer than the run of 2 steps: the learning "
            "rate does not reach 0.1\n");
}

TEST_F(Program, TwoRunsDoNotSaveToOnePlace) {
  const auto lock = file::FileLock::take(pathOf("same.safetensors"));
  ASSERT_TRUE(lock.ok());
  const Result result = run(2, 1,
                            {"--data", "x=@x.npy", "--data", "t=@t.npy",
                             "--save", "@same.safetensors"});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.error, HasSubstr("another run writes there (host "));
  EXPECT_THAT(result.out, Not(HasSubstr("step")));
}

TEST_F(Program, ADamagedPlanIsAnError) {
  const char* argv[] = {"program"};
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(runProgram(1, argv, "{}", {}), 1);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "error: this program's plan is damaged: has no field \"model\"\n");
}

}  // namespace
}  // namespace sbp::program
