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
  if (numRunning_ > 0 || open_.empty() || hasFailed_) return;
  reportStandstill();
  hasFailed_ = true;
  changed_.notify_all();
}

void Rendezvous::reportStandstill() {
  std::map<int64_t, Operation*> waiting;
  for (const auto& [members, meeting] : open_)
    for (const auto& [rank, contribution] : meeting->arrived)
      waiting[rank] = contribution.op;

  const auto& [members, meeting] = *open_.begin();
  const Contribution& first = meeting->arrived.begin()->second;
  mlir::InFlightDiagnostic diagnostic = first.op->emitOpError()
                                        << "waits for ever: rank " << first.rank
                                        << " has come here";
  for (int64_t rank : members) {
    if (meeting->arrived.count(rank)) continue;
    auto found = waiting.find(rank);
    if (found == waiting.end())
      diagnostic.attachNote() << "rank " << rank << " has returned";
    else
      diagnostic.attachNote(found->second->getLoc())
          << "rank " << rank << " waits for others here";
  }
}

}  // namespace sbp::interpreter
