// Runs of the linear model in this process, with what they print and write.
//
// The fixture writes data that a linear model fits exactly, x.npy and t.npy, to
// the folder of the test:
//
//   Result result = train(2, 1, {"--steps", "3", "--save", "@w.safetensors"});
//   numbersOf(result, "loss")        the losses, from its lines of JSON

#ifndef RUNTIME_MAIN_TESTING_LINEARRUN_H_
#define RUNTIME_MAIN_TESTING_LINEARRUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace sbp::program::testing {

inline constexpr int64_t kNumSamples = 37;
inline constexpr float kTrueWeights[] = {1, -2, 3, 0.5};

/// Returns the path of a file of the test.
std::string pathOf(const std::string& name);

/// Returns the content of the file at `path`; empty if it does not exist.
std::string contents(const std::string& path);

struct Result {
  int exitCode;
  std::string out, error;
};

class LinearRun : public ::testing::Test {
 protected:
  void SetUp() override;

  /// Runs the model on `data` x `model` ranks, as threads. "@name" in an
  /// argument stands for a file of the test.
  Result run(int64_t data, int64_t model, std::vector<std::string> arguments);

  /// Trains with the arguments `more` besides the data. The run must succeed.
  Result train(int64_t data, int64_t model, std::vector<std::string> more);

  /// The optimiser that the plan names.
  std::string optimizer = "sgd<momentum = 0.9>";
};

/// Returns the number in `field` of each line of JSON that was printed.
std::vector<double> numbersOf(const Result& result, const char* field);

}  // namespace sbp::program::testing

#endif  // RUNTIME_MAIN_TESTING_LINEARRUN_H_
