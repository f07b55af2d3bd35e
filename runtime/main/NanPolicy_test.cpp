// Tests of runs with numbers that are not finite: which runs end, which steps
// are left out, and what is printed.

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "runtime/data/Npy.h"
#include "runtime/main/testing/LinearModel.h"
#include "runtime/main/testing/LinearRun.h"

namespace sbp::program {
namespace {

using plan::ElementType;
using tensor::HostTensor;
using testing::contents;
using ::testing::HasSubstr;
using testing::kNumSamples;
using ::testing::Not;
using testing::numbersOf;
using testing::pathOf;
using testing::Result;
using ::testing::StartsWith;

constexpr std::pair<int64_t, int64_t> kMeshes[] = {
    {1, 1}, {2, 1}, {1, 2}, {2, 2}};

class NanPolicyTest : public testing::LinearRun {
 protected:
  /// Returns the weights after a step at the learning rate `rate`, and the
  /// output of the run.
  std::pair<std::vector<float>, Result> afterOneStep(int64_t data,
                                                     int64_t model,
                                                     const char* rate) {
    Result result = run(data, model,
                        {"--json", "--data", "x=@x.npy", "--data", "t=@t.npy",
                         "--steps", "1", "--lr", rate, "--dump", "w=@w.npy"});
    EXPECT_EQ(result.exitCode, 0) << result.error;
    const auto file = data::NpyFile::open(pathOf("w.npy"));
    std::vector<float> weights(testing::kFeatures);
    std::memcpy(weights.data(), file->elements(),
                weights.size() * sizeof weights[0]);
    return {weights, result};
  }

  /// Writes `value` to column `column` of sample `sample` in x.npy.
  static void spoil(int64_t sample, int64_t column, float value) {
    const auto file = data::NpyFile::open(pathOf("x.npy"));
    auto x = HostTensor::zeros(ElementType::kF32, file->shape());
    std::memcpy(x.data.data(), file->elements(), x.data.size());
    x.elements<float>()[sample * testing::kFeatures + column] = value;
    ASSERT_TRUE(data::writeNpy(pathOf("x.npy"), x).ok());
  }

  /// Returns the only step that a run has left out because its loss is
  /// infinite.
  static int64_t spoiledStep(const Result& result) {
    int64_t spoiled = 0;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      const auto step = nlohmann::json::parse(line);
      if (!step.contains("skipped")) continue;
      EXPECT_EQ(spoiled, 0);
      EXPECT_TRUE(step.at("loss").is_null());
      spoiled = step.at("step");
    }
    return spoiled;
  }
};

TEST_F(NanPolicyTest, ShowsTheNormOfAllGradients) {
  for (auto [data, model] : kMeshes) {
    const auto [before, unused] = afterOneStep(data, model, "0");
    const auto [after, result] = afterOneStep(data, model, "0.5");
    double squares = 0;
    for (int64_t j = 0; j < testing::kFeatures; ++j)
      squares += std::pow((before[j] - after[j]) / 0.5, 2);
    EXPECT_GT(squares, 0);
    EXPECT_NEAR(numbersOf(result, "gradient_norm")[0], std::sqrt(squares),
                1e-5 * std::sqrt(squares));
  }
}

TEST_F(NanPolicyTest, StopsAtALossThatIsNotFinite) {
  train(1, 1, {"--steps", "1", "--save", "@kept.safetensors"});
  const std::string kept = contents(pathOf("kept.safetensors"));
  spoil(/*sample=*/11, /*column=*/3, 1e30f);
  for (auto [data, model] : kMeshes) {
    const Result result =
        run(data, model,
            {"--data", "x=@x.npy", "--data", "t=@t.npy", "--steps", "30",
             "--json", "--save", "@kept.safetensors"});
    EXPECT_EQ(result.exitCode, 1);
    // The error names the step and the first op with a bad number. There is no
    // line of progress for the step.
    const int64_t step =
        std::count(result.out.begin(), result.out.end(), '\n') + 1;
    EXPECT_THAT(result.error, StartsWith(fmt::format(
                                  "error: step {}: the loss is inf: "
                                  "loss_and_error gives inf of f32, though "
                                  "its operands are finite, in @train_step",
                                  step)));
    EXPECT_EQ(contents(pathOf("kept.safetensors")), kept);
  }
}

TEST_F(NanPolicyTest, LeavesOutAStepAsIfItsBatchHadNotBeen) {
  spoil(/*sample=*/11, /*column=*/3, 1e30f);
  const auto skip = [this](int64_t data, int64_t model, int64_t numSteps) {
    return train(data, model,
                 {"--steps", fmt::format("{}", numSteps), "--on-nan", "skip",
                  "--dump", "w=@w.npy", "--dump", "w.momentum=@m.npy"});
  };
  const auto state = [] {
    return contents(pathOf("w.npy")) + contents(pathOf("m.npy"));
  };
  std::vector<double> lossesOfOne;
  for (auto [data, model] : kMeshes) {
    const Result whole = skip(data, model, 8);
    const int64_t spoiled = spoiledStep(whole);
    ASSERT_GT(spoiled, 1);
    EXPECT_THAT(whole.error,
                HasSubstr(fmt::format(
                    "note: step {} is left out: the loss is inf\n", spoiled)));
    EXPECT_THAT(whole.error, HasSubstr("note: 1 of 8 steps were left out"));
    skip(data, model, spoiled - 1);
    const std::string before = state();
    skip(data, model, spoiled);
    EXPECT_EQ(state(), before);

    // All copies of the parameters are unchanged, not only the dumped ones.
    std::vector<double> losses;
    std::istringstream lines(whole.out);
    for (std::string line; std::getline(lines, line);) {
      const auto step = nlohmann::json::parse(line);
      if (step.at("step") != spoiled) losses.push_back(step.at("loss"));
    }
    ASSERT_EQ(losses.size(), 7u);
    if (lossesOfOne.empty()) lossesOfOne = losses;
    for (size_t i = 0; i < losses.size(); ++i)
      EXPECT_NEAR(losses[i], lossesOfOne[i], 1e-5 * lossesOfOne[i]);
  }
}

TEST_F(NanPolicyTest, FindsGradientsThatAreNotFiniteOnOneRankAlone) {
  // With a weight of 0, the large feature changes the gradient but not the
  // loss.
  const std::string header =
      R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})";
  std::string text(8, '\0');
  text[0] = static_cast<char>(header.size());
  text += header;
  const float weights[] = {1, 1, 1, 0};
  text.append(reinterpret_cast<const char*>(weights), sizeof weights);
  std::ofstream(pathOf("zero.safetensors"), std::ios::binary) << text;
  auto x = HostTensor::zeros(ElementType::kF32, {8, testing::kFeatures});
  auto t = HostTensor::zeros(ElementType::kF32, {8});
  for (int i = 0; i < 8; ++i) {
    x.elements<float>()[i * testing::kFeatures + 3] = 1e25f;
    t.elements<float>()[i] = 1e15f;
  }
  ASSERT_TRUE(data::writeNpy(pathOf("x.npy"), x).ok());
  ASSERT_TRUE(data::writeNpy(pathOf("t.npy"), t).ok());
  const std::vector<std::string> arguments = {
      "--data",  "x=@x.npy", "--data", "t=@t.npy",
      "--steps", "2",        "--load", "@zero.safetensors"};
  for (auto [data, model] : kMeshes) {
    const Result result = run(data, model, arguments);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.error,
                StartsWith("error: step 1: the norm of the gradients is inf, "
                           "the loss 1e+30: gradient gives -inf at "));
    if (model == 2) EXPECT_THAT(result.error, HasSubstr(", on rank 1\n"));
  }
}

TEST_F(NanPolicyTest, TakesAStepAllTheSameButSavesNothingThatIsNotFinite) {
  train(1, 1, {"--steps", "1", "--save", "@kept.safetensors"});
  const std::string kept = contents(pathOf("kept.safetensors"));
  spoil(/*sample=*/11, /*column=*/3, 1e30f);
  const Result result =
      run(2, 2,
          {"--data", "x=@x.npy", "--data", "t=@t.npy", "--steps", "6", "--json",
           "--on-nan", "continue", "--save", "@kept.safetensors"});
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 6);
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.error, HasSubstr("kept.safetensors is not written: "
                                      "parameter \"w\" has nan at "));
  EXPECT_EQ(contents(pathOf("kept.safetensors")), kept);
}

TEST_F(NanPolicyTest, ShowsNanWithoutASign) {
  spoil(/*sample=*/11, /*column=*/3, 1e30f);
  const Result result = run(2, 2,
                            {"--data", "x=@x.npy", "--data", "t=@t.npy",
                             "--steps", "6", "--on-nan", "continue"});
  EXPECT_THAT(result.out, HasSubstr("loss nan  gradients nan"));
  EXPECT_THAT(result.out, Not(HasSubstr("-nan")));
}

TEST_F(NanPolicyTest, NamesAParameterThatAnUpdateHasRuined) {
  auto t = HostTensor::zeros(ElementType::kF32, {kNumSamples});
  std::fill_n(t.elements<float>(), kNumSamples, 1e6f);
  ASSERT_TRUE(data::writeNpy(pathOf("t.npy"), t).ok());
  const auto error = [this](std::vector<std::string> more) {
    more.insert(more.end(), {"--data", "x=@x.npy", "--data", "t=@t.npy", "--lr",
                             "1e38", "--steps", "20"});
    const Result result = run(2, 1, more);
    EXPECT_EQ(result.exitCode, 1);
    return result.error;
  };
  EXPECT_THAT(error({}), HasSubstr(": parameter \"w\" has "));
  EXPECT_THAT(error({}), StartsWith("error: step 2: the loss is "));
  EXPECT_THAT(error({"--on-nan", "skip"}),
              StartsWith("error: step 2: parameter \"w\" has "));
  EXPECT_THAT(error({"--on-nan", "skip"}),
              HasSubstr(", so that no step can be taken\n"));
}

}  // namespace
}  // namespace sbp::program
