// The admission to a job, on rank 0: accepts connections, and finds out who
// belongs to the job.
//
// Anybody may connect and send anything. A visitor has proven nothing yet, so
// rank 0 reads only small messages from it, for at most kAnswerTime, and serves
// at most kMaxVisitors at once. If one more connects, the oldest visitor is
// dropped, but not within its first kLeastTime; until then the newcomer waits
// in the queue of the listening socket. A rank of this job that is dropped
// connects again. A visitor cannot do any other harm until it has proven that
// it has the job's key (Handshake.h).

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

/// Largest number of visitors at a time. A larger one lets more ranks connect
/// at the same moment, but lets strangers use more memory (some kilobytes each)
/// and descriptors.
inline constexpr size_t kMaxVisitors = 128;

/// Time that a visitor has, from its connection, to complete the handshake;
/// then it is dropped. Shorter frees places sooner, longer tolerates hosts
/// under load.
inline constexpr std::chrono::seconds kAnswerTime(5);

/// Time during which no newcomer takes a visitor's place. Shorter lets more
/// newcomers pass (128 per 0.2 s: 640 a second), longer tolerates ranks that
/// wait for a processor.
inline constexpr std::chrono::milliseconds kLeastTime(200);

/// A visitor whose handshake is complete: it has proven that it is of this job
/// and was started like rank 0, or it reports a difference.
struct CheckedVisitor {
  Member member;  // as its hello says; the rank may be none of the world
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
  /// address of rank 0; `hub` is this process.
  AdmissionServer(Socket listener, Identity identity, Member hub);

  /// Appends the descriptors to poll to `entries`: the listening socket, then
  /// each visitor. pollMilliseconds() returns the longest time to poll, -1 for
  /// no limit. After the poll, call serve().
  void addTo(std::vector<pollfd>& entries) const;
  int pollMilliseconds() const;

  /// Accepts connections and handles all messages that have come, without
  /// blocking. Drops visitors that break the protocol or come too late. Returns
  /// the visitors whose handshake was completed since the last call.
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

  // What happens to a visitor after its message.
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
