// Tasks of a plan: kernels, collectives, and the ends of transfers.

#ifndef RUNTIME_PLAN_TASKS_H_
#define RUNTIME_PLAN_TASKS_H_

#include <cstdint>
#include <variant>
#include <vector>

#include "runtime/plan/Tensor.h"

namespace sbp::plan {

/// Runs kernel `kernel` (an index into Plan::kernels). `buffers` has the
/// buffers of its operands, then of its results, then of its scratch memory, if
/// the kernel needs any. A result may have the same buffer as an operand.
struct KernelTask {
  int64_t kernel = 0;
  std::vector<int64_t> buffers;
  int64_t call = 0;  // index into EntryProgram::calls
};

/// A collective, or a local step of a boxing that depends on the rank's
/// coordinates. The members are the rank that runs the task and the other ranks
/// of its group that have the same coordinates on all axes not in `axes`.
/// Members are numbered row-major over `axes`, the first axis outermost.
///
/// A dimension that is split over `axes` is cut into parts for the first axis,
/// each of these into parts for the second axis, and so on, as Box.h describes.
/// `part [me]` is the part of the member that runs the task.
///
///   kAllReduce      out = reduction of all members' `in`
///   kAllGather      out = all members' `in`, concatenated along `dim`
///   kReduceScatter  out = part [me] along `dim` of the reduction of all
///                   members' `in`
///   kAllToAll       `in` is whole along splitDim and a part along dim;
///                   `out` is a part along splitDim and whole along dim
///   kHaloExchange   out = part [me] of `extent` along `dim`, with the `low`
///                   elements before it and the `high` elements after it;
///                   beyond the ends, the reduction's identity
///   kSlice          out = part [me] along `dim` of `in`
///   kPad            out = `in` at part [me] along `dim`, elsewhere the
///                   reduction's identity
///   kToPartial      out = `in` on member 0, on others the reduction's identity
///   kOffset         out (an i64 scalar) = the begin of part [me] of `extent`
struct CollectiveTask {
  enum class Kind {
    kAllReduce,
    kAllGather,
    kReduceScatter,
    kAllToAll,
    kHaloExchange,
    kSlice,
    kPad,
    kToPartial,
    kOffset,
  };
  Kind kind = Kind::kAllReduce;
  std::vector<int64_t> axes;  // of the group, ascending
  ElementType elementType = ElementType::kF32;
  ReductionKind reduction = ReductionKind::kSum;
  // The next five fields are used only by the kinds whose description above
  // names them.
  int64_t dim = 0;
  int64_t splitDim = 0;
  int64_t extent = 0;
  int64_t low = 0;
  int64_t high = 0;
  std::vector<int64_t> inShape;   // local shape
  std::vector<int64_t> outShape;  // local shape
  int64_t in = 0;                 // buffer; kOffset reads none
  // Buffer. A kAllReduce or kToPartial may have out == in, on all members or
  // only on some. In all other cases the two buffers do not overlap.
  int64_t out = 0;
  int64_t call = 0;   // index into EntryProgram::calls
  int64_t group = 0;  // index into Plan::groups
  /// Number of the bucket, or -1 for a collective outside buckets. Consecutive
  /// collectives with the same bucket number run as one collective, and share
  /// messages: between hosts, a member sends each other member at most one
  /// message per phase (communication/Collective.h). The collectives of a
  /// bucket have the same kind, which must not be local (isLocal), and the same
  /// axes, group, element type and reduction. No collective of a bucket reads
  /// or writes what another one of the bucket writes.
  int64_t bucket = -1;
};

/// Largest number of collectives in a bucket.
inline constexpr int64_t kMostInBucket = 1024;

/// Whether collectives of `kind` involve no other rank: their results depend
/// only on `in` and the rank's own coordinates.
bool isLocal(CollectiveTask::Kind kind);

/// The start or the finish of one end of a transfer. The two ends are the send
/// and the receive. A start never blocks. The sent tensor must keep its value
/// from the start to the finish of the send. The received tensor is in its
/// buffer after the finish of the receive; nothing else may use that buffer
/// between start and finish. A transfer runs at most once per micro-batch: a
/// task in a loop belongs to the run for the current micro-batch, a task
/// outside loops to the run for micro-batch 0.
struct TransferTask {
  enum class Kind { kStartSend, kFinishSend, kStartReceive, kFinishReceive };
  Kind kind = Kind::kStartSend;
  int64_t transfer = 0;  // index into Entry::transfers
  int64_t buffer = 0;
  int64_t call = 0;  // index into EntryProgram::calls
};

/// Whether `kind` is a finish.
inline bool isFinish(TransferTask::Kind kind) {
  return kind == TransferTask::Kind::kFinishSend ||
         kind == TransferTask::Kind::kFinishReceive;
}

using Task = std::variant<KernelTask, CollectiveTask, TransferTask>;

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_TASKS_H_
