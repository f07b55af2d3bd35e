// Programs in process: what they compute, print, write, and refuse.

#include "runtime/main/Program.h"

#include <cmath>
#include <cstring>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "runtime/data/Npy.h"
#include "runtime/file/MappedFile.h"
#include "runtime/main/testing/LinearModel.h"

namespace sbp::program {
namespace {

using plan::ElementType;
using tensor::HostTensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int64_t kNumSamples = 37;
constexpr float kTrueWeights[] = {1, -2, 3, 0.5};

std::string pathOf(const std::string& name) {
  return ::testing::TempDir() + name;
}

std::string contents(const std::string& path) {
  const auto file = file::MappedFile::open(path);
  return file.ok() ? std::string(file->bytes()) : "";
}

/// Samples that a linear model explains.
void writeData() {
  auto x =
      HostTensor::zeros(ElementType::kF32, {kNumSamples, testing::kFeatures});
  auto t = HostTensor::zeros(ElementType::kF32, {kNumSamples});
  for (int64_t i = 0; i < kNumSamples; ++i)
    for (int64_t j = 0; j < testing::kFeatures; ++j) {
      const float value = std::sin(float((i + 2) * (i + 3) * (j + 5)));
      x.elements<float>()[i * testing::kFeatures + j] = value;
      t.elements<float>()[i] += value * kTrueWeights[j];
    }
  ASSERT_TRUE(data::writeNpy(pathOf("x.npy"), x).ok());
  ASSERT_TRUE(data::writeNpy(pathOf("t.npy"), t).ok());
}

struct Result {
  int exitCode;
  std::string out, error;
};

/// Runs the linear model on data x model ranks; "@name" in an argument is a
/// file.
Result run(int64_t data, int64_t model, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"linear", "--in-process"});
  std::vector<const char*> argv;
  for (std::string& argument : arguments) {
    const size_t at = argument.find('@');
    if (at != argument.npos) argument.replace(at, 1, ::testing::TempDir());
    argv.push_back(argument.c_str());
  }
  const std::string plan = plan::toJson(testing::linearPlan(data, model));
  const auto kernels = testing::linearKernels(data, model);
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int exitCode =
      runProgram(int(argv.size()), argv.data(), plan, kernels.data());
  return {exitCode, ::testing::internal::GetCapturedStdout(),
          ::testing::internal::GetCapturedStderr()};
}

Result train(int64_t data, int64_t model, std::vector<std::string> more) {
  std::vector<std::string> arguments = {
      "--json", "--data", "x=@x.npy", "--data", "t=@t.npy", "--lr", "0.1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Result result = run(data, model, arguments);
  EXPECT_EQ(result.exitCode, 0) << result.error;
  return result;
}

std::vector<double> numbersOf(const Result& result, const char* field) {
  std::vector<double> numbers;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    numbers.push_back(nlohmann::json::parse(line).at(field));
  return numbers;
}

class Program : public ::testing::Test {
 protected:
  void SetUp() override { writeData(); }
};

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
  const auto saved = [](std::vector<std::string> more) {
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
  // Another placement goes on as well.
  const auto other =
      train(1, 1, {"--steps", "7", "--load", "@half.safetensors"});
  EXPECT_NEAR(numbersOf(other, "loss").back(), numbersOf(rest, "loss").back(),
              1e-5);
}

TEST_F(Program, ReportsWhatAllRanksCommunicate) {
  // p: 4 samples over pairs, g: 2 features over pairs; every rank takes part.
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
  const auto evaluate = [](int64_t data, int64_t model) {
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
  const auto sampled = [](const char* seed) {
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

TEST_F(Program, ADamagedPlanIsAnError) {
  const char* argv[] = {"program"};
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(runProgram(1, argv, "{}", nullptr), 1);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "error: this program's plan is damaged: has no field \"model\"\n");
}

}  // namespace
}  // namespace sbp::program
