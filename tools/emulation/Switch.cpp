#include "tools/emulation/Switch.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

#include "runtime/status/Status.h"
#include "tools/emulation/Host.h"

namespace sbp::emulation {
namespace {

constexpr size_t kMostFrameBytes = 1 << 17;
constexpr int64_t kEthernetAddressBytes = 6;

double secondsNow() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

timespec timespecOf(double seconds) {
  const double whole = std::floor(seconds);
  return {static_cast<time_t>(whole),
          static_cast<long>((seconds - whole) * 1e9)};
}

}  // namespace

Switch::Switch(std::vector<int> thePorts, const Link& link)
    : ports_(std::move(thePorts)),
      wires_(static_cast<int64_t>(ports_.size()), link) {}

absl::Status Switch::run(int wakeUp, const std::function<bool()>& isOver) {
  for (;;) {
    moveFrames();
    for (size_t host = 0; host < ports_.size(); ++host) {
      SBP_RETURN_IF_ERROR(takeFrames(static_cast<int64_t>(host)));
    }
    bool isAwoken = false;
    SBP_RETURN_IF_ERROR(sleep(wakeUp, isAwoken));
    if (isAwoken && isOver()) return absl::OkStatus();
  }
}

absl::Status Switch::takeFrames(int64_t from) {
  static thread_local std::vector<char> buffer(kMostFrameBytes);
  for (;;) {
    const ssize_t size = read(ports_[from], buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return absl::OkStatus();
    if (size < 0) return error("port of host {}: {}", from, strerror(errno));
    if (size < kFrameHeaderBytes + kEthernetAddressBytes) continue;
    const double now = secondsNow();
    const int64_t to =
        destinationOf(reinterpret_cast<const unsigned char*>(buffer.data()) +
                      kFrameHeaderBytes);
    const auto numHosts = static_cast<int64_t>(ports_.size());
    for (int64_t host = 0; host < numHosts; ++host) {
      if (host == from || (to >= 0 && host != to)) continue;
      send(from, host, buffer.data(), size, now);
    }
  }
}

void Switch::send(int64_t from, int64_t to, const char* bytes, int64_t size,
                  double now) {
  Frame frame;
  frame.time = wires_.leave(from, size - kFrameHeaderBytes, now);
  frame.number = numFrames_++;
  frame.to = to;
  frame.bytes.assign(bytes, bytes + size);
  add(std::move(frame));
}

void Switch::add(Frame frame) {
  frames_.push_back(std::move(frame));
  std::push_heap(frames_.begin(), frames_.end(), IsLater());
}

Switch::Frame Switch::takeEarliest() {
  std::pop_heap(frames_.begin(), frames_.end(), IsLater());
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  return frame;
}

// Moves every frame whose time has come to its last wire, or to its host.
void Switch::moveFrames() {
  while (!frames_.empty() && frames_.front().time <= secondsNow()) {
    Frame frame = takeEarliest();
    const auto size = static_cast<int64_t>(frame.bytes.size());
    if (!frame.isOnLastWire) {
      frame.isOnLastWire = true;
      frame.time =
          wires_.deliver(frame.to, size - kFrameHeaderBytes, frame.time);
      add(std::move(frame));
    } else if (write(ports_[frame.to], frame.bytes.data(), size) < 0) {
      // The interface is down or overrun: the frame is lost, as in a real
      // network.
    }
  }
}

// Blocks until a frame's time has come, a host sends, or `wakeUp` can be read.
absl::Status Switch::sleep(int wakeUp, bool& isAwoken) const {
  std::vector<pollfd> files;
  for (int port : ports_) files.push_back({port, POLLIN, 0});
  files.push_back({wakeUp, POLLIN, 0});
  timespec timeout = {};
  if (!frames_.empty()) {
    timeout = timespecOf(std::max(frames_.front().time - secondsNow(), 0.0));
  }
  const int numReady = ppoll(files.data(), files.size(),
                             frames_.empty() ? nullptr : &timeout, nullptr);
  if (numReady < 0 && errno != EINTR)
    return error("ppoll: {}", strerror(errno));
  isAwoken = numReady > 0 && files.back().revents != 0;
  return absl::OkStatus();
}

}  // namespace sbp::emulation
