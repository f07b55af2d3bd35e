// Text of a number with a noun, in singular or plural: "1 sample", "4 samples".

#ifndef RUNTIME_TEXT_COUNTED_H_
#define RUNTIME_TEXT_COUNTED_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace sbp::text {

/// Returns `number` and `noun`, with an -s if the number is not 1.
inline std::string counted(int64_t number, std::string_view noun) {
  return std::to_string(number).append(" ").append(noun).append(
      number == 1 ? "" : "s");
}

}  // namespace sbp::text

#endif  // RUNTIME_TEXT_COUNTED_H_
