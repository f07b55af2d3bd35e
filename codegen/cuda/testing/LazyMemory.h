// Zero-initialised memory whose pages are allocated when they are written.

#ifndef CODEGEN_CUDA_TESTING_LAZYMEMORY_H_
#define CODEGEN_CUDA_TESTING_LAZYMEMORY_H_

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sbp::cuda {

/// A range of such memory. Frees it when destroyed.
class LazyMemory {
 public:
  /// Maps `bytes` bytes, which may be more than the machine's memory. Ends the
  /// process if there is not enough address space.
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
