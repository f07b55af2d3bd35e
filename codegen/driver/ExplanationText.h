// An explanation as text, on one page or in full.

#ifndef CODEGEN_DRIVER_EXPLANATIONTEXT_H_
#define CODEGEN_DRIVER_EXPLANATIONTEXT_H_

#include <string>

#include "codegen/driver/PlanReport.h"

namespace sbp {

/// Length of the text.
enum class TextLength {
  /// One page, however large the model: time and memory of each entry, the
  /// strategies to compare with, the layers, ops and movements of the main
  /// entry that take most time, and what pins would change.
  Page,
  /// All lists in full, then every op and movement of every entry.
  Full,
};

/// Returns the explanation as text.
std::string textOf(const PlanReport& report, TextLength length);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EXPLANATIONTEXT_H_
