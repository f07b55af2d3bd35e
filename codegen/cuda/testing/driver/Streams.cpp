#include "codegen/cuda/testing/driver/Streams.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sbp::cuda::driver {
namespace {

/// Most time after which work is done that nobody waits for.
constexpr std::chrono::microseconds kLongestDelay(200);
/// Time between two looks whether memory has changed that streams wait for.
constexpr std::chrono::microseconds kPause(20);

}  // namespace

Streams::Streams(uint64_t seed) : random_(seed), worker_([this] { work(); }) {}

Streams::~Streams() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    isEnding_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

int64_t Streams::create() {
  std::lock_guard<std::mutex> lock(mutex_);
  streams_[next_];
  return next_++;
}

void Streams::destroy(int64_t stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  streams_.at(stream).isDestroyed = true;
}

void Streams::add(int64_t stream, Work work) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    Stream& to = streams_.at(stream);
    to.pending.push_back(std::move(work));
    ++to.numAdded;
  }
  changed_.notify_all();
}

Point Streams::endOf(int64_t stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  return {stream, streams_.at(stream).numAdded};
}

void Streams::addWait(int64_t stream, Point point) {
  add(stream, {[this, point] { return isDone(point); }});
}

bool Streams::isDone(Point point) const {
  const auto found = streams_.find(point.stream);
  return found == streams_.end() || found->second.numDone >= point.count;
}

bool Streams::isDone(int64_t stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  const bool isDone = streams_.at(stream).pending.empty();
  if (!isDone && !isHurried_) {
    isHurried_ = true;
    changed_.notify_all();
  }
  return isDone || error_ != 0;
}

void Streams::finish() {
  std::unique_lock<std::mutex> lock(mutex_);
  isHurried_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return isIdle() || error_ != 0; });
}

int Streams::error() {
  std::lock_guard<std::mutex> lock(mutex_);
  return error_;
}

bool Streams::isIdle() const {
  return std::all_of(streams_.begin(), streams_.end(), [](const auto& stream) {
    return stream.second.pending.empty();
  });
}

std::vector<Streams::Stream*> Streams::ready() {
  std::vector<Stream*> result;
  for (auto next = streams_.begin(); next != streams_.end();) {
    Stream& stream = next->second;
    if (stream.pending.empty() && stream.isDestroyed) {
      next = streams_.erase(next);
      continue;
    }
    if (!stream.pending.empty() && stream.pending.front().isReady())
      result.push_back(&stream);
    ++next;
  }
  return result;
}

void Streams::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!isEnding_) {
    if (isIdle() || error_ != 0) {
      isHurried_ = false;
      changed_.wait(lock);
      continue;
    }
    const std::vector<Stream*> candidates = ready();
    if (candidates.empty()) {
      changed_.wait_for(lock, kPause);
      continue;
    }
    Stream& stream = *candidates[random_() % candidates.size()];
    // Half of the time work is late, so that it piles up.
    if (!isHurried_ && random_() % 2 == 0) {
      changed_.wait_for(lock, kLongestDelay * (random_() % 8) / 8);
      continue;
    }
    const Work work = std::move(stream.pending.front());
    lock.unlock();
    const int error = work.run();
    lock.lock();
    stream.pending.pop_front();
    ++stream.numDone;
    if (error_ == 0) error_ = error;
    changed_.notify_all();
  }
}

}  // namespace sbp::cuda::driver
