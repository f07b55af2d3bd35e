// The command line of a compiled program.

#ifndef RUNTIME_MAIN_OPTIONS_H_
#define RUNTIME_MAIN_OPTIONS_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/communication/World.h"
#include "runtime/data/Feed.h"
#include "runtime/main/EntryNames.h"
#include "runtime/plan/Plan.h"
#include "runtime/sample/NextToken.h"
#include "runtime/tensor/StoredType.h"
#include "runtime/train/LearningRate.h"

namespace sbp::program {

/// Steps of a training that is not told how many.
inline constexpr int64_t kUsualSteps = 100;

/// Differences to the run that saved, or to the file, that a load may allow.
enum class Difference { kData, kOptimizer, kMissing, kExtra };

/// What a run does with a step whose loss or gradients are not finite.
enum class OnNan {
  kStop,      // ends, before the step has changed anything
  kSkip,      // leaves the step out
  kContinue,  // takes the step
};

struct Options {
  // What to do.
  std::string entry;          // empty: the one that makes sense
  bool describes = false;     // only say what the program is
  bool showsVersion = false;  // only say which program it is
  int64_t sampleLength = 0;   // bytes of text to sample; 0: none

  // Training. What is not given a checkpoint may say (Course.h).
  int64_t numSteps = 0;  // 0: not given
  std::optional<train::LearningRate::Schedule> schedule;
  std::optional<double> peakRate, minimumRate;
  std::optional<int64_t> warmupSteps;
  std::optional<uint64_t> seed;
  OnNan onNan = OnNan::kStop;

  // Files.
  std::vector<data::NamedPath> data;
  std::string textPath;
  std::string tokensPath;
  tensor::StoredType tokenType = tensor::StoredType::kU16;
  std::string loadPath;
  std::vector<Difference> loadedAnyway;
  std::string savePath;
  int64_t saveEvery = 0;  // steps; 0: only at the end
  int64_t numKept = 0;    // checkpoints; 0: all
  std::vector<data::NamedPath> dumps;
  std::string tracePath;

  // Sampling.
  std::string prompt = "\n";
  sample::Choice choice;

  // Showing.
  bool isJson = false;
  int64_t logEvery = 0;  // 0: chosen
  bool profiles = false;

  // Ranks.
  bool isInProcess = false;
  communication::Transport transport = communication::Transport::kAuto;
  double waitTimeoutSeconds = 0;  // 0: chosen

  bool loadsAnyway(Difference difference) const {
    return std::find(loadedAnyway.begin(), loadedAnyway.end(), difference) !=
           loadedAnyway.end();
  }
};

/// An answer in place of a run: the help that was asked for, or an error.
struct Reply {
  std::string text;
  bool isError = false;
};

/// Reads the command line of a program with this plan.
std::variant<Options, Reply> parseCommandLine(int argc, const char* const* argv,
                                              const plan::Plan& plan);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_OPTIONS_H_
