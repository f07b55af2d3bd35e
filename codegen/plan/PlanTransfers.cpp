#include "codegen/plan/PlanTransfers.h"

#include <algorithm>

#include "codegen/plan/Signature.h"

namespace sbp {
namespace {

/// Returns the number of runs of task `index` of `list`.
int64_t numRunsOf(int64_t index, const TaskList& list) {
  for (const ListedLoop& loop : list.loops)
    if (index >= loop.first && index < loop.last)
      return numRunsOf(loop, list.tasks[index].block);
  return 1;
}

FailureOr<plan::Transfer> planTransfer(rank::TransferOp op,
                                       PlanGroups& groups) {
  std::string name = op.getSymName().str();
  auto endOf = [&](Type type) {
    return wholeTensor(op, name, llvm::cast<RankedTensorType>(type), groups);
  };
  FailureOr<plan::Tensor> source = endOf(op.getSource());
  FailureOr<plan::Tensor> target = endOf(op.getTarget());
  if (failed(source) || failed(target)) return failure();
  return plan::Transfer{std::move(*source), std::move(*target), /*times=*/0};
}

}  // namespace

LogicalResult PlanTransfers::add(size_t entry, const TaskList& list) {
  if (entry >= entries_.size()) entries_.resize(entry + 1);
  EntryTransfers& own = entries_[entry];
  std::vector<int64_t> sent(own.transfers.size());
  std::vector<int64_t> received(own.transfers.size());
  for (auto [index, task] : llvm::enumerate(list.tasks)) {
    if (!task.end) continue;
    rank::TransferOp transfer = rank::transferOf(task.op);
    auto [number, isNew] =
        own.numbers.try_emplace(transfer, own.transfers.size());
    if (isNew) {
      FailureOr<plan::Transfer> planned = planTransfer(transfer, groups_);
      if (failed(planned)) return failure();
      own.transfers.push_back(std::move(*planned));
      sent.push_back(0);
      received.push_back(0);
    }
    // A rank that is at both ends starts both, so the two are counted apart.
    using Kind = plan::TransferTask::Kind;
    int64_t count = numRunsOf(static_cast<int64_t>(index), list);
    if (task.end->kind == Kind::kStartSend) sent[number->second] += count;
    if (task.end->kind == Kind::kStartReceive)
      received[number->second] += count;
  }
  for (auto [transfer, ofSends, ofReceives] :
       llvm::zip(own.transfers, sent, received))
    if (transfer.times == 0) transfer.times = std::max(ofSends, ofReceives);
  return success();
}

int64_t PlanTransfers::numberOf(size_t entry, Operation* op) const {
  return entries_[entry].numbers.lookup(rank::transferOf(op));
}

std::vector<plan::Transfer> PlanTransfers::take(size_t entry) {
  if (entry >= entries_.size()) return {};
  return std::move(entries_[entry].transfers);
}

}  // namespace sbp
