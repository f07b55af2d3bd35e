#include "runtime/cuda/NcclSteps.h"

#include <algorithm>

#include "runtime/cuda/RowMover.h"
#include "runtime/plan/Tensor.h"

namespace sbp::cuda {
namespace {

using communication::Boxes;
using communication::Phase;
using communication::PreparedCollective;
using communication::RowCopy;
using communication::RowLayout;
using communication::RowShape;
using communication::TensorBox;
using Kind = plan::CollectiveTask::Kind;
using Memory = NcclPiece::Memory;

/// Alignment of pieces in memory aside, in bytes.
constexpr int64_t kAlignment = 256;

/// Returns the rows of `shape` without gaps, from `offset` on.
RowLayout packedAt(int64_t offset, const RowShape& shape) {
  RowLayout layout = communication::packedLayout(shape);
  layout.offset = offset;
  return layout;
}

/// Returns the shape of `bytes` contiguous bytes.
RowShape oneRow(int64_t bytes) {
  RowShape shape;
  shape.rowBytes = bytes;
  return shape;
}

class StepBuilder {
 public:
  explicit StepBuilder(const PreparedCollective& collective)
      : collective_(collective), phase_(collective.phases.front()) {}

  NcclSteps build() {
    if (numMembers() == 1) {
      keepOwnBoxes();
      return std::move(steps_);
    }
    switch (collective_.tensors.front().task.kind) {
      case Kind::kAllReduce:
        for (size_t i = 0; i < collective_.tensors.size(); ++i) allReduce(i);
        break;
      case Kind::kAllGather:
        for (size_t i = 0; i < collective_.tensors.size(); ++i) allGather(i);
        break;
      case Kind::kReduceScatter:
        for (size_t i = 0; i < collective_.tensors.size(); ++i)
          reduceScatter(i);
        break;
      default:
        keepOwnBoxes();
        exchange();
    }
    return std::move(steps_);
  }

 private:
  int64_t numMembers() const {
    return static_cast<int64_t>(collective_.members.size());
  }

  /// Reserves memory aside, and returns its offset.
  int64_t reserve(int64_t bytes) {
    const int64_t offset = steps_.asideBytes;
    steps_.asideBytes += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return offset;
  }

  /// Adds a job that copies rows of an operand to memory aside, at `offset`.
  void setAside(size_t tensor, const RowShape& shape, const RowLayout& rows,
                int64_t offset) {
    steps_.before.push_back(
        {shape,
         {RowMover::kAside, 0, packedAt(offset, shape)},
         {{RowMover::kMine, RowMover::inOf(tensor), rows}}});
  }

  /// Adds a job that copies rows from memory aside, at `offset`, to a result.
  void takeBack(size_t tensor, const RowShape& shape, const RowLayout& rows,
                int64_t offset) {
    steps_.after.push_back({shape,
                            {RowMover::kMine, RowMover::outOf(tensor), rows},
                            {{RowMover::kAside, 0, packedAt(offset, shape)}}});
  }

  /// Copies what a member takes from itself.
  void keepOwnBoxes() {
    for (const TensorBox& box : phase_.received[collective_.me].all) {
      const plan::CollectiveTask& task = collective_.tensors[box.tensor].task;
      if (task.in == task.out) continue;
      steps_.after.push_back(
          {box.rows.shape,
           {RowMover::kMine, RowMover::outOf(box.tensor), box.rows.destination},
           {{RowMover::kMine, RowMover::inOf(box.tensor), box.rows.source}}});
    }
  }

  /// Returns the boxes of `tensor`, by member. Boxes without bytes have an
  /// empty shape.
  static std::vector<RowCopy> boxesOf(size_t tensor,
                                      const std::vector<Boxes>& ofMembers) {
    std::vector<RowCopy> result;
    for (const Boxes& boxes : ofMembers) {
      RowCopy& rows = result.emplace_back();
      for (const TensorBox& box : boxes.all)
        if (box.tensor == tensor) rows = box.rows;
    }
    return result;
  }

  /// Whether the boxes follow each other without gaps from the start of a
  /// buffer on, `bytes` bytes each. `layoutOf` returns their rows there.
  template <typename LayoutOf>
  static bool areEvenAndDense(const std::vector<RowCopy>& boxes, int64_t bytes,
                              const LayoutOf& layoutOf) {
    for (size_t i = 0; i < boxes.size(); ++i) {
      const RowLayout& rows = layoutOf(boxes[i]);
      if (boxes[i].bytes() != bytes ||
          !communication::isContiguous(boxes[i].shape, rows) ||
          rows.offset != static_cast<int64_t>(i) * bytes)
        return false;
    }
    return true;
  }

  static int64_t largest(const std::vector<RowCopy>& boxes) {
    int64_t bytes = 0;
    for (const RowCopy& box : boxes) bytes = std::max(bytes, box.bytes());
    return bytes;
  }

  void allReduce(size_t index) {
    const plan::CollectiveTask& task = collective_.tensors[index].task;
    const int64_t bytes = collective_.tensors[index].inBytes;
    if (bytes == 0) return;
    NcclCall& call = steps_.calls.emplace_back();
    call.kind = NcclCall::Kind::kAllReduce;
    call.source = {Memory::kIn, index, 0};
    call.target = {Memory::kOut, index, 0};
    call.count = bytes / plan::byteWidth(task.elementType);
    call.type = ncclTypeOf(task.elementType);
    call.reduction = ncclReductionOf(task.reduction);
  }

  void allGather(size_t index) {
    const std::vector<RowCopy> boxes = boxesOf(index, phase_.received);
    const int64_t bytes = largest(boxes);
    if (bytes == 0) return;
    NcclCall call;
    call.kind = NcclCall::Kind::kAllGather;
    call.count = bytes;
    call.source = {Memory::kIn, index, 0};
    const bool isEven =
        std::all_of(boxes.begin(), boxes.end(),
                    [&](const RowCopy& box) { return box.bytes() == bytes; });
    if (!isEven) {
      call.source = {Memory::kAside, 0, reserve(bytes)};
      const int64_t mine = collective_.tensors[index].inBytes;
      if (mine > 0)
        setAside(index, oneRow(mine), RowLayout(), call.source.offset);
    }
    call.target = {Memory::kOut, index, 0};
    if (!areEvenAndDense(boxes, bytes,
                         [](const RowCopy& box) { return box.destination; })) {
      call.target = {Memory::kAside, 0, reserve(numMembers() * bytes)};
      for (size_t member = 0; member < boxes.size(); ++member)
        if (const RowCopy& box = boxes[member]; box.bytes() > 0)
          takeBack(index, box.shape, box.destination,
                   call.target.offset + static_cast<int64_t>(member) * bytes);
    }
    steps_.calls.push_back(call);
  }

  void reduceScatter(size_t index) {
    const std::vector<RowCopy> boxes = boxesOf(index, phase_.sent);
    const int64_t bytes = largest(boxes);
    if (bytes == 0) return;
    const plan::CollectiveTask& task = collective_.tensors[index].task;
    NcclCall call;
    call.kind = NcclCall::Kind::kReduceScatter;
    call.count = bytes / plan::byteWidth(task.elementType);
    call.type = ncclTypeOf(task.elementType);
    call.reduction = ncclReductionOf(task.reduction);
    call.source = {Memory::kIn, index, 0};
    if (!areEvenAndDense(boxes, bytes,
                         [](const RowCopy& box) { return box.source; })) {
      call.source = {Memory::kAside, 0, reserve(numMembers() * bytes)};
      for (size_t member = 0; member < boxes.size(); ++member)
        if (const RowCopy& box = boxes[member]; box.bytes() > 0)
          setAside(index, box.shape, box.source,
                   call.source.offset + static_cast<int64_t>(member) * bytes);
    }
    call.target = {Memory::kOut, index, 0};
    if (const int64_t mine = collective_.tensors[index].outBytes;
        mine < bytes) {
      call.target = {Memory::kAside, 0, reserve(bytes)};
      if (mine > 0)
        takeBack(index, oneRow(mine), RowLayout(), call.target.offset);
    }
    steps_.calls.push_back(call);
  }

  /// Adds a send of each box that another member takes, and a receive of each
  /// box that this one takes from another.
  void exchange() {
    for (int64_t member = 0; member < numMembers(); ++member) {
      if (member == collective_.me) continue;
      for (const TensorBox& box : phase_.sent[member].all) {
        const auto& [shape, source, destination] = box.rows;
        NcclCall& call = addMessage(NcclCall::Kind::kSend, member, box);
        call.source = {Memory::kIn, box.tensor, source.offset};
        if (communication::isContiguous(shape, source)) continue;
        call.source = {Memory::kAside, 0, reserve(shape.bytes())};
        setAside(box.tensor, shape, source, call.source.offset);
      }
      for (const TensorBox& box : phase_.received[member].all) {
        const auto& [shape, source, destination] = box.rows;
        NcclCall& call = addMessage(NcclCall::Kind::kReceive, member, box);
        call.target = {Memory::kOut, box.tensor, destination.offset};
        if (communication::isContiguous(shape, destination)) continue;
        call.target = {Memory::kAside, 0, reserve(shape.bytes())};
        takeBack(box.tensor, shape, destination, call.target.offset);
      }
    }
  }

  NcclCall& addMessage(NcclCall::Kind kind, int64_t peer,
                       const TensorBox& box) {
    NcclCall& call = steps_.calls.emplace_back();
    call.kind = kind;
    call.peer = static_cast<int>(peer);
    call.count = box.rows.bytes();
    return call;
  }

  const PreparedCollective& collective_;
  const Phase& phase_;
  NcclSteps steps_;
};

}  // namespace

NcclSteps ncclStepsOf(const PreparedCollective& collective) {
  return StepBuilder(collective).build();
}

NcclType ncclTypeOf(plan::ElementType type) {
  switch (type) {
    case plan::ElementType::kF32:
      return NcclType::kFloat32;
    case plan::ElementType::kBF16:
      return NcclType::kBFloat16;
    case plan::ElementType::kI32:
      return NcclType::kInt32;
    case plan::ElementType::kI64:
      return NcclType::kInt64;
    case plan::ElementType::kI1:
      return NcclType::kUint8;
  }
  return NcclType::kInt8;
}

NcclReduction ncclReductionOf(plan::ReductionKind reduction) {
  switch (reduction) {
    case plan::ReductionKind::kSum:
      return NcclReduction::kSum;
    case plan::ReductionKind::kMax:
      return NcclReduction::kMax;
    case plan::ReductionKind::kMin:
      return NcclReduction::kMin;
  }
  return NcclReduction::kSum;
}

}  // namespace sbp::cuda
