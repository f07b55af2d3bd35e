// Runs of the linear model in this process, and what they print and write.
//
// The fixture gives each test fresh data, x.npy and t.npy, which a linear model
// explains; files lie in the folder of the test:
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

/// A file of the test.
std::string pathOf(const std::string& name);

/// What the file at `path` holds; nothing if there is none.
std::string contents(const std::string& path);

struct Result {
  int exitCode;
  std::string out, error;
};

class LinearRun : public ::testing::Test {
 protected:
  void SetUp() override;

  /// Runs the model on data x model ranks, which are threads; "@name" in an
  /// argument is a file of the test.
  Result run(int64_t data, int64_t model, std::vector<std::string> arguments);

  /// Runs with `more` beside what a run that trains needs. It must succeed.
  Result train(int64_t data, int64_t model, std::vector<std::string> more);

  /// By whom the model says that it is trained.
  std::string optimizer = "sgd<momentum = 0.9>";
};

/// Of each line of JSON that was printed, the number called `field`.
std::vector<double> numbersOf(const Result& result, const char* field);

}  // namespace sbp::program::testing

#endif  // RUNTIME_MAIN_TESTING_LINEARRUN_H_
