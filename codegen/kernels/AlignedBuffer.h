// A buffer for an argument of a kernel that is run in this process.

#ifndef CODEGEN_KERNELS_ALIGNEDBUFFER_H_
#define CODEGEN_KERNELS_ALIGNEDBUFFER_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace sbp {

/// A buffer of `size` elements, aligned to 64 bytes as kernels may assume. It
/// lies between two guards of at least 256 bytes, which a kernel must not
/// change. At first each byte of the buffer has the value of the guards.
template <typename T>
class AlignedBuffer {
 public:
  explicit AlignedBuffer(int64_t size)
      : size_(size),
        memory_(static_cast<char*>(std::aligned_alloc(64, bytes())),
                &std::free) {
    std::memset(memory_.get(), kGuard, bytes());
  }

  T* data() const { return reinterpret_cast<T*>(memory_.get() + kGuardBytes); }
  int64_t size() const { return size_; }
  T& operator[](int64_t i) const { return data()[i]; }
  T* begin() const { return data(); }
  T* end() const { return data() + size_; }

  /// Whether the guards before the first and after the last element are
  /// unchanged.
  bool guardsAreIntact() const {
    auto isGuard = [](char c) { return c == kGuard; };
    return std::all_of(memory_.get(), memory_.get() + kGuardBytes, isGuard) &&
           std::all_of(reinterpret_cast<char*>(end()), memory_.get() + bytes(),
                       isGuard);
  }

 private:
  static constexpr int64_t kGuardBytes = 256;
  // A float of these bytes is NaN, so that results show if an element is read
  // before it is written.
  static constexpr char kGuard = '\xff';

  int64_t bytes() const {
    return (size_ * static_cast<int64_t>(sizeof(T)) + 2 * kGuardBytes + 63) /
           64 * 64;
  }

  int64_t size_;
  std::unique_ptr<char, decltype(&std::free)> memory_;
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_ALIGNEDBUFFER_H_
