#include "runtime/options/Checks.h"

#include <cmath>
#include <optional>

#include "absl/strings/numbers.h"
#include "fmt/format.h"
#include "runtime/bytes/Bytes.h"
#include "runtime/text/Printable.h"

namespace sbp::options {
namespace {

/// Returns a validator that adds nothing to the help, because the option's own
/// text describes the accepted values.
template <typename Check>
CLI::Validator quiet(Check check) {
  return CLI::Validator(std::move(check), /*validator_desc=*/"");
}

/// Parses a number that is finite as a float; nothing if `text` is none.
std::optional<double> finiteNumber(const std::string& text) {
  double value = 0;
  if (!absl::SimpleAtod(text, &value) ||
      !std::isfinite(static_cast<float>(value)))
    return std::nullopt;
  return value;
}

}  // namespace

CLI::Validator integerFrom(int64_t lowest, int64_t highest) {
  return quiet([=](std::string& text) -> std::string {
    int64_t value = 0;
    if (absl::SimpleAtoi(text, &value) && value >= lowest && value <= highest)
      return "";
    return fmt::format("\"{}\" is no integer from {} to {}", text, lowest,
                       highest);
  });
}

CLI::Validator anyUnsigned() {
  return quiet([](std::string& text) -> std::string {
    uint64_t value = 0;
    if (absl::SimpleAtoi(text, &value)) return "";
    return fmt::format("\"{}\" is no integer from 0 to {}", text, UINT64_MAX);
  });
}

CLI::Validator notNegative() {
  return quiet([](std::string& text) -> std::string {
    const std::optional<double> value = finiteNumber(text);
    if (value && *value >= 0) return "";
    return fmt::format("\"{}\" is no finite number of at least 0", text);
  });
}

CLI::Validator positive() {
  return quiet([](std::string& text) -> std::string {
    const std::optional<double> value = finiteNumber(text);
    if (value && *value > 0) return "";
    return fmt::format("\"{}\" is no finite number above 0", text);
  });
}

CLI::Validator bytes() {
  return quiet([](std::string& text) -> std::string {
    const std::optional<double> value = bytes::parse(text);
    if (!value || !(*value > 0))
      return fmt::format(
          "\"{}\" is no number of bytes above 0, such as 16000000 or 16MB; "
          "units are {}",
          text, bytes::unitNames());
    text = fmt::format("{}", *value);
    return "";
  });
}

CLI::Validator bytesFrom(int64_t lowest, int64_t highest) {
  return quiet([=](std::string& text) -> std::string {
    const std::optional<double> value = bytes::parse(text);
    if (!value || std::floor(*value) != *value ||
        *value < static_cast<double>(lowest) ||
        *value > static_cast<double>(highest))
      return fmt::format(
          "\"{}\" is no whole number of bytes from {} to {}, such as 65536 or "
          "64KiB; units are {}",
          text, lowest, highest, bytes::unitNames());
    text = fmt::format("{:.0f}", *value);
    return "";
  });
}

CLI::Validator oneOf(std::vector<std::pair<std::string, int64_t>> names) {
  return quiet([names = std::move(names)](std::string& text) -> std::string {
    std::vector<std::string> known;
    for (const auto& [name, value] : names) {
      if (name == text) {
        text = std::to_string(value);
        return "";
      }
      known.push_back(name);
    }
    return fmt::format("\"{}\" is none of {}", text, fmt::join(known, ", "));
  });
}

std::string messageOf(const CLI::Error& error) {
  return fmt::format("{}; --help lists all options",
                     text::printable(error.what(), "\n"));
}

}  // namespace sbp::options
