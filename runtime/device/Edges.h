// The order between runs of tasks in several streams.
//
// A stream runs its tasks in order; streams run side by side. Results are those
// of one stream if each run waits for all earlier runs of other streams that
// access the same memory, unless both only read. Most of these waits follow
// from others:
//
//   compute       produce g ----> ... produce h ----> ...  update
//                          \                  \              ^
//   communicate             reduce g           reduce h -----'
//
// The update reads both sums, but waits for the second one only: it comes after
// the first.
//
// Buffers depend on the step and the micro-batch, so the waits are found as
// runs are started, from the bytes that they access.

#ifndef RUNTIME_DEVICE_EDGES_H_
#define RUNTIME_DEVICE_EDGES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "absl/types/span.h"
#include "runtime/device/Access.h"

namespace sbp::device {

/// A wait for a run of another stream. Runs of a stream are numbered from 1 on.
struct Edge {
  size_t stream = 0;
  int64_t run = 0;

  bool operator==(const Edge& other) const {
    return stream == other.stream && run == other.run;
  }
};

/// Finds the edges between runs. It belongs to one thread.
class Edges {
 public:
  explicit Edges(size_t numStreams);

  /// Adds a run to `stream`, after all runs so far. Returns the runs that it
  /// has to wait for: none that other edges, or the order of streams, imply.
  /// The result is valid until the next call.
  absl::Span<const Edge> add(size_t stream, absl::Span<const Access> accesses);

  /// Declares that all runs of `stream` so far have ended, and so have those
  /// that they waited for.
  void end(size_t stream);

  /// Returns the number of runs of `stream` so far.
  int64_t numRuns(size_t stream) const { return streams_[stream].numRuns; }

 private:
  /// The number of runs that have ended when something begins, by stream.
  using Clock = std::vector<int64_t>;

  struct Run {
    std::vector<Access> accesses;
    Access bounds;  // all that it accesses
    Clock ended;    // when it has ended
  };
  struct Stream {
    int64_t numRuns = 0;
    std::deque<Run> latest;  // the last runs; older ones are forgotten
    Clock ended;             // when its next run begins
  };

  /// Returns the last run of `other` that the run must wait for; 0 if there is
  /// none after the first `known` runs.
  int64_t findConflict(const Stream& other, int64_t known,
                       const Run& run) const;
  /// Returns what has ended when run `number` of `stream` has.
  Clock endedWith(const Stream& stream, size_t index, int64_t number) const;

  std::vector<Stream> streams_;
  std::vector<Edge> edges_;  // the result of add()
};

}  // namespace sbp::device

#endif  // RUNTIME_DEVICE_EDGES_H_
