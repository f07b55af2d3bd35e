#include "codegen/interpreter/Rendezvous.h"

namespace sbp::interpreter {

FailureOr<std::vector<Contribution>> Rendezvous::meet(
    ArrayRef<int64_t> members, const Contribution& mine) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (hasFailed_) return failure();
  Members key(members);
  std::shared_ptr<Meeting>& open = open_[key];
  if (!open) open = std::make_shared<Meeting>();
  std::shared_ptr<Meeting> meeting = open;
  meeting->arrived[mine.rank] = mine;

  if (meeting->arrived.size() == members.size()) {
    meeting->isComplete = true;
    open_.erase(key);
    numRunning_ += static_cast<int64_t>(members.size()) - 1;
    changed_.notify_all();
  } else {
    stopOne();
    changed_.wait(lock, [&] { return meeting->isComplete || hasFailed_; });
  }
  if (!meeting->isComplete) return failure();

  std::vector<Contribution> contributions;
  for (int64_t rank : members)
    contributions.push_back(meeting->arrived.at(rank));
  return contributions;
}

const Contribution* Rendezvous::posted(Attribute name, int64_t number,
                                       int64_t rank) const {
  auto found = posted_.find({name.getAsOpaquePointer(), number, rank});
  return found == posted_.end() ? nullptr : &found->second;
}

LogicalResult Rendezvous::post(Attribute name, int64_t number,
                               const Contribution& mine) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!posted_.try_emplace({name.getAsOpaquePointer(), number, mine.rank}, mine)
           .second)
    return mine.op->emitOpError()
           << "sends a second time what has the number " << number;
  llvm::erase_if(expectations_, [&](std::shared_ptr<Expectation>& expected) {
    expected->isMet = llvm::all_of(expected->ranks, [&](int64_t rank) {
      return posted(expected->name, expected->number, rank) != nullptr;
    });
    if (expected->isMet) ++numRunning_;
    return expected->isMet;
  });
  changed_.notify_all();
  return success();
}

FailureOr<std::vector<Contribution>> Rendezvous::collect(
    Attribute name, int64_t number, ArrayRef<int64_t> ranks, int64_t rank,
    Operation* op) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (hasFailed_) return failure();
  if (!llvm::all_of(ranks, [&](int64_t sender) {
        return posted(name, number, sender) != nullptr;
      })) {
    auto expected = std::make_shared<Expectation>(
        Expectation{name, number, Members(ranks), rank, op, false});
    expectations_.push_back(expected);
    stopOne();
    changed_.wait(lock, [&] { return expected->isMet || hasFailed_; });
    if (!expected->isMet) return failure();
  }
  std::vector<Contribution> contributions;
  for (int64_t sender : ranks)
    contributions.push_back(*posted(name, number, sender));
  return contributions;
}

void Rendezvous::leave() {
  std::lock_guard<std::mutex> lock(mutex_);
  stopOne();
}

void Rendezvous::fail() {
  std::lock_guard<std::mutex> lock(mutex_);
  hasFailed_ = true;
  changed_.notify_all();
}

void Rendezvous::stopOne() {
  --numRunning_;
  bool isAnyWaiting = !open_.empty() || !expectations_.empty();
  if (numRunning_ > 0 || !isAnyWaiting || hasFailed_) return;
  reportStandstill();
  hasFailed_ = true;
  changed_.notify_all();
}

void Rendezvous::reportStandstill() {
  std::map<int64_t, Operation*> waiting;
  for (const auto& [members, meeting] : open_)
    for (const auto& [rank, contribution] : meeting->arrived)
      waiting[rank] = contribution.op;

  for (const auto& expected : expectations_)
    waiting[expected->rank] = expected->op;

  // Of whoever waits first, who has not come.
  Members missing;
  auto [rank, op] = *waiting.begin();
  for (const auto& [members, meeting] : open_)
    if (meeting->arrived.count(rank))
      for (int64_t member : members)
        if (!meeting->arrived.count(member)) missing.push_back(member);
  for (const auto& expected : expectations_)
    if (expected->rank == rank)
      for (int64_t sender : expected->ranks)
        if (!posted(expected->name, expected->number, sender))
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
