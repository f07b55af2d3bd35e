// The report on a plan as text, on one page or in full.

#ifndef CODEGEN_DRIVER_EXPLANATIONTEXT_H_
#define CODEGEN_DRIVER_EXPLANATIONTEXT_H_

#include <string>

#include "codegen/driver/PlanReport.h"

namespace sbp {

/// Length of the text.
enum class TextLength {
  /// About one page: the time of each entry; of the main entry
  /// (PlanReport::mainEntry) the layers, ops and movements that take most time.
  /// If the plan was searched for, also memory, the strategies to compare with,
  /// and what pins would change. Lists of layers, ops and pins are cut.
  Page,
  /// All lists in full, then every op of every entry, and every movement that
  /// takes time.
  Full,
};

/// Returns `report` as text.
std::string textOf(const PlanReport& report, TextLength length);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EXPLANATIONTEXT_H_
