#include "test/properties/MessageChannels.h"

#include <algorithm>

namespace sbp::properties {

void MessageChannels::start(const Message& message, bool isSent) {
  auto& [sent, received] = channels_[{message.from, message.to}];
  std::deque<Occurrence>& own = isSent ? sent : received;
  std::deque<Occurrence>& other = isSent ? received : sent;
  if (order_ == Messages::AnyOrder) {
    const auto end = std::find(other.begin(), other.end(), message.occurrence);
    if (end == other.end()) {
      own.push_back(message.occurrence);
    } else {
      other.erase(end);
      gone_.insert(message);
    }
    return;
  }
  own.push_back(message.occurrence);
  while (!sent.empty() && !received.empty() &&
         sent.front() == received.front()) {
    gone_.insert({sent.front(), message.from, message.to});
    sent.pop_front();
    received.pop_front();
  }
}

}  // namespace sbp::properties
