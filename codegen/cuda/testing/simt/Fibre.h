// A fibre: a thread of execution that is scheduled cooperatively, and gives up
// the processor only where it calls pause().
//
// Resuming a fibre switches stacks, which takes 15 instructions; a switch to a
// thread of the operating system costs far more. A block of a GPU has up to a
// thousand threads, which wait for one another at every barrier.

#ifndef CODEGEN_CUDA_TESTING_SIMT_FIBRE_H_
#define CODEGEN_CUDA_TESTING_SIMT_FIBRE_H_

#include <cstddef>
#include <memory>

namespace sbp::cuda::simt {

/// One fibre, with a stack of its own.
class Fibre {
 public:
  /// Creates a fibre that has ended. restart() gives it something to run.
  Fibre();

  /// Makes the next resume() call `body` with `context`. If the fibre has not
  /// ended, its stack is discarded without running destructors.
  void restart(void (*body)(void* context), void* context);

  /// Runs the fibre until it pauses or ends. Must not be called on a fibre that
  /// has ended, nor from inside of any fibre.
  void resume();

  /// Suspends the fibre: returns to the caller of resume(). Must be called from
  /// inside of this fibre.
  void pause();

  bool hasEnded() const { return hasEnded_; }

 private:
  static void enter();

  std::unique_ptr<std::byte[]> stack_;
  void* own_ = nullptr;    // stack pointer of the fibre while it is suspended
  void* other_ = nullptr;  // stack pointer of the caller of resume()
  void (*body_)(void*) = nullptr;
  void* context_ = nullptr;
  bool hasEnded_ = true;
};

}  // namespace sbp::cuda::simt

#endif  // CODEGEN_CUDA_TESTING_SIMT_FIBRE_H_
