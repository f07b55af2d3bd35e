// The admission to a job, on rank 0: accepts connections, and finds out which
// of them are from ranks of the job.
//
// Anybody may connect and send anything. A visitor is a connection whose
// handshake (Handshake.h) is not complete. Rank 0 reads only small messages
// from a visitor, for at most kAnswerTime, and serves at most kMaxVisitors
// visitors at once. If another process connects while there are that many, rank
// 0 drops the oldest visitor, but only after this visitor has been connected
// for kLeastTime. Until then the new connection waits in the queue of the
// listening socket. A rank of this job that is dropped connects again. A
// visitor can do no other harm before it has proven that it has the job's key
// (Key.h).

#ifndef RUNTIME_BOOTSTRAP_ADMISSIONSERVER_H_
#define RUNTIME_BOOTSTRAP_ADMISSIONSERVER_H_

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

/// Largest number of visitors at a time. A larger number lets more ranks
/// connect at the same moment, but lets strangers use more memory (some
/// kilobytes each) and descriptors.
inline constexpr size_t kMaxVisitors = 128;

/// Time, from its connection on, in which a visitor must complete the
/// handshake; afterwards it is dropped. A shorter time frees places sooner; a
/// longer time tolerates hosts under load.
inline constexpr std::chrono::seconds kAnswerTime(5);

/// Time, from its connection on, during which a visitor is not dropped for
/// another process that connects. With a shorter time, more processes can
/// connect per second (now 128 per 0.2 s, which is 640 a second). A longer time
/// tolerates ranks that have to wait for a processor.
inline constexpr std::chrono::milliseconds kLeastTime(200);

/// A visitor whose handshake is complete: either it has proven that it belongs
/// to this job and was started like rank 0, or it has reported a difference.
struct CheckedVisitor {
  Member member;  // from its hello; the rank may be outside the world
  Channel channel;
  std::string address;  // host from which it connected, as peerOf() says

  /// Whether the visitor has proven that it has the job's key.
  bool isProven = false;

  /// Set if the visitor says that it was started differently: `mine` has its
  /// own start arguments, `theirs` those of rank 0. The texts of a visitor that
  /// is not proven are not to be trusted and should not be printed.
  std::optional<Difference> difference;

  /// Returns "rank 1 (...) was started with --seed 2, but rank 0 with --seed
  /// 1", without the part on rank 0 if `theirs` is empty. `difference` must be
  /// set.
  std::string describeDifference() const;
};

/// The listening socket of rank 0, with the visitors whose handshake is not
/// complete yet.
class AdmissionServer {
 public:
  /// Constructs the server of the job `identity`. `listener` listens at the
  /// address of rank 0; `hub` describes this process.
  AdmissionServer(Socket listener, Identity identity, Member hub);

  /// addTo() appends to `entries` the descriptors to poll: the listening
  /// socket, then each visitor. pollMilliseconds() returns the longest time for
  /// which the caller may poll; -1: no limit. After the poll, call serve().
  void addTo(std::vector<pollfd>& entries) const;
  int pollMilliseconds() const;

  /// Accepts connections and handles all messages that have come, without
  /// blocking. Drops visitors that break the protocol or exceed kAnswerTime.
  /// Returns the visitors whose handshake was completed since the last call.
  std::vector<CheckedVisitor> serve();

 private:
  using Clock = std::chrono::steady_clock;

  /// A connection whose handshake is not complete.
  struct Visitor {
    Channel channel;
    std::string address;
    Clock::time_point since;  // time of its connection
    Hello hello;
    std::string helloText;      // empty: no hello yet
    std::string challengeText;  // the challenge sent to it
    bool isProven = false;
  };

  // The consequence of a message for the visitor that sent it.
  enum class Outcome { kStays, kLeaves, kIsChecked };

  bool hasPlace() const;
  void accept();
  Outcome handleMessages(Visitor& visitor,
                         std::optional<Difference>& difference);
  Outcome handleHello(Visitor& visitor, const std::string& helloText);
  Outcome handleProof(Visitor& visitor, const std::string& proofText);

  Socket listener;
  Identity identity;
  Member hub;
  std::vector<Visitor> visitors;  // in the order in which they connected
};

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_ADMISSIONSERVER_H_
