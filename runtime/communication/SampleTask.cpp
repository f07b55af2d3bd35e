#include "runtime/communication/SampleTask.h"

#include <algorithm>
#include <utility>

namespace sbp::communication {
namespace {

using Kind = plan::CollectiveTask::Kind;

constexpr int64_t kElementBytes = 4;

int64_t alignedBytes(int64_t bytes) {
  return (bytes + plan::kBufferAlignment - 1) / plan::kBufferAlignment *
         plan::kBufferAlignment;
}

}  // namespace

int64_t sampleBytes(int64_t members, int64_t bytes) {
  const int64_t columns = std::max<int64_t>(bytes / kElementBytes / members, 1);
  return columns * members * kElementBytes;
}

int64_t sampleArenaBytes(int64_t bytes) {
  return 2 * alignedBytes(bytes) + 4096;
}

plan::CollectiveTask sampleTask(Kind kind, std::vector<int64_t> axes,
                                int64_t members, int64_t bytes,
                                bool isInPlace) {
  bytes = sampleBytes(members, bytes);
  const int64_t columns = bytes / kElementBytes / members;
  plan::CollectiveTask task;
  task.kind = kind;
  task.axes = std::move(axes);
  task.out = isInPlace ? 0 : alignedBytes(bytes);
  task.inShape = task.outShape = {members, columns};
  switch (kind) {
    case Kind::kReduceScatter:
      task.outShape[0] = 1;
      break;
    case Kind::kAllGather:
      task.inShape[0] = 1;
      break;
    case Kind::kAllToAll:
      // Gathers columns and splits rows, as boxings do.
      task.dim = 1;
      task.splitDim = 0;
      task.outShape = {1, columns * members};
      break;
    default:
      break;
  }
  return task;
}

}  // namespace sbp::communication
