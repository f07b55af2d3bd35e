#include "codegen/cuda/testing/driver/Streams.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sbp::cuda::driver {
namespace {

/// Longest random delay of work while the host does not wait for it.
constexpr std::chrono::microseconds kLongestDelay(200);
/// Time after which it is checked again whether a stream need not wait any
/// more.
constexpr std::chrono::microseconds kPause(20);
/// Times for which a stream may rest before each piece of its work; and largest
/// number of pieces of work, of all streams, until another stream is chosen to
/// rest.
constexpr std::chrono::microseconds kRests[] = {
    std::chrono::microseconds(0), std::chrono::microseconds(0),
    std::chrono::microseconds(300), std::chrono::microseconds(3000)};
constexpr int64_t kLongestRest = 64;

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

void Streams::rest(int64_t stream, std::chrono::milliseconds time) {
  std::lock_guard<std::mutex> lock(mutex_);
  resting_ = stream;
  rest_ = {};
  restsUntil_ = Clock::now() + time;
  numUntilNext_ = kLongestRest;
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

void Streams::chooseResting() {
  if (numUntilNext_-- > 0) return;
  numUntilNext_ = static_cast<int64_t>(random_() % kLongestRest);
  resting_ = static_cast<int64_t>(random_() % next_);
  rest_ = kRests[random_() % std::size(kRests)];
  restsUntil_ = Clock::now() + rest_;
}

void Streams::removeResting(std::vector<Stream*>& candidates) {
  const auto found = streams_.find(resting_);
  if (found == streams_.end() || Clock::now() >= restsUntil_) return;
  const bool haveOthersWork =
      std::any_of(streams_.begin(), streams_.end(), [&](const auto& stream) {
        return stream.first != resting_ && !stream.second.pending.empty();
      });
  if (!haveOthersWork) return;
  candidates.erase(
      std::remove(candidates.begin(), candidates.end(), &found->second),
      candidates.end());
}

void Streams::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!isEnding_) {
    if (isIdle() || error_ != 0) {
      isHurried_ = false;
      changed_.wait(lock);
      continue;
    }
    std::vector<Stream*> candidates = ready();
    removeResting(candidates);
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
    restsUntil_ = std::max(restsUntil_, Clock::now() + rest_);
    chooseResting();
    if (error_ == 0) error_ = error;
    changed_.notify_all();
  }
}

}  // namespace sbp::cuda::driver
