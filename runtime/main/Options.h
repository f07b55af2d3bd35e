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
#include "runtime/cuda/Streaming.h"
#include "runtime/data/Feed.h"
#include "runtime/main/CollectivesChoice.h"
#include "runtime/main/EntryNames.h"
#include "runtime/plan/Plan.h"
#include "runtime/sample/NextToken.h"
#include "runtime/tensor/StoredType.h"
#include "runtime/train/LearningRate.h"

namespace sbp::program {

/// Number of training steps if neither --steps nor a checkpoint gives it.
inline constexpr int64_t kDefaultSteps = 100;

/// Differences between a checkpoint and the program or run that loads it.
/// --load-anyway can accept them.
enum class Difference {
  kData,       // the run trains on other data than the run that saved
  kOptimizer,  // the program trains with another optimiser
  kMissing,    // the file lacks parameters of the program
  kExtra       // the file has tensors that the program does not have
};

/// The treatment of a step whose loss or gradients are not finite.
enum class OnNan {
  kStop,      // end before the step changes parameters
  kSkip,      // leave the step out
  kContinue,  // take the step
};

/// The options of a run, as given on the command line.
struct Options {
  // What to do.
  std::string entry;          // empty: select() chooses (Selection.h)
  bool describes = false;     // only describe the program
  bool showsVersion = false;  // only identify the program
  int64_t sampleLength = 0;   // bytes of text to sample; 0: none

  // Training. Settings that are not given may come from a checkpoint
  // (TrainingSettings.h).
  int64_t numSteps = 0;  // steps, or batches to evaluate; 0: not given
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
  std::vector<Difference> acceptedDifferences;
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
  int64_t logEvery = 0;  // steps; 0: Progress::defaultLogEvery() chooses
  bool profiles = false;

  // Ranks.
  bool isInProcess = false;
  communication::Transport transport = communication::Transport::kAuto;
  double waitTimeoutSeconds = 0;  // 0: as WorldOptions says
  bool mayShareGpu = false;       // several ranks may run on one GPU
  CollectivesChoice collectives = CollectivesChoice::kAuto;
  cuda::Streaming streaming;

  bool accepts(Difference difference) const {
    return std::find(acceptedDifferences.begin(), acceptedDifferences.end(),
                     difference) != acceptedDifferences.end();
  }
};

/// Output in place of a run: the help that was asked for, or an error.
struct Reply {
  std::string text;
  bool isError = false;
};

/// Parses the command line of the program with `plan`. Returns a Reply for
/// --help and for a command line that is not accepted.
std::variant<Options, Reply> parseCommandLine(int argc, const char* const* argv,
                                              const plan::Plan& plan);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_OPTIONS_H_
