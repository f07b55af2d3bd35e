#include "runtime/main/testing/LinearRun.h"

#include <cmath>
#include <sstream>

#include "nlohmann/json.hpp"
#include "runtime/data/Npy.h"
#include "runtime/file/MappedFile.h"
#include "runtime/main/Program.h"
#include "runtime/main/testing/LinearModel.h"

namespace sbp::program::testing {
namespace {

using plan::ElementType;
using tensor::HostTensor;

}  // namespace

std::string pathOf(const std::string& name) {
  return ::testing::TempDir() + name;
}

std::string contents(const std::string& path) {
  const auto file = file::MappedFile::open(path);
  return file.ok() ? std::string(file->bytes()) : "";
}

void LinearRun::SetUp() {
  auto x = HostTensor::zeros(ElementType::kF32, {kNumSamples, kFeatures});
  auto t = HostTensor::zeros(ElementType::kF32, {kNumSamples});
  for (int64_t i = 0; i < kNumSamples; ++i)
    for (int64_t j = 0; j < kFeatures; ++j) {
      const float value = std::sin(float((i + 2) * (i + 3) * (j + 5)));
      x.elements<float>()[i * kFeatures + j] = value;
      t.elements<float>()[i] += value * kTrueWeights[j];
    }
  ASSERT_TRUE(data::writeNpy(pathOf("x.npy"), x).ok());
  ASSERT_TRUE(data::writeNpy(pathOf("t.npy"), t).ok());
}

Result LinearRun::run(int64_t data, int64_t model,
                      std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"linear", "--in-process"});
  std::vector<const char*> argv;
  for (std::string& argument : arguments) {
    const size_t at = argument.find('@');
    if (at != argument.npos) argument.replace(at, 1, ::testing::TempDir());
    argv.push_back(argument.c_str());
  }
  plan::Plan linear = linearPlan(data, model);
  linear.entries[0].optimizer = optimizer;
  const std::string plan = plan::toJson(linear);
  const auto kernels = linearKernels(data, model);
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int exitCode =
      runProgram(int(argv.size()), argv.data(), plan, {kernels.data(), {}, {}});
  return {exitCode, ::testing::internal::GetCapturedStdout(),
          ::testing::internal::GetCapturedStderr()};
}

Result LinearRun::train(int64_t data, int64_t model,
                        std::vector<std::string> more) {
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

}  // namespace sbp::program::testing
