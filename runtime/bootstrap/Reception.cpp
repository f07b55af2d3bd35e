#include "runtime/bootstrap/Reception.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "runtime/bootstrap/AdmissionServer.h"
#include "runtime/file/Show.h"

namespace sbp::bootstrap {
namespace {

using Clock = std::chrono::steady_clock;

// Maximum number of missing ranks that an error names.
constexpr size_t kMaxNames = 16;

// Maximum number of notes about visitors that were not accepted, so that a
// stranger cannot fill a log.
constexpr size_t kMaxNotes = 16;

// Time for which rank 0 stays after the rendezvous has failed, to inform ranks
// that are still coming. The time is shorter if a rank was told to end, because
// the user may be waiting for the end.
constexpr std::chrono::milliseconds kFarewellTime(2000);
constexpr std::chrono::milliseconds kHastyFarewellTime(300);

class Reception {
 public:
  Reception(const Environment& env, const Identity& identity,
            const WaitLimit& limit, MeetingPoint point, Socket listener)
      : env(env),
        identity(identity),
        limit(limit),
        point(std::move(point)),
        server(std::move(listener), identity, thisProcess(0)) {
    connections.members.resize(env.size);
    connections.channels.resize(env.size);
    connections.members[0] = thisProcess(0);
  }

  absl::StatusOr<Connections> run() {
    while (numPresent < env.size) {
      if (absl::Status status = attend(); !status.ok()) {
        refuseAll(status);
        return status;
      }
    }
    std::vector<std::string> roster;
    for (const Member& member : connections.members) {
      roster.push_back(encodeMember(member));
    }
    for (Channel& channel : connections.channels) {
      channel.send(MessageKind::kRoster, joinTexts(roster));
    }
    connections.admission = std::make_unique<AdmissionThread>(
        std::move(server), connections.members);
    return std::move(connections);
  }

 private:
  // Waits for messages and connections for at most kLookInterval. Accepts ranks
  // that belong to the job, and checks the ranks accepted before.
  absl::Status attend() {
    std::vector<CheckedVisitor> visitors = newVisitors();
    // This check comes first, because other ranks that were told to end as well
    // may have ended already.
    if (limit.isToldToEnd()) {
      return interrupted(absl::StatusCode::kCancelled,
                         describeInterruption(connections.members[0]));
    }
    for (CheckedVisitor& visitor : visitors) {
      if (absl::Status status = admit(visitor); !status.ok()) {
        refuse(visitor, std::string(status.message()));
        return status;
      }
    }
    for (int64_t rank = 1; rank < env.size; ++rank) {
      Channel& channel = connections.channels[rank];
      if (!channel.isOpen()) continue;
      for (const Message& message : channel.receive()) {
        if (message.kind == MessageKind::kInterruption) {
          return interrupted(absl::StatusCode::kAborted, message.text);
        }
      }
      if (channel.isClosed()) {
        return absl::UnavailableError(
            connections.members[rank].describe() +
            " died before all ranks of the world had come");
      }
    }
    if (numPresent < env.size && limit.isOver()) return missing();
    return absl::OkStatus();
  }

  // Reports, on rank 0, which process was told to end.
  static absl::Status interrupted(absl::StatusCode code,
                                  const std::string& text) {
    file::show(stderr, text + "\n");
    return absl::Status(code, text);
  }

  // Waits for messages and connections for at most kLookInterval. Returns the
  // visitors whose handshake is complete.
  std::vector<CheckedVisitor> newVisitors() {
    std::vector<pollfd> entries;
    server.addTo(entries);
    for (const Channel& channel : connections.channels) {
      entries.push_back({channel.fd(), POLLIN, 0});  // poll ignores fd -1
    }
    poll(entries.data(), entries.size(), kLookInterval.count());
    return server.serve();
  }

  // Accepts a visitor, or turns it away. Fails if the visitor shows that this
  // job itself was started wrongly.
  absl::Status admit(CheckedVisitor& visitor) {
    const Member& member = visitor.member;
    if (visitor.difference) {
      if (visitor.isProven) {
        return absl::FailedPreconditionError(visitor.describeDifference());
      }
      note(fmt::format(
          "a process at {} was started differently, as its own message says",
          visitor.address));
      return absl::OkStatus();
    }
    if (member.rank >= env.size) {
      return absl::FailedPreconditionError(
          fmt::format("{} is none of {} ranks", member.describe(), env.size));
    }
    if (member.rank == 0 || connections.channels[member.rank].isOpen()) {
      const std::string text =
          describeClash(connections.members[member.rank], member);
      if (identity.keySource == KeySource::kSecret) {
        return absl::FailedPreconditionError(text);
      }
      // The visitor may be of another job that was started with the same
      // arguments.
      visitor.channel.send(MessageKind::kTurnAway, text);
      note(text);
      return absl::OkStatus();
    }
    visitor.channel.trust();
    visitor.channel.send(MessageKind::kWelcome, "");
    connections.members[member.rank] = member;
    connections.channels[member.rank] = std::move(visitor.channel);
    ++numPresent;
    return absl::OkStatus();
  }

  // Reports once that a visitor was not accepted, and why.
  void note(const std::string& text) {
    const bool isKnown =
        std::find(notes.begin(), notes.end(), text) != notes.end();
    if (isKnown || notes.size() == kMaxNotes) return;
    notes.push_back(text);
    file::show(stderr,
               fmt::format("note: rank 0 at {} has not let in a rank: {}\n",
                           point.describe(), text));
  }

  absl::Status missing() const {
    std::vector<std::string> names;
    for (int64_t rank = 1; rank < env.size; ++rank) {
      if (!connections.channels[rank].isOpen()) {
        names.push_back(std::to_string(rank));
      }
    }
    size_t numMissing = names.size();
    if (names.size() > kMaxNames) {
      names.resize(kMaxNames);
      names.push_back("...");
    }
    std::string text = fmt::format(
        "{} of {} ranks did not come to {} within {:g} s: rank{} {}",
        numMissing, env.size, point.describe(), limit.seconds,
        numMissing == 1 ? "" : "s", fmt::join(names, ", "));
    if (!notes.empty()) {
      text += fmt::format("; not let in: {}", fmt::join(notes, "; "));
    }
    return absl::DeadlineExceededError(text);
  }

  // Sends all accepted ranks the reason why there is no world. Also waits for
  // some time to inform ranks that are still coming, because they would
  // otherwise look for rank 0 for a long time.
  void refuseAll(const absl::Status& status) {
    const std::string reason(status.message());
    const bool isHasty = absl::IsCancelled(status) || absl::IsAborted(status);
    for (int64_t rank = 1; rank < env.size; ++rank) {
      if (!connections.channels[rank].isOpen()) continue;
      connections.channels[rank].send(MessageKind::kRefusal, reason);
      connections.channels[rank] = Channel();
      refused.insert(rank);
    }
    const Deadline end =
        std::min(limit.deadline,
                 Clock::now() + (isHasty ? kHastyFarewellTime : kFarewellTime));
    while (numRefused() < env.size - 1 && Clock::now() < end) {
      for (CheckedVisitor& visitor : newVisitors()) refuse(visitor, reason);
    }
  }

  // Sends the reason to a visitor that has proven itself. A visitor that was
  // started differently already knows why it is refused.
  void refuse(CheckedVisitor& visitor, const std::string& reason) {
    if (!visitor.isProven) return;
    if (!visitor.difference)
      visitor.channel.send(MessageKind::kRefusal, reason);
    refused.insert(visitor.member.rank);
  }

  int64_t numRefused() const { return refused.size(); }

  const Environment& env;
  const Identity& identity;
  const WaitLimit& limit;
  const MeetingPoint point;
  AdmissionServer server;
  Connections connections;
  std::vector<std::string> notes;  // about visitors that were not accepted
  std::set<int64_t> refused;       // ranks that know that there is no world
  int64_t numPresent = 1;
};

}  // namespace

absl::StatusOr<Connections> meetAsRankZero(const Environment& env,
                                           const Identity& identity,
                                           const WaitLimit& limit) {
  absl::Status failure;
  for (const MeetingPoint& point : env.candidates()) {
    absl::StatusOr<Socket> listener = listenAt(point);
    if (listener.ok()) {
      return Reception(env, identity, limit, point, *std::move(listener)).run();
    }
    failure = listener.status();
    if (absl::IsResourceExhausted(failure)) return failure;
  }
  return absl::Status(
      failure.code(),
      fmt::format("rank 0 {}; is another job there? MASTER_PORT chooses "
                  "another port",
                  std::string(failure.message())));
}

}  // namespace sbp::bootstrap
