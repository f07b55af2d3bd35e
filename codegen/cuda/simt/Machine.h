// Runs kernels of a GPU on this CPU, block by block: a fibre for each thread of
// a block, or one fibre for all of them where no thread waits for another.
//
// What threads of a block do between two barriers has no order on a GPU. Here
// it has one of several, which the caller chooses; in each of them, accesses
// of two threads to the same memory are seen that lack a barrier. Shared memory
// holds NaNs when a block begins, so that what nobody has written is seen. Each
// access to memory is checked to lie in a buffer of the kernel, in shared
// memory or in constant data, and to be as aligned as its instruction says.
//
// What is not told here: what the chip makes of approximate instructions.

#ifndef CODEGEN_CUDA_SIMT_MACHINE_H_
#define CODEGEN_CUDA_SIMT_MACHINE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "codegen/cuda/simt/Fibre.h"
#include "codegen/cuda/simt/HostCode.h"
#include "codegen/cuda/simt/Races.h"
#include "llvm/IR/Module.h"

namespace sbp::cuda::simt {

/// In which order threads of a block that can run do.
enum class Order {
  Ascending,   // each goes on to its next barrier or shuffle, then the next one
  Descending,  // the same from the last to the first
  WarpByWarp,  // a warp goes on to the next barrier before another one begins
};
inline constexpr Order kOrders[] = {Order::Ascending, Order::Descending,
                                    Order::WarpByWarp};

/// An argument of a kernel: a buffer in this process.
struct Buffer {
  void* begin = nullptr;
  int64_t bytes = 0;
};

/// An access of a thread to a buffer of its kernel.
struct Access {
  size_t buffer = 0;  // the number of the argument
  int64_t first = 0;  // byte
  int64_t bytes = 0;
  bool isStore = false;
  int64_t thread = 0;           // of its block
  const void* place = nullptr;  // in the code: of the instruction
};

/// Who is told of accesses.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void note(const Access& access) = 0;
};

class Machine {
 public:
  /// Takes the IR that becomes PTX (codegen/cuda/DeviceCode.h).
  static absl::StatusOr<std::unique_ptr<Machine>> load(
      const llvm::Module& kernels);

  /// Runs the kernel `name`, which exists, with `numBlocks` blocks of
  /// `numThreads` threads, a multiple of a warp's. Fails where a thread
  /// accesses memory that it must not, where two do so in no order, where those
  /// of a warp shuffle, or come to a barrier, at different places of the code,
  /// or where threads wait for one another for ever.
  absl::Status run(const std::string& name, int64_t numBlocks,
                   int64_t numThreads, const std::vector<Buffer>& buffers,
                   Order order);

  /// Runs block `block` alone, and tells `observer` of its accesses to buffers.
  /// Fails as run() does, but does not look for accesses in no order: that
  /// takes memory for each byte of the buffers.
  absl::Status observe(const std::string& name, int64_t block,
                       int64_t numThreads, const std::vector<Buffer>& buffers,
                       Observer& observer);

 private:
  enum class State { Ready, AtBarrier, InWarp, Ended };
  struct Thread {
    Fibre fibre;
    State state = State::Ready;
    int64_t number = 0;  // in its block
    uint64_t posted[2] = {0, 0};
    uint32_t mask = 0;
    int64_t numShuffles = 0;
    const void* waitsAt = nullptr;  // a place in the code
  };
  class Calls;  // what code of threads calls

  Machine() = default;

  absl::Status prepare(const std::string& name, int64_t numThreads,
                       const std::vector<Buffer>& buffers);
  void runThread();  // the body of a fibre
  absl::Status runBlock(Order order);
  absl::Status runLoneThreads(const std::vector<Thread*>& inOrder);
  bool runOnce(Thread& thread);
  bool releaseWarps();
  bool releaseBarrier();
  void checkTogether(const std::unique_ptr<Thread>* warp);
  std::string describeWaiting() const;
  void fail(std::string what);
  void wait(State state, const void* place);
  void checkAccess(const void* address, int64_t bytes, int64_t alignment,
                   bool isStore, const void* place);
  void noteAccess(size_t memory, int64_t first, int64_t bytes, bool isStore);
  std::string placeOf(const std::byte* address) const;
  std::string nameOf(size_t memory) const;
  uint64_t shuffle(uint32_t mask, uint64_t value, int64_t from,
                   const void* place);

  std::unique_ptr<HostCode> code_;
  std::vector<std::unique_ptr<Thread>> threads_;
  Thread* running_ = nullptr;
  Fibre* runs_ = nullptr;  // on which it runs
  Fibre ofLoneThreads_;
  // Of the run that is under way:
  const HostCode::Kernel* kernel_ = nullptr;
  std::vector<Buffer> buffers_;
  std::vector<void*> arguments_;  // where these begin
  std::vector<Races> races_;      // of the buffers, then of shared memory
  Observer* observer_ = nullptr;  // if there is one, nobody looks for races
  int64_t block_ = 0;
  int32_t interval_ = 0;  // so many barriers the block has passed
  int64_t numThreads_ = 0;
  std::string fault_;  // the first one; none: ""
};

}  // namespace sbp::cuda::simt

#endif  // CODEGEN_CUDA_SIMT_MACHINE_H_
