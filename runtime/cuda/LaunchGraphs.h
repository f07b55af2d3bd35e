// Launches that are started together, as CUDA graphs.
//
// To start a kernel takes the host about 4 us, and the GPU about 2 us in which
// it computes nothing. Small kernels take no longer than that. A CUDA graph of
// many launches is started by one call, and the GPU goes from one of its
// kernels to the next in less than 1 us.
//
// The steps of a training run start the same launches on the same buffers. So
// launches are collected until something else has to follow them in the stream.
// When the same launches have been collected a second time, a graph is made of
// them:
//
//   step 0   k1 k2 k3         k4 k5 k6           started one by one
//   step 1   k1 k2 k3         k4 k5 k6           recorded as two graphs
//   step 2   [k1 k2 k3]       [k4 k5 k6]         two calls
//                      reduce           reduce

#ifndef RUNTIME_CUDA_LAUNCHGRAPHS_H_
#define RUNTIME_CUDA_LAUNCHGRAPHS_H_

#include <cstddef>
#include <string>
#include <unordered_map>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/LaunchList.h"

namespace sbp::cuda {

/// Collects the launches of one stream, and starts them.
class LaunchGraphs {
 public:
  /// Constructs an object that starts launches in `stream`. The stream and the
  /// driver must outlive it.
  LaunchGraphs(const Driver& driver, StreamHandle stream)
      : driver_(driver), stream_(stream) {}

  LaunchGraphs(const LaunchGraphs&) = delete;
  LaunchGraphs& operator=(const LaunchGraphs&) = delete;

  /// Destroys the graphs.
  ~LaunchGraphs();

  /// Whether the driver has graphs: it has them from CUDA 11.4 on.
  static bool areSupported(const Driver& driver) {
    return driver.graphInstantiate != nullptr;
  }

  /// Collects `launch` (LaunchList::add). Starts all collected launches if they
  /// are many.
  absl::Status add(const Launch& launch, absl::Span<const Address> arguments,
                   const std::string& what);

  /// Starts the collected launches.
  absl::Status submit();

 private:
  /// Returns a new graph of the collected launches.
  absl::StatusOr<ExecutableGraph> makeGraph() const;

  const Driver& driver_;
  const StreamHandle stream_;
  LaunchList collected_;
  /// Lists that have been started, with their graphs. The graph is null if the
  /// list has been started once.
  std::unordered_map<LaunchList, ExecutableGraph, LaunchList::Hash> graphs_;
  size_t numRemembered_ = 0;  // launches of all lists in graphs_
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_LAUNCHGRAPHS_H_
