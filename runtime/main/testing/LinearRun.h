// Runs of the linear model (LinearModel.h) in this process, and access to what
// they print and write.
//
// The fixture writes the data x.npy and t.npy, which a linear model fits
// exactly, to the folder of the test, which is gtest's temporary folder. An
// example:
//
//   Result result = train(2, 1, {"--steps", "3", "--save", "@w.safetensors"});
//   numbersOf(result, "loss")        the losses, from the lines of JSON

#ifndef RUNTIME_MAIN_TESTING_LINEARRUN_H_
#define RUNTIME_MAIN_TESTING_LINEARRUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace sbp::program::testing {

inline constexpr int64_t kNumSamples = 37;  // of the data
/// Weights that fit the data.
inline constexpr float kTrueWeights[] = {1, -2, 3, 0.5};

/// Returns the path of the file `name` in the folder of the test.
std::string pathOf(const std::string& name);

/// Returns the content of the file at `path`; empty if it cannot be read.
std::string contents(const std::string& path);

/// The exit code of a run, and what it has printed on stdout and stderr.
struct Result {
  int exitCode;
  std::string out, error;
};

/// Fixture of tests that run the linear model.
class LinearRun : public ::testing::Test {
 protected:
  void SetUp() override;

  /// Runs the model on `data` x `model` ranks, as threads. "@name" in an
  /// argument stands for pathOf("name").
  Result run(int64_t data, int64_t model, std::vector<std::string> arguments);

  /// Trains with --json, the data, a learning rate of 0.1 and the arguments
  /// `more`. Expects that the run succeeds.
  Result train(int64_t data, int64_t model, std::vector<std::string> more);

  /// Optimiser of train_step, as the plan names it.
  std::string optimizer = "sgd<momentum = 0.9>";
};

/// Returns the number in `field` of each line printed on stdout; all of them
/// must be JSON objects.
std::vector<double> numbersOf(const Result& result, const char* field);

}  // namespace sbp::program::testing

#endif  // RUNTIME_MAIN_TESTING_LINEARRUN_H_
