#include "codegen/driver/Quantities.h"

#include "fmt/format.h"

namespace sbp {

std::string secondsText(double seconds) {
  if (seconds == 0) return "-";
  if (seconds < 1e-3) return fmt::format("{:.4g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.4g} ms", seconds * 1e3);
  return fmt::format("{:.4g} s", seconds);
}

}  // namespace sbp
