#include "codegen/cuda/testing/simt/Simulator.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fmt/format.h"

namespace sbp::cuda::simt {
namespace {

constexpr int64_t kWarp = 32;
constexpr uint32_t kWholeWarp = 0xffffffff;

/// The simulator that runs kernels on this thread of the process.
thread_local Simulator* simulator = nullptr;

}  // namespace

// ---- Functions that the code of threads calls -------------------------------

class Simulator::Calls {
 public:
  static std::vector<std::pair<std::string, void*>> all() {
    const auto of = [](auto* function) {
      return reinterpret_cast<void*>(function);
    };
    return {
        {"access", of(&access)},
        {"read.ptx.sreg.tid.x", of(&threadNumber)},
        {"read.ptx.sreg.ctaid.x", of(&blockNumber)},
        {"read.ptx.sreg.nctaid.x", of(&numBlocks)},
        {"barrier.cta.sync.aligned.all", of(&barrier)},
        {"barrier0", of(&barrier)},
        {"shfl.sync.bfly.f32", of(&butterfly<float>)},
        {"shfl.sync.bfly.i32", of(&butterfly<uint32_t>)},
        {"shfl.sync.idx.f32", of(&broadcast<float>)},
        {"shfl.sync.idx.i32", of(&broadcast<uint32_t>)},
    };
  }

 private:
  static void access(const void* address, int64_t bytes, int64_t alignment,
                     int32_t isStore) {
    simulator->checkAccess(address, bytes, alignment, isStore != 0,
                           __builtin_return_address(0));
  }
  static int32_t threadNumber() {
    return static_cast<int32_t>(simulator->running_->number);
  }
  static int32_t blockNumber() {
    return static_cast<int32_t>(simulator->block_);
  }
  static int32_t numBlocks() {
    return static_cast<int32_t>(simulator->numBlocks_);
  }
  static void barrier() {
    simulator->wait(State::AtBarrier, __builtin_return_address(0));
  }

  template <typename T>
  static T butterfly(uint32_t mask, T value, int32_t distance, int32_t) {
    const int64_t lane = simulator->running_->number % kWarp;
    return shuffled(mask, value, lane ^ distance, __builtin_return_address(0));
  }
  template <typename T>
  static T broadcast(uint32_t mask, T value, int32_t lane, int32_t) {
    return shuffled(mask, value, lane % kWarp, __builtin_return_address(0));
  }
  template <typename T>
  static T shuffled(uint32_t mask, T value, int64_t from,
                    const void* instruction) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(value));
    bits = simulator->shuffle(mask, bits, from, instruction);
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
};

// ---- Runs -------------------------------------------------------------------

absl::StatusOr<std::unique_ptr<Simulator>> Simulator::load(
    const llvm::Module& kernels, Checks checks) {
  absl::StatusOr<HostCode> loaded = HostCode::of(kernels, Calls::all(), checks);
  if (!loaded.ok()) return loaded.status();
  std::unique_ptr<Simulator> result(new Simulator());
  result->checks_ = checks;
  result->code_ = std::make_unique<HostCode>(std::move(*loaded));
  return result;
}

absl::Status Simulator::run(const std::string& name, int64_t numBlocks,
                            int64_t numThreads,
                            const std::vector<Buffer>& buffers, Order order) {
  if (absl::Status status = prepare(name, numThreads, buffers); !status.ok())
    return status;
  if (checks_ == Checks::All) {
    for (const Buffer& buffer : buffers)
      raceDetectors_.emplace_back(RaceDetector::Memory::Global, buffer.bytes);
    for (const HostCode::Memory& shared : kernel_->shared)
      raceDetectors_.emplace_back(RaceDetector::Memory::Shared, shared.bytes);
  }
  numBlocks_ = numBlocks;
  for (block_ = 0; block_ < numBlocks; ++block_)
    if (absl::Status status = runBlock(order); !status.ok())
      return absl::InternalError(fmt::format("{}, block {}: {}", name, block_,
                                             std::string(status.message())));
  return absl::OkStatus();
}

absl::Status Simulator::observe(const std::string& name, int64_t block,
                                int64_t numBlocks, int64_t numThreads,
                                const std::vector<Buffer>& buffers,
                                Observer& observer) {
  if (absl::Status status = prepare(name, numThreads, buffers); !status.ok())
    return status;
  block_ = block;
  numBlocks_ = numBlocks;
  observer_ = &observer;
  absl::Status status = runBlock(Order::Ascending);
  observer_ = nullptr;
  if (status.ok()) return status;
  return absl::InternalError(fmt::format("{}, block {}: {}", name, block_,
                                         std::string(status.message())));
}

/// Sets the state of a run, before the first block.
absl::Status Simulator::prepare(const std::string& name, int64_t numThreads,
                                const std::vector<Buffer>& buffers) {
  if (numThreads % kWarp != 0)
    return absl::InvalidArgumentError(fmt::format(
        "{} threads; a block has whole warps of {}", numThreads, kWarp));
  kernel_ = &(*code_)[name];
  buffers_ = buffers;
  arguments_.clear();
  for (const Buffer& buffer : buffers) arguments_.push_back(buffer.begin);
  raceDetectors_.clear();
  numThreads_ = numThreads;
  fault_.clear();
  while (static_cast<int64_t>(threads_.size()) < numThreads) {
    threads_.push_back(std::make_unique<Thread>());
    threads_.back()->number = static_cast<int64_t>(threads_.size()) - 1;
  }
  return absl::OkStatus();
}

void Simulator::runThread() { kernel_->run(arguments_.data()); }

/// Runs all threads of the current block until they end, or one fails.
absl::Status Simulator::runBlock(Order order) {
  // This pattern of bytes is a NaN in every float type.
  for (const HostCode::Memory& shared : kernel_->shared)
    std::memset(shared.begin, 0xff, shared.bytes);
  interval_ = 0;
  std::vector<Thread*> inOrder;
  for (int64_t i = 0; i < numThreads_; ++i) {
    Thread& thread = *threads_[i];
    thread.state = State::Ready;
    thread.numShuffles = 0;
    inOrder.push_back(&thread);
  }
  if (order == Order::Descending) std::reverse(inOrder.begin(), inOrder.end());
  simulator = this;
  if (kernel_->hasIndependentThreads) return runIndependentThreads(inOrder);
  for (Thread* thread : inOrder)
    thread->fibre.restart(
        [](void* self) { static_cast<Simulator*>(self)->runThread(); }, this);
  const size_t together = order == Order::WarpByWarp ? kWarp : inOrder.size();
  while (true) {
    bool hasRun = false;
    for (size_t first = 0; first < inOrder.size(); first += together) {
      bool goesOn = true;
      while (std::exchange(goesOn, false)) {
        for (size_t i = first; i < first + together; ++i) {
          goesOn |= resumeIfReady(*inOrder[i]);
          if (!fault_.empty()) return absl::InternalError(fault_);
        }
        goesOn |= releaseWarps();
        hasRun |= goesOn;
      }
    }
    if (std::all_of(inOrder.begin(), inOrder.end(), [](const Thread* thread) {
          return thread->state == State::Ended;
        }))
      return absl::OkStatus();
    if (!fault_.empty()) return absl::InternalError(fault_);
    if (!releaseBarrier() && !hasRun)
      return absl::InternalError(describeWaiting());
  }
}

/// Runs the threads of a block that do not wait for one another, one after the
/// other on a single fibre.
absl::Status Simulator::runIndependentThreads(
    const std::vector<Thread*>& inOrder) {
  struct IndependentThreads {
    Simulator& simulator;
    const std::vector<Thread*>& threads;
  } loneThreads{*this, inOrder};
  loneThreadsFibre_.restart(
      [](void* context) {
        auto& [simulator, threads] = *static_cast<IndependentThreads*>(context);
        for (Thread* thread : threads) {
          simulator.running_ = thread;
          simulator.runThread();
        }
      },
      &loneThreads);
  runningFibre_ = &loneThreadsFibre_;
  loneThreadsFibre_.resume();
  running_ = nullptr;
  return fault_.empty() ? absl::OkStatus() : absl::InternalError(fault_);
}

/// Resumes `thread` if it is ready; returns whether it is.
bool Simulator::resumeIfReady(Thread& thread) {
  if (thread.state != State::Ready) return false;
  running_ = &thread;
  runningFibre_ = &thread.fibre;
  thread.fibre.resume();
  running_ = nullptr;
  if (thread.fibre.hasEnded()) thread.state = State::Ended;
  return true;
}

/// Makes the threads of each warp ready if all of them wait at a shuffle.
/// Returns whether there is such a warp.
bool Simulator::releaseWarps() {
  bool isAny = false;
  for (int64_t first = 0; first < numThreads_; first += kWarp) {
    const auto begin = threads_.begin() + first, end = begin + kWarp;
    if (!std::all_of(begin, end, [](const auto& thread) {
          return thread->state == State::InWarp;
        }))
      continue;
    isAny = true;
    checkConvergence(&*begin);
    std::for_each(begin, end,
                  [](const auto& thread) { thread->state = State::Ready; });
  }
  return isAny;
}

/// Makes all threads of the block ready if all of them wait at a barrier.
/// Returns whether they do.
bool Simulator::releaseBarrier() {
  const auto begin = threads_.begin(), end = begin + numThreads_;
  if (!std::all_of(begin, end, [](const auto& thread) {
        return thread->state == State::AtBarrier;
      }))
    return false;
  for (int64_t first = 0; first < numThreads_; first += kWarp)
    checkConvergence(&threads_[first]);
  std::for_each(begin, end,
                [](const auto& thread) { thread->state = State::Ready; });
  ++interval_;
  return true;
}

/// Sets the fault if the threads of `warp`, all of which wait, wait at
/// different instructions.
void Simulator::checkConvergence(const std::unique_ptr<Thread>* warp) {
  for (int64_t lane = 1; lane < kWarp; ++lane)
    if (warp[lane]->waitsAt != warp[0]->waitsAt && fault_.empty())
      fault_ = fmt::format(
          "threads {} and {} of a warp come to different {} at once",
          warp[0]->number, warp[lane]->number,
          warp[0]->state == State::InWarp ? "shuffles" : "barriers");
}

/// Describes the states of the threads when none of them can run.
std::string Simulator::describeWaiting() const {
  std::array<int64_t, 4> counts = {}, first = {-1, -1, -1, -1};
  for (int64_t i = 0; i < numThreads_; ++i) {
    const auto state = static_cast<size_t>(threads_[i]->state);
    if (counts[state]++ == 0) first[state] = i;
  }
  const auto of = [](State state) { return static_cast<size_t>(state); };
  return fmt::format(
      "threads wait for ever: {} at a barrier (thread {} first), {} for their "
      "warp (thread {}), {} have ended (thread {})",
      counts[of(State::AtBarrier)], first[of(State::AtBarrier)],
      counts[of(State::InWarp)], first[of(State::InWarp)],
      counts[of(State::Ended)], first[of(State::Ended)]);
}

// ---- Threads ----------------------------------------------------------------

/// Suspends the running thread in `state` until it is made ready again.
void Simulator::wait(State state, const void* instruction) {
  running_->state = state;
  running_->waitsAt = instruction;
  running_->fibre.pause();
}

/// Sets the fault of the running thread, and suspends it for ever.
void Simulator::fail(std::string what) {
  if (fault_.empty())
    fault_ = fmt::format("thread {} {}", running_->number, what);
  runningFibre_->pause();
}

/// Fails unless an access of the running thread is aligned and inside of a
/// memory of the kernel; then reports it to the observer, or looks for races.
void Simulator::checkAccess(const void* address, int64_t bytes,
                            int64_t alignment, bool isStore,
                            const void* instruction) {
  const auto* begin = static_cast<const std::byte*>(address);
  const char* verb = isStore ? "stores" : "loads";
  if (reinterpret_cast<uintptr_t>(address) % alignment != 0)
    return fail(
        fmt::format("{} {} bytes at an address that is no multiple of {}", verb,
                    bytes, alignment));
  const auto holds = [&](const void* memory, int64_t size) {
    const auto* first = static_cast<const std::byte*>(memory);
    return begin >= first && begin + bytes <= first + size;
  };
  for (size_t i = 0; i < buffers_.size(); ++i) {
    if (!holds(buffers_[i].begin, buffers_[i].bytes)) continue;
    const int64_t first =
        begin - static_cast<const std::byte*>(buffers_[i].begin);
    if (!observer_) return checkRace(i, first, bytes, isStore);
    return observer_->note(
        {i, first, bytes, isStore, running_->number, instruction});
  }
  for (size_t i = 0; i < kernel_->shared.size(); ++i) {
    const HostCode::Memory& shared = kernel_->shared[i];
    if (!holds(shared.begin, shared.bytes)) continue;
    if (observer_) return;
    return checkRace(buffers_.size() + i, begin - shared.begin, bytes, isStore);
  }
  for (const HostCode::Memory& constant : code_->constants())
    if (!isStore && holds(constant.begin, constant.bytes)) return;
  fail(fmt::format("{} {} bytes {}", verb, bytes, describeAddress(begin)));
}

/// Records an access to memory number `memory`, and fails if it is in a race.
void Simulator::checkRace(size_t memory, int64_t first, int64_t bytes,
                          bool isStore) {
  const std::optional<Accessor> other = raceDetectors_[memory].note(
      first, bytes, isStore,
      {static_cast<int32_t>(block_), static_cast<int32_t>(running_->number),
       interval_});
  if (!other) return;
  fail(fmt::format(
      "{} {} bytes at byte {} of {}, which another one, thread {} of block {}, "
      "accesses with no barrier between them",
      isStore ? "stores" : "loads", bytes, first, nameOf(memory), other->thread,
      other->block));
}

/// Describes an address that is in no buffer, relative to the memory that
/// begins closest before it.
std::string Simulator::describeAddress(const std::byte* address) const {
  std::string place = "in no buffer";
  int64_t closest = INT64_MAX;
  const auto consider = [&](const void* begin, int64_t bytes,
                            const std::string& name) {
    const int64_t offset = address - static_cast<const std::byte*>(begin);
    if (offset < 0 || offset >= closest) return;
    closest = offset;
    place = fmt::format("at byte {} of {}, which has {}", offset, name, bytes);
  };
  for (size_t i = 0; i < buffers_.size(); ++i)
    consider(buffers_[i].begin, buffers_[i].bytes, nameOf(i));
  for (size_t i = 0; i < kernel_->shared.size(); ++i)
    consider(kernel_->shared[i].begin, kernel_->shared[i].bytes,
             nameOf(buffers_.size() + i));
  return place;
}

/// Returns the name, for errors, of memory number `memory`: the buffers come
/// first, then shared memory.
std::string Simulator::nameOf(size_t memory) const {
  return memory < buffers_.size() ? fmt::format("argument {}", memory)
                                  : "shared memory";
}

/// Returns the value that lane `from` of the running thread's warp passes to
/// the same shuffle. Blocks the thread until its whole warp is there.
uint64_t Simulator::shuffle(uint32_t mask, uint64_t value, int64_t from,
                            const void* instruction) {
  Thread& own = *running_;
  if (mask != kWholeWarp)
    fail(fmt::format("shuffles with the mask {:#x}, not with all of its warp",
                     mask));
  // Two slots alternate, so that a thread that is one shuffle ahead does not
  // overwrite a value that others have yet to read.
  const int64_t turn = own.numShuffles++ % 2;
  own.posted[turn] = value;
  wait(State::InWarp, instruction);
  return threads_[own.number / kWarp * kWarp + from]->posted[turn];
}

}  // namespace sbp::cuda::simt
