#include "runtime/bootstrap/Rendezvous.h"

#include <poll.h>
#include <unistd.h>

#include <chrono>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"

namespace sbp::bootstrap {
namespace {

using Clock = std::chrono::steady_clock;

// The first word of every hello; it changes with the protocol.
constexpr char kGreeting[] = "sbp-2";

// How long a loop may sleep: a listener and a deadline are both watched.
constexpr int kPollMilliseconds = 50;

// Missing ranks beyond this many are counted, not named.
constexpr size_t kMaxNames = 16;

Member thisProcess(int64_t rank) {
  char host[256] = "unknown";
  gethostname(host, sizeof(host) - 1);
  return {rank, getpid(), host};
}

std::string encodeMember(const Member& member) {
  return fmt::format("{} {} {}", member.rank, member.pid, member.host);
}

bool decodeMember(absl::string_view text, Member& member) {
  std::vector<std::string> words = absl::StrSplit(text, ' ');
  if (words.size() != 3) return false;
  member.host = words[2];
  return absl::SimpleAtoi(words[0], &member.rank) &&
         absl::SimpleAtoi(words[1], &member.pid);
}

struct Hello {
  int64_t size = 0;
  Member member;
};

std::string encodeHello(const Hello& hello) {
  return fmt::format("{} {} {}", kGreeting, hello.size,
                     encodeMember(hello.member));
}

bool decodeHello(const std::string& text, Hello& hello) {
  std::vector<std::string> parts =
      absl::StrSplit(text, absl::MaxSplits(' ', 2));
  return parts.size() == 3 && parts[0] == kGreeting &&
         absl::SimpleAtoi(parts[1], &hello.size) &&
         decodeMember(parts[2], hello.member) && hello.member.rank >= 0;
}

// Rank 0's side, while the others arrive.
class Reception {
 public:
  Reception(const Environment& env, double timeoutSeconds)
      : env(env),
        timeoutSeconds(timeoutSeconds),
        deadline(Clock::now() +
                 std::chrono::duration_cast<Clock::duration>(
                     std::chrono::duration<double>(timeoutSeconds))) {
    meeting.members.resize(env.size);
    meeting.channels.resize(env.size);
    meeting.members[0] = thisProcess(0);
  }

  absl::StatusOr<Meeting> run() {
    absl::StatusOr<Socket> listener = listenAt(env.meetingPoint);
    if (!listener.ok()) {
      return absl::Status(
          listener.status().code(),
          fmt::format("rank 0 {}; is another job there? MASTER_PORT chooses "
                      "another port",
                      std::string(listener.status().message())));
    }
    while (numPresent < env.size) {
      if (absl::Status status = attend(*listener); !status.ok()) {
        refuseAll(status);
        return status;
      }
    }
    std::vector<std::string> roster;
    for (const Member& member : meeting.members) {
      roster.push_back(encodeMember(member));
    }
    for (Channel& channel : meeting.channels) {
      channel.send(MessageKind::kRoster, joinTexts(roster));
    }
    return std::move(meeting);
  }

 private:
  // Waits a moment for newcomers, hears those who have not introduced
  // themselves, and looks after those who have.
  absl::Status attend(const Socket& listener) {
    pollfd entry = {listener.fd(), POLLIN, 0};
    poll(&entry, 1, strangers.empty() ? kPollMilliseconds : 1);
    for (Socket socket = acceptFrom(listener); socket.isOpen();
         socket = acceptFrom(listener)) {
      strangers.emplace_back(std::move(socket));
    }
    for (size_t i = 0; i < strangers.size();) {
      absl::StatusOr<bool> isDone = hear(strangers[i]);
      if (!isDone.ok()) return isDone.status();
      if (*isDone) {
        strangers.erase(strangers.begin() + i);
      } else {
        ++i;
      }
    }
    for (int64_t rank = 1; rank < env.size; ++rank) {
      Channel& channel = meeting.channels[rank];
      if (!channel.isOpen()) continue;
      channel.receive();
      if (channel.isClosed()) {
        return absl::UnavailableError(
            meeting.members[rank].describe() +
            " died before all ranks of the world had come");
      }
    }
    if (numPresent < env.size && Clock::now() > deadline) return missing();
    return absl::OkStatus();
  }

  // True when nothing more is expected of this stranger: it is a member now, or
  // no rank at all (a port scanner, say), which is its business.
  absl::StatusOr<bool> hear(Channel& stranger) {
    for (const Message& message : stranger.receive()) {
      Hello hello;
      if (message.kind != MessageKind::kHello ||
          !decodeHello(message.text, hello)) {
        return true;
      }
      const Member& member = hello.member;
      absl::Status status = check(hello);
      if (!status.ok()) {
        stranger.send(MessageKind::kRefusal, std::string(status.message()));
        return status;
      }
      meeting.members[member.rank] = member;
      meeting.channels[member.rank] = std::move(stranger);
      ++numPresent;
      return true;
    }
    return stranger.isClosed();
  }

  absl::Status check(const Hello& hello) const {
    const Member& member = hello.member;
    if (hello.size != env.size) {
      return absl::FailedPreconditionError(
          fmt::format("{} was started in a world of {} ranks, {} in one of {}",
                      member.describe(), hello.size,
                      meeting.members[0].describe(), env.size));
    }
    if (member.rank >= env.size) {
      return absl::FailedPreconditionError(
          fmt::format("{} is none of {} ranks", member.describe(), env.size));
    }
    if (member.rank == 0 || meeting.channels[member.rank].isOpen()) {
      return absl::FailedPreconditionError(fmt::format(
          "two processes are the same rank: {} and {}",
          meeting.members[member.rank].describe(), member.describe()));
    }
    return absl::OkStatus();
  }

  absl::Status missing() const {
    std::vector<std::string> names;
    for (int64_t rank = 1; rank < env.size; ++rank) {
      if (!meeting.channels[rank].isOpen()) {
        names.push_back(std::to_string(rank));
      }
    }
    size_t numMissing = names.size();
    if (names.size() > kMaxNames) {
      names.resize(kMaxNames);
      names.push_back("...");
    }
    return absl::DeadlineExceededError(fmt::format(
        "{} of {} ranks did not come to {} within {:g} s: rank{} {}",
        numMissing, env.size, env.meetingPoint.describe(), timeoutSeconds,
        numMissing == 1 ? "" : "s", fmt::join(names, ", ")));
  }

  void refuseAll(const absl::Status& status) {
    for (Channel& channel : meeting.channels) {
      channel.send(MessageKind::kRefusal, std::string(status.message()));
    }
  }

  const Environment& env;
  double timeoutSeconds;
  Deadline deadline;
  Meeting meeting;
  std::vector<Channel> strangers;  // connected, not yet introduced
  int64_t numPresent = 1;
};

// The other ranks' side.
absl::StatusOr<Meeting> join(const Environment& env, double timeoutSeconds) {
  Deadline deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(timeoutSeconds));
  absl::StatusOr<Socket> socket = connectTo(env.meetingPoint, deadline);
  if (!socket.ok()) {
    return absl::Status(
        socket.status().code(),
        fmt::format("rank {} did not find rank 0 within {:g} s: {}", env.rank,
                    timeoutSeconds, std::string(socket.status().message())));
  }
  Channel channel(std::move(*socket));
  channel.send(MessageKind::kHello,
               encodeHello({env.size, thisProcess(env.rank)}));
  // Rank 0 keeps the time from its own start, and its answer says more than
  // ours could: wait for it somewhat longer.
  deadline += std::chrono::seconds(2);
  while (Clock::now() < deadline) {
    pollfd entry = {channel.fd(), POLLIN, 0};
    poll(&entry, 1, kPollMilliseconds);
    channel.flush();
    for (const Message& message : channel.receive()) {
      if (message.kind == MessageKind::kRefusal) {
        return absl::AbortedError(message.text);
      }
      std::vector<std::string> roster;
      if (message.kind != MessageKind::kRoster ||
          !splitTexts(message.text, roster) ||
          static_cast<int64_t>(roster.size()) != env.size) {
        return absl::UnavailableError("who answers at " +
                                      env.meetingPoint.describe() +
                                      " is no rank 0 of this program");
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
    if (channel.isClosed()) {
      return absl::UnavailableError(
          fmt::format("rank 0, met at {}, died before all {} ranks had come",
                      env.meetingPoint.describe(), env.size));
    }
  }
  return absl::DeadlineExceededError(
      fmt::format("rank 0 at {} did not answer rank {} within {:g} s",
                  env.meetingPoint.describe(), env.rank, timeoutSeconds));
}

}  // namespace

std::string Member::describe() const {
  return fmt::format("rank {} (host {}, pid {})", rank, host, pid);
}

absl::StatusOr<Meeting> meet(const Environment& env, double timeoutSeconds) {
  if (env.rank == 0) return Reception(env, timeoutSeconds).run();
  return join(env, timeoutSeconds);
}

}  // namespace sbp::bootstrap
