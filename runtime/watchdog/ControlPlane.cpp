#include "runtime/watchdog/ControlPlane.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "runtime/text/Printable.h"

namespace sbp::watchdog {
namespace {

using bootstrap::Channel;
using bootstrap::Message;
using bootstrap::MessageKind;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr milliseconds kLongestPulse(500);

// Time that the main thread has to exit after a verdict, before the process is
// ended.
constexpr milliseconds kLeaveTime(1000);

// The same time for a rank that failed by itself, which has more to report.
constexpr milliseconds kFailedLeaveTime(5000);

// Time for other ranks to find the fault that this rank has found.
constexpr milliseconds kOthersTime(500);

// Time for the last messages to reach the other ranks.
constexpr milliseconds kFarewellTime(1000);

// The first byte of a contribution to an all-gather: its purpose.
constexpr char kGather = 'g';
constexpr char kFinish = 'f';

// Names of the waits in this file, for reports (Activity.h).
constexpr char kAgreementName[] = "an agreement of all ranks";
constexpr char kEndName[] = "the end of the run";

ControlPlane::Clock::duration durationOf(double seconds) {
  return duration_cast<ControlPlane::Clock::duration>(
      std::chrono::duration<double>(seconds));
}

// Prints with a single write, so that the lines of several ranks do not mix.
void printLine(const std::string& line) {
  ssize_t ignored = write(STDERR_FILENO, line.data(), line.size());
  (void)ignored;
}

}  // namespace

ControlPlane::ControlPlane(bootstrap::Connections theConnections,
                           WaitLimits limits, int abortedExitCode,
                           std::shared_ptr<AbortFlag> flag)
    : connections(std::move(theConnections)),
      timeout(durationOf(limits.silenceSeconds)),
      pulse(std::min<Clock::duration>(timeout / 10, kLongestPulse)),
      abortedExitCode(abortedExitCode),
      flag(std::move(flag)),
      silence(connections.channels.size(), timeout, Clock::now()),
      lastBeat(Clock::now()),
      attendance(connections.members.size(), durationOf(limits.waitSeconds),
                 lastBeat),
      contributions(connections.members.size()),
      isKillable(connections.members.size(), false),
      wakeDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread([this] { watch(); }) {}

ControlPlane::~ControlPlane() {
  Lock lock(mutex);
  bool isEarly = !isFinished && !flag->isRaised();
  lock.unlock();
  if (isEarly) fail("it left the world before its end");
  lock.lock();
  isStopping = true;
  stopBefore = Clock::now() + kFarewellTime;
  wakeThread();
  lock.unlock();
  thread.join();
  close(wakeDescriptor);
}

absl::StatusOr<std::vector<std::string>> ControlPlane::allGather(
    std::string_view text) {
  return exchange(kGather, text);
}

absl::Status ControlPlane::finish() { return exchange(kFinish, "").status(); }

absl::StatusOr<std::vector<std::string>> ControlPlane::exchange(
    char purpose, std::string_view text) {
  const char* where = purpose == kFinish ? kEndName : kAgreementName;
  Wait wait(&activity(), &activity().name(where));
  Lock lock(mutex);
  std::string contribution(1, purpose);
  contribution += text;
  if (isHub()) {
    contribute(0, contribution);
  } else {
    connections.channels[0].send(MessageKind::kContribution, contribution);
  }
  wakeThread();
  changed.wait(lock, [this] { return gathered || flag->isRaised(); });
  if (!gathered) return flag->status();
  return *std::exchange(gathered, std::nullopt);
}

void ControlPlane::fail(const std::string& reason) {
  giveUp(fmt::format("{} failed: {}", describe(connections.rank), reason),
         Ending::kFault);
}

void ControlPlane::interrupt() {
  giveUp(bootstrap::describeInterruption(connections.members[connections.rank]),
         Ending::kInterruption);
}

void ControlPlane::giveUp(const std::string& verdict, Ending ending) {
  Lock lock(mutex);
  if (flag->isRaised() || isFinished) return;
  ownFailure = verdict;
  if (isHub()) {
    decide(ownFailure, ending);
  } else {
    // Rank 0 answers with the verdict, so when the flag is raised, rank 0 has
    // got the message.
    connections.channels[0].send(ending == Ending::kInterruption
                                     ? MessageKind::kInterruption
                                     : MessageKind::kFailure,
                                 ownFailure);
    wakeThread();
    changed.wait_for(lock, kFarewellTime, [this] { return flag->isRaised(); });
    flag->raise(ownFailure);
  }
}

void ControlPlane::allowKill(int64_t rank) {
  Lock lock(mutex);
  isKillable[rank] = true;
}

void ControlPlane::watch() {
  Lock lock(mutex);
  while (!isDone()) {
    waitForNews(lock);
    const Clock::time_point now = Clock::now();
    attendance.ignore(silence.beginRound(now));
    for (size_t i = 0; i < connections.channels.size(); ++i) serve(i);
    beat(now);
    findStalled(now);
    killStalled(now);
    findAbsent(now);
    if (leaveBefore && now > *leaveBefore) _exit(abortedExitCode);
  }
}

// Whether the thread may end. Rank 0 leaves last, so that its socket is not
// closed before its last message has been read.
bool ControlPlane::isDone() const {
  if (!isStopping || killTime) return false;
  if (Clock::now() > stopBefore) return true;
  return std::none_of(connections.channels.begin(), connections.channels.end(),
                      [this](const Channel& channel) {
                        return isHub() ? channel.isOpen() : channel.hasUnsent();
                      });
}

void ControlPlane::waitForNews(Lock& lock) {
  std::vector<pollfd> entries = {{wakeDescriptor, POLLIN, 0}};
  for (const Channel& channel : connections.channels) {
    short events = POLLIN;
    if (channel.hasUnsent()) events |= POLLOUT;
    entries.push_back({channel.fd(), events, 0});  // poll ignores fd -1
  }
  auto wait = std::min<Clock::duration>(pulse, milliseconds(100));
  lock.unlock();
  poll(entries.data(), entries.size(),
       static_cast<int>(
           std::max<int64_t>(duration_cast<milliseconds>(wait).count(), 1)));
  lock.lock();
  uint64_t count = 0;
  ssize_t ignored = read(wakeDescriptor, &count, sizeof(count));
  (void)ignored;
}

void ControlPlane::serve(int64_t index) {
  Channel& channel = connections.channels[index];
  if (!channel.isOpen()) return;
  channel.flush();
  for (const Message& message : channel.receive()) {
    silence.noteHeard(index, Clock::now());
    handle(index, message);
  }
  if (channel.isClosed() && !isFinished) {
    decide(peer(index).describe() + " died");
  }
}

void ControlPlane::handle(int64_t index, const Message& message) {
  switch (message.kind) {
    case MessageKind::kFailure:
    case MessageKind::kVerdict:
      decide(message.text);
      break;
    case MessageKind::kInterruption:
      decide(message.text, Ending::kInterruption);
      break;
    case MessageKind::kContribution:
      contribute(peer(index).rank, message.text);
      break;
    case MessageKind::kGathered:
      publish(message.text);
      break;
    case MessageKind::kHeartbeat:
      if (isHub()) {
        attendance.note(peer(index).rank, decodeReport(message.text),
                        Clock::now());
      }
      break;
    default:  // messages of the rendezvous, which is over
      break;
  }
}

void ControlPlane::beat(Clock::time_point now) {
  if (now - lastBeat < pulse) return;
  lastBeat = now;
  const Report report = activity().report();
  if (isHub()) attendance.note(0, report, now);
  for (Channel& channel : connections.channels) {
    // Messages that are queued already serve as a sign of life.
    if (channel.hasUnsent()) continue;
    channel.send(MessageKind::kHeartbeat, isHub() ? "" : encodeReport(report));
  }
}

void ControlPlane::findStalled(Clock::time_point now) {
  if (isFinished) return;
  for (size_t i = 0; i < connections.channels.size(); ++i) {
    if (!connections.channels[i].isOpen() || !silence.isStalled(i, now))
      continue;
    decide(fmt::format(
        "{} stalled: nothing heard of it for {:.1f} s", peer(i).describe(),
        std::chrono::duration<double>(silence.of(i, now)).count()));
    // If rank 0 is silent, the other ranks are about to find this too. Rank 0
    // must not be killed earlier, or they would report its death instead.
    if (isKillable[peer(i).rank] && !killTime) {
      killTime = now + (isHub() ? Clock::duration() : kOthersTime);
    }
  }
}

void ControlPlane::killStalled(Clock::time_point now) {
  if (!killTime || now < *killTime) return;
  killTime.reset();
  for (size_t i = 0; i < connections.channels.size(); ++i) {
    const bootstrap::Member& member = peer(i);
    if (!connections.channels[i].isOpen() || !silence.isStalled(i, now))
      continue;
    // Kills the process only once, because its id may soon belong to another
    // one.
    if (isKillable[member.rank]) kill(member.pid, SIGKILL);
    isKillable[member.rank] = false;
  }
}

void ControlPlane::findAbsent(Clock::time_point now) {
  if (!isHub() || isFinished || flag->isRaised()) return;
  const auto fault = attendance.findFault(
      now, [this](int64_t rank) { return describe(rank); });
  if (fault) decide(*fault + "; SBP_WAIT_TIMEOUT allows a longer wait");
}

void ControlPlane::decide(const std::string& verdict, Ending ending) {
  if (isFinished || !flag->raise(verdict)) return;
  const bool isOwn = verdict == ownFailure;
  MessageKind kind = isHub() ? MessageKind::kVerdict : MessageKind::kFailure;
  if (ending == Ending::kInterruption) kind = MessageKind::kInterruption;
  // Rank 0 tells all ranks. The others tell only rank 0, which may have been
  // stopped and resumed.
  for (Channel& channel : connections.channels) channel.send(kind, verdict);
  if (ending == Ending::kInterruption) {
    if (isHub()) printLine(text::printable(verdict) + "\n");
  } else if (!isOwn) {
    printLine(fmt::format("error: {}; rank {} ends\n", text::printable(verdict),
                          connections.rank));
  }
  leaveBefore = Clock::now() + (isOwn ? kFailedLeaveTime : kLeaveTime);
  changed.notify_all();
  wakeThread();
}

void ControlPlane::contribute(int64_t rank, const std::string& text) {
  if (!isHub() || text.empty()) return;
  contributions[rank] = text;
  bool isComplete =
      std::all_of(contributions.begin(), contributions.end(),
                  [](const auto& contribution) { return contribution; });
  if (!isComplete) return;
  std::vector<std::string> texts;
  for (int64_t i = 0; i < static_cast<int64_t>(contributions.size()); ++i) {
    if (contributions[i]->front() != text.front()) {
      bool lastFinishes = text.front() == kFinish;
      decide(
          fmt::format("{} finished while {} expects more of it",
                      connections.members[lastFinishes ? rank : i].describe(),
                      connections.members[lastFinishes ? i : rank].describe()));
      return;
    }
    texts.push_back(*std::exchange(contributions[i], std::nullopt));
  }
  std::string joined = bootstrap::joinTexts(texts);
  for (Channel& channel : connections.channels) {
    channel.send(MessageKind::kGathered, joined);
  }
  publish(joined);
}

void ControlPlane::publish(const std::string& joined) {
  std::vector<std::string> texts;
  if (!bootstrap::splitTexts(joined, texts)) return;
  for (std::string& text : texts) {
    if (!text.empty() && text.front() == kFinish) isFinished = true;
    if (!text.empty()) text.erase(0, 1);
  }
  gathered = std::move(texts);
  changed.notify_all();
}

void ControlPlane::wakeThread() {
  uint64_t one = 1;
  ssize_t ignored = write(wakeDescriptor, &one, sizeof(one));
  (void)ignored;
}

}  // namespace sbp::watchdog
