// Where rank 0 meets who comes, and finds out who belongs to its job.
//
// Anybody may connect and say anything. A visitor has proven nothing yet: it is
// heard in small messages, for a short time, and there are never more than so
// many of them; the oldest goes when another comes, which waits outside until
// that one has had its time. A rank of this job to which it happens comes
// again. Nothing that a visitor does reaches further than this, until it has
// proven that it has the job's key (Handshake.h).

#ifndef RUNTIME_BOOTSTRAP_DOOR_H_
#define RUNTIME_BOOTSTRAP_DOOR_H_

#include <poll.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/bootstrap/Channel.h"
#include "runtime/bootstrap/Handshake.h"
#include "runtime/bootstrap/Identity.h"
#include "runtime/bootstrap/Member.h"
#include "runtime/bootstrap/Socket.h"

namespace sbp::bootstrap {

/// More let more ranks come at the same moment, and strangers take more memory
/// (some kilobytes each) and descriptors.
inline constexpr size_t kMaxVisitors = 128;

/// A visitor that takes longer to answer has to come again. Shorter keeps
/// silent strangers away, longer has patience with hosts under load.
inline constexpr std::chrono::seconds kAnswerTime(5);

/// What a visitor has at least, however many come. Shorter lets more of a crowd
/// come by (640 a second), longer has patience with ranks that get no
/// processor.
inline constexpr std::chrono::milliseconds kLeastTime(200);

/// Who has come through to rank 0.
struct Guest {
  Member member;
  Channel channel;
  std::string address;  // where it came from

  /// It has the job's key.
  bool isProven = false;

  /// It was started differently: "mine" is what it says of itself, "theirs" of
  /// rank 0. It may say anything if it is not proven, so that nobody should
  /// repeat it.
  std::optional<Difference> difference;

  /// "rank 1 (...) was started with --seed 2, but rank 0 with --seed 1".
  std::string describeDifference() const;
};

class Door {
 public:
  /// At the address of `listener`, to ranks of the job of `identity`.
  Door(Socket listener, Identity identity, Member hub);

  /// What to poll for, and for how long at most, -1 for ever: then serve() has
  /// something to do.
  void addTo(std::vector<pollfd>& entries) const;
  int pollMilliseconds() const;

  /// Hears what there is to hear, without waiting. Returns who has come through
  /// meanwhile: ranks of this job, and those who say how they differ.
  std::vector<Guest> serve();

 private:
  using Clock = std::chrono::steady_clock;

  struct Visitor {
    Channel channel;
    std::string address;
    Clock::time_point since;
    Hello hello;
    std::string helloText;      // empty: it has said nothing yet
    std::string challengeText;  // our answer
    bool isProven = false;
  };

  // What becomes of a visitor.
  enum class Outcome { kStays, kLeaves, kIsGuest };

  bool hasPlace() const;
  void accept();
  Outcome hear(Visitor& visitor, std::optional<Difference>& difference);
  Outcome greet(Visitor& visitor, const std::string& helloText);
  Outcome check(Visitor& visitor, const std::string& proofText);

  Socket listener;
  Identity identity;
  Member hub;
  std::vector<Visitor> visitors;  // in the order of their coming
};

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_DOOR_H_
