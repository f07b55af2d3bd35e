#include "runtime/cuda/check/Costs.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "runtime/cuda/Image.h"
#include "runtime/cuda/PeerBoard.h"
#include "runtime/cuda/Stream.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

/// A kernel that does nothing, for every chip that is supported.
constexpr const char kNothing[] = R"(// plan none
.version 7.0
.target sm_80
.address_size 64
.visible .entry nothing() { ret; }
)";

constexpr int kRepetitions = 5;
/// Number of operations of which one repetition measures the time. Streams hold
/// about a thousand before the host has to wait.
constexpr int kOperations = 500;
constexpr int64_t kCopyBytes = int64_t{64} << 20;

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// Memory of the GPU, pinned memory, and two streams to measure with.
class CostMeter {
 public:
  CostMeter(const Gpu& gpu, const Launch& nothing,
            absl::Span<const Address> arguments, Stream first, Stream second,
            PeerBoard board)
      : gpu_(gpu),
        nothing_(nothing),
        arguments_(arguments),
        first_(std::move(first)),
        second_(std::move(second)),
        board_(std::move(board)) {}

  ~CostMeter() {
    gpu_.free(memory_);
    if (pinned_) gpu_.driver().memFreeHost(pinned_);
  }

  absl::StatusOr<std::vector<Cost>> measure() {
    SBP_ASSIGN_OR_RETURN(memory_, gpu_.allocate(kCopyBytes));
    SBP_RETURN_IF_ERROR(gpu_.driver().check(
        gpu_.driver().memHostAlloc(&pinned_, kCopyBytes, 0), "cuMemHostAlloc"));
    SBP_RETURN_IF_ERROR(launches());
    SBP_RETURN_IF_ERROR(graphs());
    SBP_RETURN_IF_ERROR(events());
    SBP_RETURN_IF_ERROR(gates());
    SBP_RETURN_IF_ERROR(waits());
    SBP_RETURN_IF_ERROR(copies());
    return costs_;
  }

 private:
  absl::Status wait() {
    for (Stream* stream : {&first_, &second_})
      while (true) {
        SBP_ASSIGN_OR_RETURN(const bool isDone, stream->isDone());
        if (isDone) break;
      }
    return absl::OkStatus();
  }

  absl::Status launch(Stream& stream) {
    return stream.run(nothing_, arguments_, "nothing");
  }

  /// Adds the median of kRepetitions results of `once`, in seconds. The first
  /// one, before that, is not counted.
  template <typename Once>
  absl::Status add(const std::string& what, const Once& once) {
    std::vector<double> all;
    for (int i = 0; i <= kRepetitions; ++i) {
      SBP_ASSIGN_OR_RETURN(const double seconds, once());
      if (i > 0) all.push_back(seconds);
    }
    std::sort(all.begin(), all.end());
    costs_.push_back({what, all[all.size() / 2] * 1e6, "us"});
    return absl::OkStatus();
  }

  absl::Status launches() {
    SBP_RETURN_IF_ERROR(add("launch", [&]() -> absl::StatusOr<double> {
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < kOperations; ++i) SBP_RETURN_IF_ERROR(launch(first_));
      const double seconds = secondsSince(begin);
      SBP_RETURN_IF_ERROR(wait());
      return seconds / kOperations;
    }));
    return add("kernels", [&]() -> absl::StatusOr<double> {
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < kOperations; ++i) SBP_RETURN_IF_ERROR(launch(first_));
      SBP_RETURN_IF_ERROR(wait());
      return secondsSince(begin) / kOperations;
    });
  }

  /// Measures the time per kernel of launches in graphs.
  absl::Status graphs() {
    static const std::string kName = "nothing";
    first_.useGraphs();
    return add(kKernelInProgram, [&]() -> absl::StatusOr<double> {
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < kOperations; ++i)
        SBP_RETURN_IF_ERROR(first_.collect(nothing_, arguments_, kName));
      SBP_RETURN_IF_ERROR(wait());
      return secondsSince(begin) / kOperations;
    });
  }

  absl::Status events() {
    return add("events", [&]() -> absl::StatusOr<double> {
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < kOperations / 2; ++i) {
        SBP_RETURN_IF_ERROR(launch(first_));
        SBP_RETURN_IF_ERROR(second_.follow(first_));
        SBP_RETURN_IF_ERROR(launch(second_));
        SBP_RETURN_IF_ERROR(first_.follow(second_));
      }
      SBP_RETURN_IF_ERROR(wait());
      return secondsSince(begin) / kOperations;
    });
  }

  absl::Status gates() {
    if (!gpu_.canWaitForMemory()) return absl::OkStatus();
    const Address word = board_.at(BoardLayout::kCommunicationWaits);
    return add("gate", [&]() -> absl::StatusOr<double> {
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < kOperations / 4; ++i) {
        std::vector<MemoryOp> operations = {
            {MemoryOp::kWrite32, word, ++count_},
            {MemoryOp::kWait32, word, count_}};
        SBP_RETURN_IF_ERROR(first_.perform(operations));
      }
      SBP_RETURN_IF_ERROR(wait());
      return secondsSince(begin) / (kOperations / 4);
    });
  }

  absl::Status waits() {
    return add("wait", [&]() -> absl::StatusOr<double> {
      const auto begin = std::chrono::steady_clock::now();
      SBP_RETURN_IF_ERROR(launch(first_));
      SBP_RETURN_IF_ERROR(wait());
      return secondsSince(begin);
    });
  }

  absl::Status copies() {
    SBP_RETURN_IF_ERROR(addRate("to GPU", [&] {
      return first_.copyFromHost(memory_, pinned_, kCopyBytes);
    }));
    SBP_RETURN_IF_ERROR(addRate("to host", [&] {
      return first_.copyToHost(pinned_, memory_, kCopyBytes);
    }));
    return addRate("fill", [&] { return first_.clear(memory_, kCopyBytes); });
  }

  /// Adds the rate of `move`, which moves kCopyBytes bytes.
  absl::Status addRate(const std::string& what,
                       const std::function<absl::Status()>& move) {
    SBP_RETURN_IF_ERROR(add(what, [&]() -> absl::StatusOr<double> {
      const auto begin = std::chrono::steady_clock::now();
      SBP_RETURN_IF_ERROR(move());
      SBP_RETURN_IF_ERROR(wait());
      return secondsSince(begin);
    }));
    Cost& cost = costs_.back();
    cost.value = static_cast<double>(kCopyBytes) / (cost.value * 1e-6) / 1e9;
    cost.unit = "GB/s";
    return absl::OkStatus();
  }

  const Gpu& gpu_;
  const Launch nothing_;
  const absl::Span<const Address> arguments_;
  Stream first_, second_;
  const PeerBoard board_;
  uint32_t count_ = 0;
  Address memory_ = 0;
  void* pinned_ = nullptr;
  std::vector<Cost> costs_;
};

}  // namespace

absl::StatusOr<std::vector<Cost>> measureCosts(
    const Gpu& gpu, const Launch& nothing,
    absl::Span<const Address> arguments) {
  SBP_ASSIGN_OR_RETURN(Stream first, Stream::create(gpu));
  SBP_ASSIGN_OR_RETURN(Stream second, Stream::create(gpu));
  SBP_ASSIGN_OR_RETURN(PeerBoard board,
                       PeerBoard::allocate(BoardLayout(), gpu));
  return CostMeter(gpu, nothing, arguments, std::move(first), std::move(second),
                   std::move(board))
      .measure();
}

absl::StatusOr<std::vector<Cost>> measureCosts(Gpu& gpu) {
  SBP_RETURN_IF_ERROR(gpu.load({{"sm_80", kNothing}}));
  SBP_ASSIGN_OR_RETURN(const Function nothing, gpu.find("nothing"));
  return measureCosts(gpu, {nothing, 1, 32}, {});
}

}  // namespace sbp::cuda
