// The report on a plan as text, on one page or in full.

#ifndef CODEGEN_DRIVER_EXPLANATIONTEXT_H_
#define CODEGEN_DRIVER_EXPLANATIONTEXT_H_

#include <string>

#include "codegen/driver/PlanReport.h"

namespace sbp {

/// Length of the text.
enum class TextLength {
  /// About one page. For each entry: its time. For the main entry
  /// (PlanReport::mainEntry): the layers, ops and movements that take most
  /// time. Then the memory of parameters. If the plan was searched for, also
  /// the peak memory of each entry, a comparison with strategies and with plans
  /// of less memory, and what pins would change. Long lists are cut.
  Page,
  /// The page with all lists in full; then every op of every entry, and every
  /// movement that takes time.
  Full,
};

/// Returns `report` as text.
std::string textOf(const PlanReport& report, TextLength length);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EXPLANATIONTEXT_H_
