// Seconds and bytes as people write them: "3.811 ms", "353 MB".

#ifndef CODEGEN_DRIVER_QUANTITIES_H_
#define CODEGEN_DRIVER_QUANTITIES_H_

#include <string>

namespace sbp {

/// Four digits; "-" for none.
std::string secondsText(double seconds);

/// Three digits; a KB is 1000 bytes.
std::string bytesText(double bytes);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_QUANTITIES_H_
