#include "runtime/bytes/Bytes.h"

#include <cmath>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "fmt/format.h"

namespace sbp::bytes {
namespace {

struct Unit {
  const char* name;
  double bytes;
};

/// Units that are written and read: powers of 1000.
constexpr Unit kWritten[] = {
    {"B", 1}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}};
/// Units that are only read: powers of 1024.
constexpr Unit kBinary[] = {
    {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};

/// Returns all units that are read, in the order in which messages list them.
std::vector<Unit> unitsRead() {
  std::vector<Unit> units(std::begin(kWritten), std::end(kWritten));
  units.insert(units.end(), std::begin(kBinary), std::end(kBinary));
  return units;
}

/// Returns the bytes in one unit called `name`, in any case; an empty name is
/// one byte. Returns nothing for an unknown name.
std::optional<double> unitBytes(absl::string_view name) {
  if (name.empty()) return 1;
  for (const Unit& unit : unitsRead())
    if (absl::EqualsIgnoreCase(unit.name, name)) return unit.bytes;
  return std::nullopt;
}

}  // namespace

std::string toText(double bytes) {
  for (const Unit& unit : kWritten) {
    const std::string digits = fmt::format("{:.3g}", bytes / unit.bytes);
    // 999.9 KB rounds to "1000 KB"; the next unit writes it as "1 MB".
    if (!absl::StrContains(digits, 'e') && digits != "1000")
      return fmt::format("{} {}", digits, unit.name);
  }
  return fmt::format("{:.3g} TB", bytes / 1e12);
}

std::string toExactText(double bytes) {
  if (bytes < 1000) return fmt::format("{:.0f} bytes", bytes);
  return fmt::format("{} ({:.0f} bytes)", toText(bytes), bytes);
}

std::optional<double> parse(const std::string& text) {
  const absl::string_view stripped = absl::StripAsciiWhitespace(text);
  const size_t end = stripped.find_last_of("0123456789.") + 1;
  const std::optional<double> unit =
      unitBytes(absl::StripLeadingAsciiWhitespace(stripped.substr(end)));
  double number = 0;
  if (!unit || !absl::SimpleAtod(stripped.substr(0, end), &number) ||
      !std::isfinite(static_cast<float>(number * *unit)))
    return std::nullopt;
  return number * *unit;
}

std::string unitNames() {
  std::vector<const char*> names;
  for (const Unit& unit : unitsRead()) names.push_back(unit.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace sbp::bytes
