// Seconds as people write them: "3.811 ms"; runtime/bytes has bytes.

#ifndef CODEGEN_DRIVER_QUANTITIES_H_
#define CODEGEN_DRIVER_QUANTITIES_H_

#include <string>

namespace sbp {

/// Four digits; "-" for none.
std::string secondsText(double seconds);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_QUANTITIES_H_
