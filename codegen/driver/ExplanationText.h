// An explanation as text: what one reads first, and all of it.

#ifndef CODEGEN_DRIVER_EXPLANATIONTEXT_H_
#define CODEGEN_DRIVER_EXPLANATIONTEXT_H_

#include <string>

#include "codegen/driver/PlanReport.h"

namespace sbp {

enum class TextLength {
  /// A page, however large the model: what each entry takes, what stands beside
  /// the plan, which layers, ops and movements of the main entry take most, and
  /// what pins would change.
  Page,
  /// Lists in full, and then every op and movement of every entry.
  Full,
};

std::string textOf(const PlanReport& report, TextLength length);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EXPLANATIONTEXT_H_
