#include "passes/search/run/SearchRun.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "llvm/Support/FormatVariadic.h"

namespace sbp::search {
namespace {

/// Largest share of the free memory that a search takes by default, and largest
/// number of bytes.
constexpr double kPartOfFree = 0.5, kMostBytes = 8e9;

/// Periods of measuring memory and of calling the listener: short enough that
/// little happens in a period, and long enough that the calls take no
/// noticeable time.
constexpr std::chrono::milliseconds kMemoryPeriod(20), kNewsPeriod(100);

/// Returns the bytes of this process that are resident in memory.
double residentBytes() {
  double whole = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> whole >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Returns the bytes that are available in the system and in the cgroup of this
/// process, whichever are fewer.
double freeBytes() {
  double bytes = std::numeric_limits<double>::infinity();
  std::ifstream system("/proc/meminfo");
  std::string name, unit;
  for (double kilobytes = 0; system >> name >> kilobytes;) {
    if (name == "MemAvailable:") bytes = 1024 * kilobytes;
    std::getline(system, unit);
  }
  double most = 0, used = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> most &&
      std::ifstream("/sys/fs/cgroup/memory.current") >> used)
    bytes = std::min(bytes, std::max(0.0, most - used));
  return bytes;
}

}  // namespace

double defaultSearchBytes() {
  return residentBytes() + std::min(kPartOfFree * freeBytes(), kMostBytes);
}

struct SearchRun::Shared {
  SearchLimits limits;
  SearchListener* listener = nullptr;
  Clock::time_point begin = Clock::now();
  Clock::time_point memoryLookedAt, newsTold;
  bool isMemoryUsedUp = false;
  /// Whether time, or memory, has ended a part of the main search.
  bool isEndedByTime = false, isEndedByMemory = false;
  SearchStatus status;

  bool isInterrupted() const {
    return limits.isInterrupted && limits.isInterrupted();
  }

  double resident() {
    double bytes = residentBytes();
    if (bytes < limits.bytes) return bytes;
    // The allocator may still hold memory that was freed.
    malloc_trim(0);
    return residentBytes();
  }

  void look(Clock::time_point now) {
    if (now - memoryLookedAt >= kMemoryPeriod && std::isfinite(limits.bytes)) {
      memoryLookedAt = now;
      isMemoryUsedUp = resident() >= limits.bytes;
    }
    if (listener && now - newsTold >= kNewsPeriod) {
      newsTold = now;
      status.seconds = std::chrono::duration<double>(now - begin).count();
      listener->hear(status);
    }
  }
};

SearchRun::SearchRun(SearchLimits limits, SearchListener* listener)
    : shared_(std::make_shared<Shared>()) {
  shared_->limits = limits;
  shared_->listener = listener;
  // The clock counts in integers, into which centuries do not fit.
  constexpr double kForever = 1e9;
  if (limits.seconds < kForever)
    end_ = shared_->begin + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(limits.seconds));
}

SearchRun SearchRun::part(double share) const {
  SearchRun part = *this;
  Clock::time_point now = Clock::now();
  if (end_ != Clock::time_point::max() && end_ > now)
    part.end_ = now + std::chrono::duration_cast<Clock::duration>(
                          share * std::chrono::duration<double>(end_ - now));
  return part;
}

SearchRun SearchRun::aside(double share) const {
  SearchRun aside = part(share);
  aside.isMain_ = false;
  return aside;
}

SearchRun SearchRun::withGap(double gap) const {
  SearchRun run = *this;
  run.gap_ = gap;
  return run;
}

double SearchRun::secondsLeft() const {
  if (end_ == Clock::time_point::max())
    return std::numeric_limits<double>::infinity();
  return std::max(0.0,
                  std::chrono::duration<double>(end_ - Clock::now()).count());
}

bool SearchRun::isOver() const {
  Clock::time_point now = Clock::now();
  shared_->look(now);
  shared_->isEndedByTime |= isMain_ && now >= end_;
  shared_->isEndedByMemory |= isMain_ && shared_->isMemoryUsedUp;
  return now >= end_ || shared_->isMemoryUsedUp || shared_->isInterrupted();
}

bool SearchRun::allows(double bytes) const {
  if (!std::isfinite(shared_->limits.bytes) ||
      shared_->resident() + bytes <= shared_->limits.bytes)
    return true;
  shared_->isEndedByMemory |= isMain_;
  return false;
}

std::optional<std::string> SearchRun::endedBy() const {
  if (shared_->isInterrupted()) return "an interruption";
  if (shared_->isEndedByTime)
    return llvm::formatv("{0:f0} s", shared_->limits.seconds).str();
  if (shared_->isEndedByMemory)
    return llvm::formatv("{0:f1} GB of memory", shared_->limits.bytes / 1e9)
        .str();
  return std::nullopt;
}

void SearchRun::beginEntry(const std::string& entry) const {
  shared_->status = {};
  shared_->status.entry = entry;
}

void SearchRun::beginPhase(const char* phase) const {
  if (isMain_) shared_->status.phase = phase;
}

void SearchRun::foundPlan(double seconds) const {
  std::optional<double>& best = shared_->status.best;
  if (isMain_ && std::isfinite(seconds) && (!best || seconds < *best))
    best = seconds;
}

void SearchRun::provedBound(double seconds) const {
  std::optional<double>& bound = shared_->status.bound;
  if (isMain_ && (!bound || seconds > *bound)) bound = seconds;
}

}  // namespace sbp::search
