#include "runtime/bootstrap/Arrival.h"

#include <poll.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "runtime/bootstrap/Handshake.h"

namespace sbp::bootstrap {
namespace {

using Clock = std::chrono::steady_clock;

// Before coming again, where the door was shut.
constexpr std::chrono::milliseconds kRetryInterval(50);

// Rank 0 keeps the time from its own start, and its answer says more than ours
// could: who has been let in waits for it somewhat longer.
constexpr std::chrono::seconds kRosterMargin(2);

// Says that this process was told to end, as nobody else can.
absl::Status sayInterrupted(const Environment& env) {
  const std::string text = describeInterruption(thisProcess(env.rank));
  fmt::print(stderr, "{}\n", text);
  return absl::CancelledError(text);
}

// One rank at the door of rank 0, from hello to roster.
class Arrival {
 public:
  Arrival(const Environment& env, const Identity& identity, Socket socket,
          const Patience& patience)
      : env(env),
        identity(identity),
        channel(std::move(socket), kMaxChallengeBytes),
        patience(patience) {}

  // Nothing if rank 0 has closed the door before it let this rank in: too many
  // may have come at once, or it was not rank 0. Another attempt will tell.
  std::optional<absl::StatusOr<Meeting>> run() {
    helloText =
        encodeHello({thisProcess(env.rank), identity.basis, drawNonce()});
    channel.send(MessageKind::kHello, helloText);
    while (Clock::now() <
           patience.deadline + (isIn ? kRosterMargin : kNoMargin)) {
      if (patience.isToldToEnd()) return leave();
      pollfd entry = {channel.fd(), POLLIN, 0};
      poll(&entry, 1, kLookInterval.count());
      channel.flush();
      for (const Message& message : channel.receive()) {
        if (auto result = handle(message)) return result;
      }
      if (channel.isClosed()) {
        if (!isIn) return std::nullopt;
        return absl::UnavailableError(
            fmt::format("rank 0, met at {}, died before all {} ranks had come",
                        env.meetingPoint.describe(), env.size));
      }
    }
    return absl::DeadlineExceededError(
        fmt::format("rank 0 at {} did not answer rank {} in time",
                    env.meetingPoint.describe(), env.rank));
  }

 private:
  static constexpr std::chrono::seconds kNoMargin{0};
  using Result = std::optional<absl::StatusOr<Meeting>>;

  // Rank 0 says it for a rank that it has let in.
  absl::Status leave() {
    if (!isIn) return sayInterrupted(env);
    const std::string text = describeInterruption(thisProcess(env.rank));
    channel.send(MessageKind::kInterruption, text);
    return absl::CancelledError(text);
  }

  // What ends the arrival, if this message does.
  Result handle(const Message& message) {
    switch (message.kind) {
      case MessageKind::kChallenge:
        if (!challengeText.empty()) return noRankZero();
        challengeText = message.text;
        return answer();
      case MessageKind::kStart:
        return isAnswered ? compare(message.text) : noRankZero();
      case MessageKind::kWelcome:
        if (!isAnswered) return noRankZero();
        isIn = true;
        return std::nullopt;
      case MessageKind::kTurnAway:
        if (!isAnswered) return noRankZero();
        return absl::FailedPreconditionError(
            printable(message.text, kMaxVisitorBytes));
      case MessageKind::kRefusal:
        if (!isAnswered) return noRankZero();
        return absl::AbortedError(message.text);
      case MessageKind::kRoster:
        return isIn ? enter(message.text) : noRankZero();
      default:
        return noRankZero();
    }
  }

  // To the challenge: rank 0 must be of this job, and so is this rank.
  Result answer() {
    Challenge challenge;
    if (!decodeChallenge(challengeText, challenge)) return noRankZero();
    if (challenge.basis != identity.basis) {
      const std::string with = fmt::format("an {}", kSecretVariable);
      return identity.basis == Basis::kSecret ? differs({with, "none"})
                                              : differs({"no secret", with});
    }
    if (!identity.key.isProof(challenge.proof, saidBy(challenge, helloText))) {
      if (identity.basis == Basis::kStart) return compare(challenge.start);
      tell({fmt::format("another {}", kSecretVariable), ""});
      return absl::FailedPreconditionError(fmt::format(
          "another job answers at {}: its {} has another {}; MASTER_PORT "
          "chooses another port",
          env.meetingPoint.describe(), challenge.hub.describe(),
          kSecretVariable));
    }
    channel.trust();
    Proof proof;
    proof.digest = identity.digest;
    proof.proof = identity.key.prove(saidBy(proof, helloText, challengeText));
    channel.send(MessageKind::kProof, encodeProof(proof));
    isAnswered = true;
    return std::nullopt;
  }

  // How this rank was started differently, according to what rank 0 says of
  // itself.
  Result compare(const std::string& startText) {
    Start theirs;
    if (!decodeStart(startText, theirs)) return noRankZero();
    const auto difference = differenceOf(identity.start, theirs);
    return difference ? differs(*difference) : noRankZero();
  }

  Result differs(const Difference& difference) {
    tell(difference);
    std::string text =
        fmt::format("rank {} was started with {}, but rank 0 at {} with {}",
                    env.rank, difference.mine, env.meetingPoint.describe(),
                    printable(difference.theirs, kMaxVisitorBytes));
    if (!isAnswered) {
      Challenge challenge;
      decodeChallenge(challengeText, challenge);
      text += fmt::format(
          "; if that is another job ({}), MASTER_PORT chooses another port",
          challenge.hub.describe());
    }
    return absl::FailedPreconditionError(text);
  }

  void tell(const Difference& difference) {
    channel.send(MessageKind::kDifference, encodeDifference(difference));
  }

  absl::Status noRankZero() const {
    return absl::UnavailableError(fmt::format(
        "who answers at {} is no rank 0 of this program; MASTER_PORT chooses "
        "another port",
        env.meetingPoint.describe()));
  }

  Result enter(const std::string& rosterText) {
    std::vector<std::string> roster;
    if (!splitTexts(rosterText, roster) ||
        static_cast<int64_t>(roster.size()) != env.size) {
      return noRankZero();
    }
    Meeting meeting;
    meeting.rank = env.rank;
    meeting.members.resize(env.size);
    for (int64_t rank = 0; rank < env.size; ++rank) {
      decodeMember(roster[rank], meeting.members[rank]);
    }
    meeting.channels.push_back(std::move(channel));
    return meeting;
  }

  const Environment& env;
  const Identity& identity;
  Channel channel;
  const Patience& patience;
  std::string helloText;
  std::string challengeText;  // empty: not yet come
  bool isAnswered = false;    // rank 0 has proven itself, and so have we
  bool isIn = false;          // it has said so
};

}  // namespace

absl::StatusOr<Meeting> arrive(const Environment& env, const Identity& identity,
                               const Patience& patience) {
  absl::StatusOr<Socket> socket = connectTo(env.meetingPoint, patience);
  while (socket.ok()) {
    auto result = Arrival(env, identity, *std::move(socket), patience).run();
    if (result) return *std::move(result);
    std::this_thread::sleep_for(kRetryInterval);
    if (!patience.isOver()) {
      socket = connectTo(env.meetingPoint, patience);
    } else {
      socket = absl::UnavailableError(
          fmt::format("who listens at {} closes the connection",
                      env.meetingPoint.describe()));
    }
  }
  if (patience.isToldToEnd()) return sayInterrupted(env);
  return absl::Status(
      socket.status().code(),
      fmt::format("rank {} did not find rank 0 within {:g} s: {}", env.rank,
                  patience.seconds, std::string(socket.status().message())));
}

}  // namespace sbp::bootstrap
