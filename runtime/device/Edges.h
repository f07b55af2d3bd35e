// The order between runs of tasks in several streams.
//
// A stream runs its tasks in order; streams run side by side. The results are
// the same as with a single stream if each run waits for all earlier runs of
// other streams with which it conflicts: both access the same memory, and at
// least one of them writes. Most of these waits follow from others:
//
//   compute       produce g ----> ... produce h ----> ...  update
//                          \                  \              ^
//   communicate             reduce g           reduce h -----'
//
// The update reads the results of both reductions, but waits only for `reduce
// h`, because the stream that communicates runs `reduce g` before `reduce h`.
//
// The buffers of a task depend on the step and the micro-batch. So the waits
// are found when runs are started, from the bytes that they access.

#ifndef RUNTIME_DEVICE_EDGES_H_
#define RUNTIME_DEVICE_EDGES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "absl/types/span.h"
#include "runtime/device/Access.h"

namespace sbp::device {

/// A wait for run number `run` of stream `stream`. The runs of each stream are
/// numbered from 1 on.
struct Edge {
  size_t stream = 0;
  int64_t run = 0;

  bool operator==(const Edge& other) const {
    return stream == other.stream && run == other.run;
  }
};

/// Finds the edges between runs. An object belongs to one thread.
class Edges {
 public:
  explicit Edges(size_t numStreams);

  /// Adds a run to `stream`, after all runs so far. Returns the runs for which
  /// the new run has to wait. Leaves out a run for which the new run waits
  /// anyway, because of other edges or because of the order within a stream.
  /// The result is valid until the next call.
  absl::Span<const Edge> add(size_t stream, absl::Span<const Access> accesses);

  /// Declares that all runs of `stream` so far have ended. Then the runs for
  /// which they waited have ended too.
  void end(size_t stream);

  /// Returns the number of runs of `stream` so far.
  int64_t numRuns(size_t stream) const { return streams_[stream].numRuns; }

 private:
  /// A vector clock, which describes one moment: for each stream the number n
  /// such that runs 1 to n of the stream are known to have ended.
  using Clock = std::vector<int64_t>;

  /// A run of a task that has been added.
  struct Run {
    std::vector<Access> accesses;
    Access bounds;  // from the first byte accessed to the last
    Clock ended;    // at the moment when this run has ended
  };
  /// The runs of one stream.
  struct Stream {
    int64_t numRuns = 0;
    std::deque<Run> latest;  // the last runs; older ones are forgotten
    Clock ended;             // at the moment when its next run begins
  };

  /// Returns the number of the last run of stream `other` for which `run` must
  /// wait. Runs 1 to `known` are known to have ended; returns 0 if `run` need
  /// not wait for a later one.
  int64_t findConflict(const Stream& other, int64_t known,
                       const Run& run) const;
  /// Returns the clock of the runs that are known to have ended when run
  /// `number` of `stream`, the stream with index `index`, has ended.
  Clock endedWith(const Stream& stream, size_t index, int64_t number) const;

  std::vector<Stream> streams_;
  std::vector<Edge> edges_;  // the result of add()
};

}  // namespace sbp::device

#endif  // RUNTIME_DEVICE_EDGES_H_
