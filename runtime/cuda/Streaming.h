// Choices of how a GPU's work is started.

#ifndef RUNTIME_CUDA_STREAMING_H_
#define RUNTIME_CUDA_STREAMING_H_

namespace sbp::cuda {

/// Choices of a rank for its GPU. The results do not depend on them.
struct Streaming {
  bool isSingle = false;   // all work runs in one stream
  bool usesGraphs = true;  // launches that recur are started as CUDA graphs
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_STREAMING_H_
