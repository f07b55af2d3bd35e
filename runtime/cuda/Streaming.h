// Choices of how a GPU's work is started.

#ifndef RUNTIME_CUDA_STREAMING_H_
#define RUNTIME_CUDA_STREAMING_H_

namespace sbp::cuda {

/// How a rank starts work on its GPU. The results do not depend on it.
struct Streaming {
  bool isSingle = false;   // all work runs in one stream
  bool usesGraphs = true;  // launches that recur are started as CUDA graphs
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_STREAMING_H_
