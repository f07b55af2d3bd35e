// An explanation for programs, and as a page to look at, which draws the same.

#ifndef CODEGEN_DRIVER_EXPLANATIONJSON_H_
#define CODEGEN_DRIVER_EXPLANATIONJSON_H_

#include <string>

#include "codegen/driver/PlanReport.h"

namespace sbp {

/// One object with everything: docs/explain.md. Seconds and bytes.
std::string jsonOf(const PlanReport& report);

/// A page in one file.
std::string htmlOf(const PlanReport& report);

/// The page that draws `json`, which this or StagesReport.h has written.
std::string pageOf(const std::string& json);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EXPLANATIONJSON_H_
