// A simulator that runs kernels of a GPU on this CPU, and checks them.
//
// It runs block after block. Each thread of a block is a fibre (Fibre.h); if no
// thread waits for another, one fibre runs them all in turn. The simulator
// reports
//
//   - a data race: two threads access the same memory, one of them stores, and
//     no barrier orders the accesses (RaceDetector.h);
//   - an access outside of the kernel's buffers, shared memory and constant
//     data, or one that is aligned less than its instruction says;
//   - threads of a warp that execute different shuffles or barriers together;
//   - threads that wait for one another for ever.
//
// A GPU runs the threads of a block in any order between two barriers. Here the
// caller chooses one of several orders. A race between two accesses is found in
// each order. Shared memory holds NaNs when a block begins, so that a read of
// memory that was not written shows in the results.
//
// The approximate instructions of a GPU are not simulated: load() fails.

#ifndef CODEGEN_CUDA_TESTING_SIMT_SIMULATOR_H_
#define CODEGEN_CUDA_TESTING_SIMT_SIMULATOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "codegen/cuda/testing/simt/Fibre.h"
#include "codegen/cuda/testing/simt/HostCode.h"
#include "codegen/cuda/testing/simt/RaceDetector.h"
#include "llvm/IR/Module.h"

namespace sbp::cuda::simt {

/// The order in which the threads of a block run.
enum class Order {
  Ascending,   // each up to its next barrier or shuffle, then the next thread
  Descending,  // the same, from the last thread to the first
  WarpByWarp,  // a warp up to its next barrier, then the next warp
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
  size_t buffer = 0;  // index of the kernel's argument
  int64_t first = 0;  // offset in the buffer, bytes
  int64_t bytes = 0;
  bool isStore = false;
  int64_t thread = 0;                 // index in its block
  const void* instruction = nullptr;  // address of the instruction in the code
};

/// Receives the accesses of a block to the buffers of its kernel.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void note(const Access& access) = 0;
};

/// The kernels of a module, ready to run.
class Simulator {
 public:
  /// Compiles `kernels`: the IR from which PTX is generated
  /// (codegen/cuda/DeviceCode.h). Fails if the IR calls a function that the
  /// simulator does not have, or cannot be compiled. Without checks, the first
  /// two errors above are not reported, and observe() must not be called.
  static absl::StatusOr<std::unique_ptr<Simulator>> load(
      const llvm::Module& kernels, Checks checks = Checks::All);

  /// Runs the kernel `name`, which must exist, with `numBlocks` blocks of
  /// `numThreads` threads. `buffers` are the arguments of the kernel. Fails
  /// with the first of the errors above that occurs, or if `numThreads` is not
  /// a multiple of 32, the size of a warp.
  absl::Status run(const std::string& name, int64_t numBlocks,
                   int64_t numThreads, const std::vector<Buffer>& buffers,
                   Order order);

  /// Runs only block `block` of `numBlocks`, in ascending order of threads, and
  /// reports its accesses to buffers to `observer`. Fails as run() does, but
  /// does not look for data races, because that takes memory for each byte of
  /// the buffers.
  absl::Status observe(const std::string& name, int64_t block,
                       int64_t numBlocks, int64_t numThreads,
                       const std::vector<Buffer>& buffers, Observer& observer);

 private:
  /// Whether a thread can run, waits at a barrier, waits at a shuffle for the
  /// threads of its warp, or has ended.
  enum class State { Ready, AtBarrier, InWarp, Ended };
  /// A thread of the block that is running.
  struct Thread {
    Fibre fibre;
    State state = State::Ready;
    int64_t number = 0;           // index in its block
    uint64_t posted[2] = {0, 0};  // values offered in the last two shuffles
    int64_t numShuffles = 0;
    const void* waitsAt = nullptr;  // address of the instruction in the code
  };
  class Calls;  // the functions simt.X that the code of threads calls

  Simulator() = default;

  absl::Status prepare(const std::string& name, int64_t numThreads,
                       const std::vector<Buffer>& buffers);
  void runThread();  // the body of a fibre
  absl::Status runBlock(Order order);
  absl::Status runIndependentThreads(const std::vector<Thread*>& inOrder);
  bool resumeIfReady(Thread& thread);
  bool releaseWarps();
  bool releaseBarrier();
  void checkConvergence(const std::unique_ptr<Thread>* warp);
  std::string describeWaiting() const;
  void fail(std::string what);
  void wait(State state, const void* instruction);
  void checkAccess(const void* address, int64_t bytes, int64_t alignment,
                   bool isStore, const void* instruction);
  void checkRace(size_t memory, int64_t first, int64_t bytes, bool isStore);
  std::string describeAddress(const std::byte* address) const;
  std::string nameOf(size_t memory) const;
  uint64_t shuffle(uint32_t mask, uint64_t value, int64_t from,
                   const void* instruction);

  Checks checks_ = Checks::All;
  std::unique_ptr<HostCode> code_;
  std::vector<std::unique_ptr<Thread>> threads_;
  Thread* running_ = nullptr;
  Fibre* runningFibre_ = nullptr;  // the fibre on which running_ runs
  Fibre loneThreadsFibre_;         // runs all threads if none waits for another
  // State of the current run:
  const HostCode::Kernel* kernel_ = nullptr;
  std::vector<Buffer> buffers_;
  std::vector<void*> arguments_;  // the addresses of the buffers
  // By memory: the buffers come first, then shared memory.
  std::vector<RaceDetector> raceDetectors_;
  Observer* observer_ = nullptr;  // if not null, races are not looked for
  int64_t block_ = 0;
  int64_t numBlocks_ = 0;
  int32_t interval_ = 0;  // number of barriers that the block has passed
  int64_t numThreads_ = 0;
  std::string fault_;  // the first error, or ""
};

}  // namespace sbp::cuda::simt

#endif  // CODEGEN_CUDA_TESTING_SIMT_SIMULATOR_H_
