#include "test/properties/Choices.h"

#include <algorithm>
#include <cassert>

namespace sbp::properties {

int64_t Choices::below(int64_t bound) {
  assert(bound > 0 && "there is nothing to choose");
  size_t index = record_.size();
  int64_t answer = 0;
  if (random_)
    answer = random_->integer(index, 0, bound - 1);
  else if (index < replayed_.size())
    answer = std::clamp<int64_t>(replayed_[index], 0, bound - 1);
  record_.push_back(answer);
  return answer;
}

int64_t Choices::weighted(llvm::ArrayRef<int64_t> weights) {
  int64_t total = 0;
  for (int64_t weight : weights) total += weight;
  int64_t answer = below(total);
  int64_t index = 0;
  while (answer >= weights[index]) answer -= weights[index++];
  return index;
}

namespace {

class Shrinker {
 public:
  Shrinker(ChoiceRecord record,
           llvm::function_ref<bool(const ChoiceRecord&)> fails, int attempts)
      : best_(std::move(record)), fails_(fails), attemptsLeft_(attempts) {}

  ChoiceRecord run() {
    bool progress = true;
    while (progress && attemptsLeft_ > 0) {
      progress = false;
      for (size_t size = 32; size > 0; size /= 2) progress |= leaveOut(size);
      progress |= lower();
    }
    return best_;
  }

 private:
  bool attempt(ChoiceRecord record) {
    if (attemptsLeft_ == 0) return false;
    --attemptsLeft_;
    if (!fails_(record)) return false;
    best_ = std::move(record);
    return true;
  }

  /// Removes blocks of `size` answers, the last blocks first, because later
  /// answers depend on earlier ones.
  bool leaveOut(size_t size) {
    bool progress = false;
    for (size_t end = best_.size(); end >= size; --end) {
      ChoiceRecord shorter = best_;
      shorter.erase(shorter.begin() + (end - size), shorter.begin() + end);
      if (!attempt(std::move(shorter))) continue;
      progress = true;
      end = std::min(end, best_.size() + 1);
    }
    return progress;
  }

  bool lower() {
    bool progress = false;
    for (size_t index = 0; index < best_.size(); ++index)
      for (int64_t smaller : {int64_t{0}, best_[index] / 2, best_[index] - 1}) {
        if (index >= best_.size() || smaller < 0 || smaller >= best_[index])
          continue;
        ChoiceRecord lowered = best_;
        lowered[index] = smaller;
        progress |= attempt(std::move(lowered));
      }
    return progress;
  }

  ChoiceRecord best_;
  llvm::function_ref<bool(const ChoiceRecord&)> fails_;
  int attemptsLeft_;
};

}  // namespace

ChoiceRecord shrunk(ChoiceRecord record,
                    llvm::function_ref<bool(const ChoiceRecord&)> fails,
                    int attempts) {
  return Shrinker(std::move(record), fails, attempts).run();
}

}  // namespace sbp::properties
