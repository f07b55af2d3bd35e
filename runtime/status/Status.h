// Short notation for errors as values: to make an error from a format string,
// and to return an error of a callee.
//
//   SBP_RETURN_IF_ERROR(check(plan));
//   SBP_ASSIGN_OR_RETURN(const Plan plan, plan::fromJson(text));
//   if (size != wanted)
//     return error("the file has {} bytes, not {}", size, wanted);
//
// Errors of the runtime are for people: only the text matters, and not the
// code. There are two exceptions: the codes kCancelled and kAborted
// (communication/Communicator.h), and the codes by which bootstrap and
// communication decide whether to try again or to wait longer
// (bootstrap/Socket.h, communication/RankCommunicator.cpp).

#ifndef RUNTIME_STATUS_STATUS_H_
#define RUNTIME_STATUS_STATUS_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"

namespace sbp {

/// Returns an error with the text fmt::format(format, args...).
template <typename... Args>
absl::Status error(fmt::format_string<Args...> format, Args&&... args) {
  return absl::InvalidArgumentError(
      fmt::format(format, std::forward<Args>(args)...));
}

/// Returns the text of an error; empty for OK.
inline std::string textOf(const absl::Status& status) {
  return std::string(status.message());
}

}  // namespace sbp

#define SBP_STATUS_JOIN_(a, b) a##b
#define SBP_STATUS_NAME_(line) SBP_STATUS_JOIN_(statusOrOfLine, line)

/// Evaluates `expression`, an absl::Status. If it is an error, returns it from
/// the enclosing function.
#define SBP_RETURN_IF_ERROR(expression)                                     \
  do {                                                                      \
    if (absl::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

/// Evaluates `expression`, an absl::StatusOr. If the result is an error,
/// returns the error from the enclosing function; otherwise initialises
/// `declaration` with the result's value.
#define SBP_ASSIGN_OR_RETURN(declaration, expression)      \
  auto SBP_STATUS_NAME_(__LINE__) = (expression);          \
  if (!SBP_STATUS_NAME_(__LINE__).ok())                    \
    return std::move(SBP_STATUS_NAME_(__LINE__)).status(); \
  declaration = *std::move(SBP_STATUS_NAME_(__LINE__))

#endif  // RUNTIME_STATUS_STATUS_H_
