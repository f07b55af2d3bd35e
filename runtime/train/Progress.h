// What a run shows of itself while it goes: a line that is rewritten in place
// on a terminal, plain lines elsewhere, or one JSON object per step.
//
//   step 120/1000  loss 2.4113  gradients 0.84  lr 0.001  52.3k tokens/s  3.1
//   MB/step

#ifndef RUNTIME_TRAIN_PROGRESS_H_
#define RUNTIME_TRAIN_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace sbp::train {

/// A number for people: 3.1M, 52.3k, 17.
std::string abbreviate(double value);

/// A step that has been made.
struct StepReport {
  using Clock = std::chrono::steady_clock;

  int64_t step = 0;  // counted from 1
  std::optional<double> loss;
  std::optional<double> gradientNorm;  // L2, of all gradients together
  double learningRate = 0;
  int64_t bytesCommunicated = 0;               // by all ranks, in this step
  std::optional<double> communicationSeconds;  // of a step; in JSON only
  bool isSkipped = false;  // it has changed no parameter; in JSON only
  std::optional<Clock::time_point> end = std::nullopt;  // none: now
};

class Progress {
 public:
  enum class Style { kTerminal, kLines, kJson };

  /// kTerminal if `file` is one, else kLines.
  static Style styleFor(std::FILE* file);

  /// How often to show one of `numSteps` steps, where nobody has chosen.
  static int64_t usualLogEvery(Style style, int64_t numSteps);

  /// Shows steps `firstStep` + 1 to `lastStep` on `file`; a null file shows
  /// nothing. `unitsPerStep` are samples or tokens, as `unit` says. Every
  /// `logEvery`-th step and the last one is shown.
  Progress(Style style, std::FILE* file, int64_t firstStep, int64_t lastStep,
           int64_t logEvery, std::string unit, int64_t unitsPerStep);

  ~Progress() { endLine(); }

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// True if a report of `step`, counted from 1, would be shown. Ranks with
  /// equal `logEvery` agree on it, so that they may gather what is in the
  /// report.
  bool shows(int64_t step) const;

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
  Clock::time_point previousTime = begin;  // of the previous report
  int64_t previousStep;
  bool isLineOpen = false;
};

}  // namespace sbp::train

#endif  // RUNTIME_TRAIN_PROGRESS_H_
