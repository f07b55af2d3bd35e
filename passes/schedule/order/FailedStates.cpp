#include "passes/schedule/order/FailedStates.h"

#include <algorithm>
#include <utility>

namespace sbp::schedule {

FailedStates::FailedStates(const TaskGraph& graph)
    : mirrors_(PipeSymmetry(graph).mirrors()) {
  for (const PipeMirror& mirror : mirrors_) {
    std::vector<int64_t>& places = places_.emplace_back(mirror.queues.size());
    for (size_t i = 0; i < mirror.queues.size(); ++i)
      places[mirror.queues[i]] = static_cast<int64_t>(i);
  }
}

FailedStates::NamedState FailedStates::named(const SearchState& state) const {
  NamedState least;
  size_t chosen = 0;
  for (size_t i = 0; i < mirrors_.size(); ++i) {
    std::string begun;
    begun.reserve(2 * state.begun.size());
    for (int64_t queue : mirrors_[i].queues) {
      begun.push_back(static_cast<char>(state.begun[queue] & 255));
      begun.push_back(static_cast<char>(state.begun[queue] >> 8));
    }
    if (i > 0 && begun >= least.begun) continue;
    least.begun = std::move(begun);
    chosen = i;
  }
  least.entry.push_back(static_cast<int32_t>(state.left));
  for (int64_t worker : mirrors_[chosen].workers) {
    const int64_t queue = state.runningQueue[worker];
    least.entry.push_back(
        static_cast<int32_t>(queue < 0 ? -1 : places_[chosen][queue]));
    least.entry.push_back(static_cast<int32_t>(state.leftWhenFree[worker]));
  }
  return least;
}

bool FailedStates::isWorse(const Entry& state, const Entry& than) {
  if (state[0] > than[0]) return false;
  for (size_t i = 1; i < state.size(); i += 2) {
    // If the task that `than` still runs has ended, its results are there now.
    const bool isSame = than[i] < 0 || state[i] == than[i];
    if ((isSame ? state[i + 1] : state[0]) > than[i + 1]) return false;
  }
  return true;
}

bool FailedStates::isKnown(const SearchState& state) const {
  const NamedState name = named(state);
  const auto found = failed_.find(name.begun);
  return found != failed_.end() &&
         std::any_of(
             found->second.begin(), found->second.end(),
             [&](const Entry& each) { return isWorse(name.entry, each); });
}

void FailedStates::add(const SearchState& state) {
  NamedState name = named(state);
  std::vector<Entry>& entries = failed_[std::move(name.begun)];
  entries.erase(std::remove_if(entries.begin(), entries.end(),
                               [&](const Entry& each) {
                                 return isWorse(each, name.entry);
                               }),
                entries.end());
  entries.push_back(std::move(name.entry));
}

}  // namespace sbp::schedule
