// An explanation as JSON, for programs, and as an HTML page that draws it.

#ifndef CODEGEN_DRIVER_EXPLANATIONJSON_H_
#define CODEGEN_DRIVER_EXPLANATIONJSON_H_

#include <string>

#include "codegen/driver/PlanReport.h"

namespace sbp {

/// Returns one object with the whole explanation (docs/explain.md), in seconds
/// and bytes.
std::string jsonOf(const PlanReport& report);

/// Returns an HTML page in one file.
std::string htmlOf(const PlanReport& report);

/// Returns the HTML page that draws `json`, a result of jsonOf, here or in
/// StagesReport.h.
std::string pageOf(const std::string& json);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EXPLANATIONJSON_H_
