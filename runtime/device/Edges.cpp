#include "runtime/device/Edges.h"

#include <algorithm>
#include <utility>

namespace sbp::device {
namespace {

/// Number of runs of a stream that are remembered. A run that might conflict
/// with older, forgotten runs waits for all of these.
constexpr int64_t kMostRuns = 4096;

void raise(std::vector<int64_t>& clock, const std::vector<int64_t>& other) {
  for (size_t i = 0; i < clock.size(); ++i)
    clock[i] = std::max(clock[i], other[i]);
}

Access boundsOf(absl::Span<const Access> accesses) {
  if (accesses.empty()) return {};
  int64_t begin = accesses.front().begin, end = begin;
  for (const Access& access : accesses) {
    begin = std::min(begin, access.begin);
    end = std::max(end, access.begin + access.bytes);
  }
  return {begin, end - begin, /*isWrite=*/true};
}

}  // namespace

Edges::Edges(size_t numStreams) : streams_(numStreams) {
  for (Stream& stream : streams_) stream.ended.assign(numStreams, 0);
}

int64_t Edges::findConflict(const Stream& other, int64_t known,
                            const Run& run) const {
  const int64_t numForgotten =
      other.numRuns - static_cast<int64_t>(other.latest.size());
  for (int64_t number = other.numRuns; number > known; --number) {
    if (number <= numForgotten) return number;
    const Run& earlier = other.latest[number - numForgotten - 1];
    if (!earlier.bounds.conflictsWith(run.bounds)) continue;
    for (const Access& theirs : earlier.accesses)
      for (const Access& ours : run.accesses)
        if (theirs.conflictsWith(ours)) return number;
  }
  return 0;
}

Edges::Clock Edges::endedWith(const Stream& stream, size_t index,
                              int64_t number) const {
  const int64_t numForgotten =
      stream.numRuns - static_cast<int64_t>(stream.latest.size());
  if (number > numForgotten)
    return stream.latest[number - numForgotten - 1].ended;
  Clock clock(streams_.size(), 0);
  clock[index] = number;
  return clock;
}

absl::Span<const Edge> Edges::add(size_t stream,
                                  absl::Span<const Access> accesses) {
  Stream& mine = streams_[stream];
  Run run = {{accesses.begin(), accesses.end()}, boundsOf(accesses), {}};
  std::vector<std::pair<Edge, Clock>> needed;
  for (size_t other = 0; other < streams_.size(); ++other) {
    if (other == stream) continue;
    const int64_t number =
        findConflict(streams_[other], mine.ended[other], run);
    if (number > 0)
      needed.push_back(
          {{other, number}, endedWith(streams_[other], other, number)});
  }
  edges_.clear();
  for (const auto& [edge, ended] : needed) {
    const bool isImplied = std::any_of(
        needed.begin(), needed.end(), [&, &edge = edge](const auto& other) {
          return !(other.first == edge) &&
                 other.second[edge.stream] >= edge.run;
        });
    if (!isImplied) edges_.push_back(edge);
    raise(mine.ended, ended);
  }
  run.ended = mine.ended;
  mine.ended[stream] = run.ended[stream] = ++mine.numRuns;
  mine.latest.push_back(std::move(run));
  if (static_cast<int64_t>(mine.latest.size()) > kMostRuns)
    mine.latest.pop_front();
  return edges_;
}

void Edges::end(size_t stream) {
  const Clock ended = streams_[stream].ended;
  for (Stream& other : streams_) raise(other.ended, ended);
  // Forgets the runs of which all other streams know that they have ended.
  for (size_t index = 0; index < streams_.size(); ++index) {
    Stream& of = streams_[index];
    int64_t known = of.numRuns;
    for (size_t other = 0; other < streams_.size(); ++other)
      if (other != index) known = std::min(known, streams_[other].ended[index]);
    while (!of.latest.empty() &&
           of.numRuns - static_cast<int64_t>(of.latest.size()) < known)
      of.latest.pop_front();
  }
}

}  // namespace sbp::device
