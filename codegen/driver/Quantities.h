// Formats seconds for people: "3.811 ms"; runtime/bytes formats bytes.

#ifndef CODEGEN_DRIVER_QUANTITIES_H_
#define CODEGEN_DRIVER_QUANTITIES_H_

#include <string>

namespace sbp {

/// Returns `seconds` as a number of us, ms or s with up to four significant
/// digits; "-" for 0.
std::string secondsText(double seconds);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_QUANTITIES_H_
