// The signatures of ops with their prices, as `sbpc explain` prints them.

#ifndef CODEGEN_DRIVER_SIGNATURESREPORT_H_
#define CODEGEN_DRIVER_SIGNATURESREPORT_H_

#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "passes/explain/SignaturePrices.h"

namespace sbp {

/// Returns a list of signatures per kind of op; an empty text if `ops` is
/// empty.
std::string textOf(const std::vector<OpSignatures>& ops);

/// Returns the same lists as an array (docs/explain.md), in seconds and bytes.
nlohmann::ordered_json jsonOf(const std::vector<OpSignatures>& ops);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_SIGNATURESREPORT_H_
