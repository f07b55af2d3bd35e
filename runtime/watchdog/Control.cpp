#include "runtime/watchdog/Control.h"

#include "runtime/status/Status.h"

namespace sbp::watchdog {

// Each rank contributes a text: empty for OK, otherwise the error's code as one
// byte and the error's message.
absl::Status Control::agree(const absl::Status& mine) {
  std::string opinion;
  if (!mine.ok()) {
    opinion = static_cast<char>(mine.code()) + textOf(mine);
  }
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> opinions,
                       allGather(opinion));
  size_t first = 0;
  bool areEqual = true;
  for (size_t rank = 0; rank < opinions.size(); ++rank) {
    areEqual = areEqual && opinions[rank] == opinions[0];
    if (opinions[first].empty()) first = rank;
  }
  if (opinions[first].empty()) return absl::OkStatus();
  std::string message = opinions[first].substr(1);
  if (!areEqual) message = fmt::format("rank {}: {}", first, message);
  return absl::Status(static_cast<absl::StatusCode>(opinions[first][0]),
                      message);
}

}  // namespace sbp::watchdog
