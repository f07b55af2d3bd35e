// Output of a run's progress. As text on a terminal, it is one line that is
// rewritten in place; as text elsewhere, one line per reported step; as JSON,
// one object per reported step, each on its own line. An example of a line of
// text, broken in two here:
//
//   step 120/1000  loss 2.4113  gradients 0.84  lr 0.001  52.3k tokens/s
//       3.1 MB/step

#ifndef RUNTIME_TRAIN_PROGRESS_H_
#define RUNTIME_TRAIN_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace sbp::train {

/// Abbreviates a number >= 0 for people: 3.1M, 52.3k, 17.
std::string abbreviate(double value);

/// The results of a step.
struct StepReport {
  using Clock = std::chrono::steady_clock;

  int64_t step = 0;                    // counted from 1
  std::optional<double> loss;          // nullopt: the entry has none
  std::optional<double> gradientNorm;  // L2 norm of all gradients together
  double learningRate = 0;
  int64_t bytesCommunicated = 0;  // received by all ranks together in this step
  // Time of communication per step, on average since the last report, on the
  // rank where it is least; nullopt: not measured. Shown in JSON only.
  std::optional<double> communicationSeconds;
  // Whether the step was left out: it changed no parameter. Shown in JSON only.
  bool isSkipped = false;
  // Time at which the step ended; nullopt: now.
  std::optional<Clock::time_point> end = std::nullopt;
};

/// Shows the progress of a run, step by step.
class Progress {
 public:
  /// The form of the output; the head of this file describes the three forms.
  enum class Style { kTerminal, kLines, kJson };

  /// Returns kTerminal if `file` is a terminal, else kLines.
  static Style styleFor(std::FILE* file);

  /// Returns the default interval, in steps, between reports in a run of
  /// `numSteps` steps: 1 for a terminal and for JSON; numSteps / 20, but at
  /// least 1, for lines.
  static int64_t defaultLogEvery(Style style, int64_t numSteps);

  /// Creates the progress of steps `firstStep` + 1 to `lastStep`. It is shown
  /// on `file`, or nowhere if `file` is null. The steps that are shown are the
  /// multiples of `logEvery` and the last step. `unit` is "samples" or
  /// "tokens", and `unitsPerStep` is their number per step.
  Progress(Style style, std::FILE* file, int64_t firstStep, int64_t lastStep,
           int64_t logEvery, std::string unit, int64_t unitsPerStep);

  ~Progress() { endLine(); }

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Whether the caller must report step `step`, counted from 1. All ranks with
  /// equal `logEvery` and `lastStep` get the same result, so they can exchange
  /// the data that a report needs.
  bool shows(int64_t step) const;

  /// Shows a step. On a terminal, leaves out a step that ended less than 0.1 s
  /// after the last one shown, unless it is the last step of the run.
  void report(const StepReport& report);

  /// Ends a line that is being rewritten, so that other text may follow.
  void endLine();

 private:
  using Clock = StepReport::Clock;

  void showJson(const StepReport& report, double rate);
  void showText(const StepReport& report, double rate);

  Style style;
  std::FILE* file;
  int64_t lastStep;
  int64_t logEvery;
  std::string unit;
  int64_t unitsPerStep;
  Clock::time_point begin = Clock::now();
  Clock::time_point previousTime = begin;  // time of the previous report
  int64_t previousStep;
  bool isLineOpen = false;
};

}  // namespace sbp::train

#endif  // RUNTIME_TRAIN_PROGRESS_H_
