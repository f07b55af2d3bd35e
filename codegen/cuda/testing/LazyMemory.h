// Memory that holds zeros, and is there only where somebody writes to it.

#ifndef CODEGEN_CUDA_TESTING_LAZYMEMORY_H_
#define CODEGEN_CUDA_TESTING_LAZYMEMORY_H_

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sbp::cuda {

class LazyMemory {
 public:
  /// Of `bytes` bytes, more than the machine has if need be. Ends the process
  /// where there are no addresses for it.
  explicit LazyMemory(int64_t bytes);
  LazyMemory(LazyMemory&& other) noexcept
      : begin_(std::exchange(other.begin_, nullptr)), bytes_(other.bytes_) {}
  LazyMemory& operator=(LazyMemory&&) = delete;
  ~LazyMemory();

  std::byte* begin() const { return begin_; }
  int64_t bytes() const { return bytes_; }

 private:
  std::byte* begin_;
  int64_t bytes_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_LAZYMEMORY_H_
