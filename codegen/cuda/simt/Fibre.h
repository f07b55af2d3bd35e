// A thread of execution that stops and goes on only where it says so itself.
//
// It costs a switch of stacks, some ten instructions, where a thread of the
// operating system costs a thousand times as much: a block of a GPU has up to a
// thousand threads, which meet at every barrier.

#ifndef CODEGEN_CUDA_SIMT_FIBRE_H_
#define CODEGEN_CUDA_SIMT_FIBRE_H_

#include <cstddef>
#include <memory>

namespace sbp::cuda::simt {

class Fibre {
 public:
  Fibre();

  /// Makes the fibre begin anew with `body` when it is resumed. What it did
  /// before is forgotten, wherever it stands: nothing on its stack is
  /// destroyed.
  void restart(void (*body)(void* context), void* context);

  /// Runs the fibre until it pauses or ends. Not to be called of one that has
  /// ended, nor by a fibre.
  void resume();

  /// Returns to who has resumed the fibre, which calls this.
  void pause();

  bool hasEnded() const { return hasEnded_; }

 private:
  static void enter();

  std::unique_ptr<std::byte[]> stack_;
  void* own_ = nullptr;    // stack pointers: of the fibre,
  void* other_ = nullptr;  // and of who has resumed it
  void (*body_)(void*) = nullptr;
  void* context_ = nullptr;
  bool hasEnded_ = true;
};

}  // namespace sbp::cuda::simt

#endif  // CODEGEN_CUDA_SIMT_FIBRE_H_
