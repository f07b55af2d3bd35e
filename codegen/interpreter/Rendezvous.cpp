#include "codegen/interpreter/Rendezvous.h"

namespace sbp::interpreter {

FailureOr<std::vector<Contribution>> Rendezvous::exchange(
    ArrayRef<int64_t> members, const Contribution& mine) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (hasFailed_) return failure();
  Members key(members);
  std::shared_ptr<Exchange>& open = open_[key];
  if (!open) open = std::make_shared<Exchange>();
  std::shared_ptr<Exchange> current = open;
  current->arrived[mine.rank] = mine;

  if (current->arrived.size() == members.size()) {
    current->isComplete = true;
    open_.erase(key);
    numRunning_ += static_cast<int64_t>(members.size()) - 1;
    changed_.notify_all();
  } else {
    stopRunning();
    changed_.wait(lock, [&] { return current->isComplete || hasFailed_; });
  }
  if (!current->isComplete) return failure();

  std::vector<Contribution> contributions;
  for (int64_t rank : members)
    contributions.push_back(current->arrived.at(rank));
  return contributions;
}

const Contribution* Rendezvous::posted(Attribute name, int64_t microBatch,
                                       int64_t rank) const {
  auto found = posted_.find({name.getAsOpaquePointer(), microBatch, rank});
  return found == posted_.end() ? nullptr : &found->second;
}

LogicalResult Rendezvous::post(Attribute name, int64_t microBatch,
                               const Contribution& mine) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!posted_
           .try_emplace({name.getAsOpaquePointer(), microBatch, mine.rank},
                        mine)
           .second)
    return mine.op->emitOpError() << "sends the tensor of micro-batch "
                                  << microBatch << " a second time";
  llvm::erase_if(expectations_, [&](std::shared_ptr<Expectation>& expected) {
    expected->isMet = llvm::all_of(expected->ranks, [&](int64_t rank) {
      return posted(expected->name, expected->microBatch, rank) != nullptr;
    });
    if (expected->isMet) ++numRunning_;
    return expected->isMet;
  });
  changed_.notify_all();
  return success();
}

FailureOr<std::vector<Contribution>> Rendezvous::collect(
    Attribute name, int64_t microBatch, ArrayRef<int64_t> ranks, int64_t rank,
    Operation* op) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (hasFailed_) return failure();
  if (!llvm::all_of(ranks, [&](int64_t sender) {
        return posted(name, microBatch, sender) != nullptr;
      })) {
    auto expected = std::make_shared<Expectation>(
        Expectation{name, microBatch, Members(ranks), rank, op, false});
    expectations_.push_back(expected);
    stopRunning();
    changed_.wait(lock, [&] { return expected->isMet || hasFailed_; });
    if (!expected->isMet) return failure();
  }
  std::vector<Contribution> contributions;
  for (int64_t sender : ranks)
    contributions.push_back(*posted(name, microBatch, sender));
  return contributions;
}

void Rendezvous::leave() {
  std::lock_guard<std::mutex> lock(mutex_);
  stopRunning();
}

void Rendezvous::fail() {
  std::lock_guard<std::mutex> lock(mutex_);
  hasFailed_ = true;
  changed_.notify_all();
}

void Rendezvous::stopRunning() {
  --numRunning_;
  bool isAnyWaiting = !open_.empty() || !expectations_.empty();
  if (numRunning_ > 0 || !isAnyWaiting || hasFailed_) return;
  reportStandstill();
  hasFailed_ = true;
  changed_.notify_all();
}

void Rendezvous::reportStandstill() {
  std::map<int64_t, Operation*> waiting;
  for (const auto& [members, open] : open_)
    for (const auto& [rank, contribution] : open->arrived)
      waiting[rank] = contribution.op;

  for (const auto& expected : expectations_)
    waiting[expected->rank] = expected->op;

  // Finds the ranks that the lowest waiting rank waits for.
  Members missing;
  auto [rank, op] = *waiting.begin();
  for (const auto& [members, open] : open_)
    if (open->arrived.count(rank))
      for (int64_t member : members)
        if (!open->arrived.count(member)) missing.push_back(member);
  for (const auto& expected : expectations_)
    if (expected->rank == rank)
      for (int64_t sender : expected->ranks)
        if (!posted(expected->name, expected->microBatch, sender))
          missing.push_back(sender);

  mlir::InFlightDiagnostic diagnostic =
      op->emitOpError() << "waits for ever: rank " << rank << " has come here";
  for (int64_t other : missing) {
    auto found = waiting.find(other);
    if (found == waiting.end())
      diagnostic.attachNote() << "rank " << other << " has returned";
    else
      diagnostic.attachNote(found->second->getLoc())
          << "rank " << other << " waits for others here";
  }
}

}  // namespace sbp::interpreter
