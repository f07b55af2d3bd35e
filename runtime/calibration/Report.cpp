#include "runtime/calibration/Report.h"

#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "runtime/plan/Names.h"

namespace sbp::calibration {
namespace {

constexpr double kMicro = 1e6;
constexpr double kGiga = 1e-9;

double residualOf(const Findings& findings, const Sample& sample) {
  return predict(findings.levels, sample) / sample.seconds - 1;
}

std::string levelName(const Findings& findings, const Sample& sample) {
  const auto level = static_cast<size_t>(sample.level);
  return level < findings.levels.size() ? findings.levels[level].name : "all";
}

template <typename... Args>
void append(std::string& text, fmt::format_string<Args...> format,
            Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

/// Returns "all_reduce of 4 up to 65536".
std::string describe(const KindPrice& price, const PriceClass& messages) {
  std::string text(plan::toString(price.kind));
  if (price.members) append(text, " of {}", price.members);
  if (messages.largestBytes) append(text, " up to {}", messages.largestBytes);
  return text;
}

/// Returns the names of the prices that are 0 because of noise: the latency of
/// the smallest messages, and the time per byte of the largest. A beta of 0 in
/// another class is no sign of noise.
std::vector<std::string> zeros(const Findings& findings) {
  std::vector<std::string> names;
  auto add = [&](const Line& first, const Line& last, const std::string& of) {
    if (first.alpha == 0) names.push_back("alpha of " + of);
    if (last.beta == 0) names.push_back("beta of " + of);
  };
  for (const LevelPrices& level : findings.levels) {
    if (level.count > 1) add(level.line, level.line, level.name);
    for (const KindPrice& price : level.prices) {
      add(price.price.front().line, price.price.back().line,
          fmt::format("{} over {}", describe(price, {}), level.name));
    }
  }
  return names;
}

/// Formats a number with a decimal point, so that MLIR reads it as a float.
std::string number(double value) { return fmt::format("{:.3e}", value); }

}  // namespace

FitQuality qualityOf(const Findings& findings) {
  FitQuality quality;
  for (const Sample& sample : findings.samples) {
    const double residual = residualOf(findings, sample);
    if (std::abs(residual) > kTolerance) ++quality.numBad;
    if (std::abs(residual) < std::abs(quality.worstResidual)) continue;
    quality.worst = sample;
    quality.worstResidual = residual;
  }
  return quality;
}

std::string toTable(const Findings& findings) {
  std::string text;
  append(text, "{}\n\n", findings.world);
  if (!findings.samples.empty())
    append(text, "{:<8}{:<16}{:>6}{:>12}{:>14}{:>12}{:>8}\n", "level",
           "collective", "group", "bytes", "measured us", "priced us", "off %");
  for (const Sample& sample : findings.samples) {
    append(text, "{:<8}{:<16}{:>6}{:>12}{:>14.2f}{:>12.2f}{:>+8.1f}\n",
           levelName(findings, sample), plan::toString(sample.kind),
           sample.members, sample.bytes, sample.seconds * kMicro,
           predict(findings.levels, sample) * kMicro,
           residualOf(findings, sample) * 100);
  }
  append(text,
         "\nA message of m bytes takes alpha + m beta:\n{:<44}{:>12}{:>12}\n",
         "", "alpha us", "beta ns/B");
  for (const LevelPrices& level : findings.levels) {
    append(text, "{:<44}{:>12.3f}{:>12.4f}\n",
           fmt::format("{} x {}", level.name, level.count),
           level.line.alpha * kMicro, level.line.beta / kGiga);
    for (const KindPrice& price : level.prices) {
      for (const PriceClass& messages : price.price) {
        append(text, "  {:<42}{:>12.3f}{:>12.4f}\n", describe(price, messages),
               messages.line.alpha * kMicro, messages.line.beta / kGiga);
      }
    }
  }
  const DeviceSpeed& device = findings.device;
  std::vector<std::string> rates;
  for (const TypeRate& rate : device.rates)
    rates.push_back(
        fmt::format("{:.1f} {}", rate.flopsPerSecond * kGiga, rate.type));
  append(text,
         "\nEach rank, while all compute: {:.2f} GB of memory at {:.1f} GB/s, "
         "{} GFLOP/s (peak)\n",
         device.memoryBytes * kGiga, device.bytesPerSecond * kGiga,
         fmt::join(rates, " and "));
  for (const TypeRate& rate : device.rates)
    for (const Efficiency& point : rate.curve)
      append(text, "  {} of it in an op of {:.3g} {} FLOPs\n",
             number(point.fraction), point.flops, rate.type);
  for (const cuda::Cost& cost : findings.costs)
    append(text, "  {:<18}{:>10.2f} {}\n", cost.what, cost.value, cost.unit);
  if (findings.samples.empty()) return text;
  const FitQuality quality = qualityOf(findings);
  append(text, "Worst fit: {} of {}, {} bytes: {:+.1f} %\n",
         plan::toString(quality.worst.kind), quality.worst.members,
         quality.worst.bytes, quality.worstResidual * 100);
  return text;
}

std::string toJson(const Findings& findings) {
  std::string text;
  for (const Sample& sample : findings.samples) {
    append(text,
           "{{\"sample\": {{\"level\": \"{}\", \"collective\": \"{}\", "
           "\"group\": {}, \"bytes\": {}, \"measured_seconds\": {:.6g}, "
           "\"priced_seconds\": {:.6g}, \"residual\": {:.4f}}}}}\n",
           levelName(findings, sample), plan::toString(sample.kind),
           sample.members, sample.bytes, sample.seconds,
           predict(findings.levels, sample), residualOf(findings, sample));
  }
  for (const LevelPrices& level : findings.levels) {
    append(text,
           "{{\"level\": {{\"name\": \"{}\", \"count\": {}, \"alpha\": {:.6g}, "
           "\"beta\": {:.6g}, \"prices\": [",
           level.name, level.count, level.line.alpha, level.line.beta);
    const char* separator = "";
    for (const KindPrice& price : level.prices) {
      for (const PriceClass& messages : price.price) {
        append(text,
               "{}{{\"collective\": \"{}\", \"group\": {}, \"up_to\": {}, "
               "\"alpha\": {:.6g}, \"beta\": {:.6g}}}",
               separator, plan::toString(price.kind), price.members,
               messages.largestBytes, messages.line.alpha, messages.line.beta);
        separator = ", ";
      }
    }
    text += "]}}\n";
  }
  const DeviceSpeed& device = findings.device;
  append(text,
         "{{\"device\": {{\"memory_bytes\": {:.0f}, \"bytes_per_second\": "
         "{:.6g}, \"launch_seconds\": {:.6g}",
         device.memoryBytes, device.bytesPerSecond, device.launchSeconds);
  for (const TypeRate& rate : device.rates)
    append(text, ", \"{}_flops_per_second\": {:.6g}", rate.type,
           rate.flopsPerSecond);
  text += "}}\n";
  for (const TypeRate& rate : device.rates)
    for (const Efficiency& point : rate.curve)
      append(text,
             "{{\"efficiency\": {{\"type\": \"{}\", \"flops\": {:.6g}, "
             "\"fraction\": {:.6g}}}}}\n",
             rate.type, point.flops, point.fraction);
  for (const cuda::Cost& cost : findings.costs)
    append(text,
           "{{\"cost\": {{\"what\": \"{}\", \"value\": {:.6g}, \"unit\": "
           "\"{}\"}}}}\n",
           cost.what, cost.value, cost.unit);
  const FitQuality quality = qualityOf(findings);
  append(text,
         "{{\"fit\": {{\"points\": {}, \"bad_points\": {}, \"tolerance\": {}, "
         "\"worst_residual\": {:.4f}, \"lost_in_noise\": {}}}}}\n",
         findings.samples.size(), quality.numBad, kTolerance,
         quality.worstResidual, zeros(findings).size());
  return text;
}

std::string toMachine(const Findings& findings) {
  const FitQuality quality = qualityOf(findings);
  std::string text;
  append(text,
         "// Measured by sbprun --calibrate: {}.\n"
         "// {} points, of which {} are more than {:.0f} % off; the worst by "
         "{:+.1f} %.\n"
         "// {}\n",
         findings.world, findings.samples.size(), quality.numBad,
         kTolerance * 100, quality.worstResidual * 100, findings.device.ways);
  const std::string lost = lostInNoise(findings);
  if (!lost.empty()) append(text, "// {}\n", lost);
  append(text, "sbp.machine @{} [",
         findings.levels[0].name == "node" ? "cluster" : "host");
  const char* levelSeparator = "\n";
  for (const LevelPrices& level : findings.levels) {
    append(text, "{}  #sbp.level<\"{}\" x {}, alpha = {}, beta = {}",
           levelSeparator, level.name, level.count, number(level.line.alpha),
           number(level.line.beta));
    levelSeparator = ",\n";
    const char* separator = ", prices = [\n";
    for (const KindPrice& price : level.prices) {
      for (const PriceClass& messages : price.price) {
        append(text, "{}    #sbp.price<{}, alpha = {}, beta = {}>", separator,
               describe(price, messages), number(messages.line.alpha),
               number(messages.line.beta));
        separator = ",\n";
      }
    }
    text += level.prices.empty() ? ">" : "]>";
  }
  const DeviceSpeed& device = findings.device;
  text += "]\n  device #sbp.device<";
  if (device.isGpu)
    append(text, "kind = gpu, launch = {}, ", number(device.launchSeconds));
  append(text, "memory = {:.1f}, bandwidth = {}, rates = [",
         std::floor(device.memoryBytes), number(device.bytesPerSecond));
  const char* rateSeparator = "\n    ";
  for (const TypeRate& rate : device.rates) {
    append(text, "{}#sbp.rate<{}, {}", rateSeparator, rate.type,
           number(rate.flopsPerSecond));
    const char* separator = ", efficiency = [";
    for (const Efficiency& point : rate.curve) {
      append(text, "{}{} : {}", separator, number(point.flops),
             number(point.fraction));
      separator = ", ";
    }
    text += rate.curve.empty() ? ">" : "]>";
    rateSeparator = ",\n    ";
  }
  return text + "]>\n";
}

std::string badFit(const Findings& findings) {
  const FitQuality quality = qualityOf(findings);
  if (quality.numBad == 0) return "";
  return fmt::format(
      "bad fit: {} of {} points are more than {:.0f} % off; the worst is {} of "
      "{} over {}, {} bytes: measured {:.2f} us, priced {:.2f} us ({:+.0f} %)",
      quality.numBad, findings.samples.size(), kTolerance * 100,
      plan::toString(quality.worst.kind), quality.worst.members,
      levelName(findings, quality.worst), quality.worst.bytes,
      quality.worst.seconds * kMicro,
      predict(findings.levels, quality.worst) * kMicro,
      quality.worstResidual * 100);
}

std::string lostInNoise(const Findings& findings) {
  const std::vector<std::string> names = zeros(findings);
  if (names.empty()) return "";
  return fmt::format(
      "lost in noise: the measurement gives 0 for {}; more sizes or more "
      "repetitions may give a price",
      fmt::join(names, ", "));
}

}  // namespace sbp::calibration
