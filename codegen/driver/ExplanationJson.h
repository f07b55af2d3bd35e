// An explanation of a plan as JSON, for programs to read, and as an HTML page,
// for people.

#ifndef CODEGEN_DRIVER_EXPLANATIONJSON_H_
#define CODEGEN_DRIVER_EXPLANATIONJSON_H_

#include <string>

#include "codegen/driver/PlanReport.h"

namespace sbp {

/// Returns one object with the whole explanation (docs/explain.md), in seconds
/// and bytes.
std::string jsonOf(const PlanReport& report);

/// Returns an HTML page that shows the explanation and needs no other file.
std::string htmlOf(const PlanReport& report);

/// Returns the HTML page that shows `json`, a result of the jsonOf above or of
/// the one in StagesReport.h.
std::string pageOf(const std::string& json);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EXPLANATIONJSON_H_
