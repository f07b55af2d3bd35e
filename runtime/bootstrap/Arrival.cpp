#include "runtime/bootstrap/Arrival.h"

#include <poll.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "runtime/bootstrap/Handshake.h"
#include "runtime/file/Show.h"

namespace sbp::bootstrap {
namespace {

using Clock = std::chrono::steady_clock;

// Pause before another attempt to connect.
constexpr std::chrono::milliseconds kRetryInterval(50);

// Time for a first answer at one of several addresses, before the next one is
// tried.
constexpr double kVisitSeconds = 5;

// Extra time that an accepted rank waits for the roster. Rank 0 measures its
// time limit from its own start, which may be later. Its error says more than
// an error of this rank could say, so it is worth the wait.
constexpr std::chrono::seconds kRosterMargin(2);

// Reports that this process was told to end. No other rank can report it.
absl::Status sayInterrupted(const Environment& env) {
  const std::string text = describeInterruption(thisProcess(env.rank));
  file::show(stderr, text + "\n");
  return absl::CancelledError(text);
}

// One attempt of a rank to enter the world, from hello to roster.
class Arrival {
 public:
  // `visit` limits the wait until rank 0 has proven itself.
  Arrival(const Environment& env, const Identity& identity,
          const MeetingPoint& point, Socket socket, const WaitLimit& visit,
          const WaitLimit& limit)
      : env(env),
        identity(identity),
        point(point),
        channel(std::move(socket), kMaxChallengeBytes),
        visit(visit),
        limit(limit) {}

  // Returns nullopt if the connection was closed before this rank was accepted:
  // too many ranks may have come at once, or this was not rank 0. The caller
  // then makes another attempt.
  std::optional<absl::StatusOr<Connections>> run() {
    helloText =
        encodeHello({thisProcess(env.rank), identity.keySource, drawNonce()});
    channel.send(MessageKind::kHello, helloText);
    while (Clock::now() < deadline()) {
      if (limit.isToldToEnd()) return leave();
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
                        point.describe(), env.size));
      }
    }
    isElsewhere = !isAnswered;
    return absl::DeadlineExceededError(
        fmt::format("rank 0 at {} did not answer rank {} in time",
                    point.describe(), env.rank));
  }

  // Whether another job seems to answer at this address, so that rank 0 may be
  // at another address.
  bool hasMetAnother() const { return isElsewhere; }

 private:
  Deadline deadline() const {
    if (isIn) return limit.deadline + kRosterMargin;
    return isAnswered ? limit.deadline : visit.deadline;
  }

  using Result = std::optional<absl::StatusOr<Connections>>;

  // Ends the attempt because this process was told to end. Rank 0 reports it if
  // it has accepted this rank; otherwise this rank does.
  absl::Status leave() {
    if (!isIn) return sayInterrupted(env);
    const std::string text = describeInterruption(thisProcess(env.rank));
    channel.send(MessageKind::kInterruption, text);
    return absl::CancelledError(text);
  }

  // Handles a message. Returns the result if the message ends the attempt.
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

  // Answers the challenge: checks the proof of rank 0, and sends the proof of
  // this rank.
  Result answer() {
    Challenge challenge;
    if (!decodeChallenge(challengeText, challenge)) return noRankZero();
    if (challenge.keySource != identity.keySource) {
      isElsewhere = true;
      const std::string with = fmt::format("an {}", kSecretVariable);
      return identity.keySource == KeySource::kSecret
                 ? differs({with, "none"})
                 : differs({"no secret", with});
    }
    if (!identity.key.isProof(challenge.proof,
                              coveredTexts(challenge, helloText))) {
      if (identity.keySource == KeySource::kStart)
        return compare(challenge.start);
      isElsewhere = true;
      std::string another = fmt::format("another {}", kSecretVariable);
      if (!env.jobName.empty()) {
        another += fmt::format(", or is of another job of {}", env.launcher);
      }
      tell({another, ""});
      return absl::FailedPreconditionError(fmt::format(
          "another job answers at {}: its {} has {}; MASTER_PORT chooses "
          "another port",
          point.describe(), challenge.hub.describe(), another));
    }
    channel.trust();
    Proof proof;
    proof.digest = identity.digest;
    proof.proof =
        identity.key.prove(coveredTexts(proof, helloText, challengeText));
    channel.send(MessageKind::kProof, encodeProof(proof));
    isAnswered = true;
    return std::nullopt;
  }

  // Fails with the difference between the start arguments of this rank and
  // those that rank 0 sent.
  Result compare(const std::string& startText) {
    StartArguments theirs;
    if (!decodeStart(startText, theirs)) return noRankZero();
    isElsewhere = !isAnswered && !hasJobName(env, theirs);
    const auto difference = differenceOf(identity.start, theirs);
    return difference ? differs(*difference) : noRankZero();
  }

  Result differs(const Difference& difference) {
    tell(difference);
    std::string text =
        fmt::format("rank {} was started with {}, but rank 0 at {} with {}",
                    env.rank, difference.mine, point.describe(),
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

  absl::Status noRankZero() {
    isElsewhere = true;
    return absl::UnavailableError(fmt::format(
        "the process at {} is not rank 0 of this program; MASTER_PORT chooses "
        "another port",
        point.describe()));
  }

  Result enter(const std::string& rosterText) {
    std::vector<std::string> roster;
    if (!splitTexts(rosterText, roster) ||
        static_cast<int64_t>(roster.size()) != env.size) {
      return noRankZero();
    }
    Connections connections;
    connections.rank = env.rank;
    connections.members.resize(env.size);
    for (int64_t rank = 0; rank < env.size; ++rank) {
      decodeMember(roster[rank], connections.members[rank]);
    }
    connections.channels.push_back(std::move(channel));
    return connections;
  }

  const Environment& env;
  const Identity& identity;
  const MeetingPoint& point;
  Channel channel;
  const WaitLimit& visit;
  const WaitLimit& limit;
  std::string helloText;
  std::string challengeText;  // empty: not received yet
  bool isAnswered = false;    // both sides have proven themselves
  bool isIn = false;          // rank 0 has accepted this rank
  bool isElsewhere = false;   // another job seems to answer here
};

// Returns " at a:1 or a:2" if there are several addresses.
std::string describeChoice(const std::vector<MeetingPoint>& points) {
  if (points.size() == 1) return "";
  std::vector<std::string> texts;
  for (const MeetingPoint& point : points) texts.push_back(point.describe());
  return fmt::format(" at {}", fmt::join(texts, " or "));
}

}  // namespace

absl::StatusOr<Connections> meetRankZero(const Environment& env,
                                         const Identity& identity,
                                         const WaitLimit& limit) {
  const std::vector<MeetingPoint> points = env.candidates();
  const bool isChoice = points.size() > 1;
  // Reason why rank 0 has not been found. An answer of another job says more
  // than a failure to connect, so a failure to connect does not replace such an
  // answer. A failure of the last attempt, which `limit` may have cut short,
  // replaces nothing either.
  absl::Status failure;
  bool hasMetAnother = false;
  do {
    for (const MeetingPoint& point : points) {
      const WaitLimit visit = isChoice ? limit.upTo(kVisitSeconds) : limit;
      absl::StatusOr<Socket> socket = tryConnect(point, visit);
      if (!socket.ok()) {
        if (absl::IsResourceExhausted(socket.status())) return socket.status();
        const bool saysMore = !hasMetAnother && !limit.isOver();
        if (failure.ok() || saysMore) failure = socket.status();
        continue;
      }
      Arrival arrival(env, identity, point, *std::move(socket), visit, limit);
      std::optional<absl::StatusOr<Connections>> result = arrival.run();
      if (result && !(isChoice && arrival.hasMetAnother())) {
        return *std::move(result);
      }
      hasMetAnother = true;
      failure = result ? result->status()
                       : absl::UnavailableError(fmt::format(
                             "the process at {} closes the connection",
                             point.describe()));
    }
    std::this_thread::sleep_for(kRetryInterval);
  } while (!limit.isOver());
  if (limit.isToldToEnd()) return sayInterrupted(env);
  return absl::Status(
      failure.code(),
      fmt::format("rank {} did not find rank 0{} within {:g} s: {}", env.rank,
                  describeChoice(points), limit.seconds,
                  std::string(failure.message())));
}

}  // namespace sbp::bootstrap
