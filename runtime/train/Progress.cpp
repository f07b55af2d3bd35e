#include "runtime/train/Progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fmt/format.h"
#include "runtime/bytes/Bytes.h"
#include "runtime/file/Show.h"
#include "runtime/math/Nan.h"

namespace sbp::train {
namespace {

// Limits of output: more rewrites of a line per second cannot be read on a
// terminal, and more lines make a log hard to read.
constexpr double kSecondsBetweenRewrites = 0.1;
constexpr int64_t kLinesPerRun = 20;

/// Formats a JSON number with the digits that an f32 needs. JSON has no NaN and
/// no infinity; they become null.
std::string jsonNumber(double value) {
  return std::isfinite(value) ? fmt::format("{:.9g}", value) : "null";
}

}  // namespace

std::string abbreviate(double value) {
  constexpr std::pair<double, const char*> kUnits[] = {
      {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const auto& [unit, name] : kUnits)
    if (value >= unit) return fmt::format("{:.1f}{}", value / unit, name);
  return fmt::format("{:.0f}", value);
}

Progress::Style Progress::styleFor(std::FILE* file) {
  return isatty(fileno(file)) ? Style::kTerminal : Style::kLines;
}

int64_t Progress::defaultLogEvery(Style style, int64_t numSteps) {
  if (style != Style::kLines) return 1;
  return std::max<int64_t>(numSteps / kLinesPerRun, 1);
}

Progress::Progress(Style style, std::FILE* file, int64_t firstStep,
                   int64_t lastStep, int64_t logEvery, std::string unit,
                   int64_t unitsPerStep)
    : style(style),
      file(file),
      lastStep(lastStep),
      logEvery(logEvery),
      unit(std::move(unit)),
      unitsPerStep(unitsPerStep),
      previousStep(firstStep) {}

void Progress::endLine() {
  if (isLineOpen) file::show(file, "\n");
  isLineOpen = false;
}

bool Progress::shows(int64_t step) const {
  return step % logEvery == 0 || step == lastStep;
}

void Progress::report(const StepReport& report) {
  if (!file) return;
  const Clock::time_point now = report.end.value_or(Clock::now());
  const double seconds =
      std::chrono::duration<double>(now - previousTime).count();
  if (style == Style::kTerminal && report.step != lastStep &&
      seconds < kSecondsBetweenRewrites)
    return;
  const double rate = double((report.step - previousStep) * unitsPerStep) /
                      std::max(seconds, 1e-9);
  if (style == Style::kJson) {
    showJson(report, rate);
  } else {
    showText(report, rate);
  }
  previousTime = now;
  previousStep = report.step;
}

void Progress::showJson(const StepReport& report, double rate) {
  const double seconds =
      std::chrono::duration<double>(Clock::now() - begin).count();
  std::string line = fmt::format(
      "{{\"step\": {}, \"loss\": {}, \"gradient_norm\": {}, \"lr\": {}, "
      "\"{}_per_second\": {}, "
      "\"seconds\": {}, \"bytes_communicated\": {}",
      report.step, report.loss ? jsonNumber(*report.loss) : "null",
      report.gradientNorm ? jsonNumber(*report.gradientNorm) : "null",
      jsonNumber(report.learningRate), unit, jsonNumber(rate),
      jsonNumber(seconds), report.bytesCommunicated);
  if (report.communicationSeconds)
    line += fmt::format(", \"communication_seconds\": {}",
                        jsonNumber(*report.communicationSeconds));
  if (report.isSkipped) line += ", \"skipped\": true";
  file::show(file, line + "}\n");
}

void Progress::showText(const StepReport& report, double rate) {
  std::string line = fmt::format("step {}/{}", report.step, lastStep);
  if (report.loss)
    line += fmt::format("  loss {:.5g}", math::withoutSignOfNan(*report.loss));
  if (report.gradientNorm)
    line += fmt::format("  gradients {:.3g}",
                        math::withoutSignOfNan(*report.gradientNorm));
  line += fmt::format("  lr {:.3g}  {} {}/s", report.learningRate,
                      abbreviate(rate), unit);
  if (report.bytesCommunicated > 0)
    line += fmt::format("  {}/step", bytes::toText(report.bytesCommunicated));
  if (style == Style::kLines) {
    file::show(file, line + "\n");
    return;
  }
  // Return to the start of the line and erase the rest of the old text.
  file::show(file, fmt::format("\r{}\x1b[K", line));
  isLineOpen = true;
}

}  // namespace sbp::train
