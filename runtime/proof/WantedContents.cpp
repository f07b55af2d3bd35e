#include "runtime/proof/WantedContents.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "runtime/plan/LoopRuns.h"

namespace sbp::proof {
namespace {

using plan::EntryValues;

/// The instance of a parameter's initial value.
constexpr int64_t kFirst = -1;

/// Returns the micro-batch whose result `carried` holds for micro-batch `time`;
/// nullopt for the first one.
std::optional<int64_t> timeBefore(const EntryValues::Carried& carried,
                                  int64_t time) {
  const std::vector<int64_t>& times = carried.times;
  if (times.empty()) return time > 0 ? std::optional(time - 1) : std::nullopt;
  const auto behind = std::lower_bound(times.begin(), times.end(), time);
  return behind == times.begin() ? std::nullopt
                                 : std::optional(*std::prev(behind));
}

}  // namespace

WantedContents::WantedContents(const plan::Plan& plan,
                               const plan::Program& program, size_t entry)
    : tasks_(program.entries[entry]),
      values_(tasks_.values),
      carriedAs_(values_.loopOf.size(), nullptr),
      lastTimes_(values_.loopOf.size(), 0) {
  for (const EntryValues::Loop& loop : values_.loops)
    for (const EntryValues::Carried& carried : loop.carried)
      carriedAs_[carried.value] = &carried;
  for (const plan::Loop& loop : tasks_.loops)
    mostTimes_ = std::max(mostTimes_, loop.times + 1);
  findLastTimes();
  findVersions(plan, program);
}

void WantedContents::findLastTimes() {
  for (size_t value = 0; value < lastTimes_.size(); ++value)
    if (const int64_t home = values_.loopOf[value]; home >= 0)
      lastTimes_[value] = tasks_.loops[home].times - 1;
  for (const plan::Loop& loop : tasks_.loops) findLastTimesIn(loop);
  for (size_t i = 0; i < values_.loops.size(); ++i)
    for (const EntryValues::Carried& carried : values_.loops[i].carried)
      lastTimes_[carried.value] = carried.times.empty()
                                      ? tasks_.loops[i].times - 1
                                      : carried.times.back();
}

/// Finds the last micro-batch for which the tasks of `loop` make their values.
void WantedContents::findLastTimesIn(const plan::Loop& loop) {
  const std::vector<plan::Loop::Block> blocks = plan::blocksOf(loop);
  std::vector<int64_t> last(blocks.size(), 0);
  for (const plan::Loop::Run& run : plan::runsOf(loop))
    last[run.block] = std::max(last[run.block], run.time);
  for (size_t block = 0; block < blocks.size(); ++block) {
    if (blocks[block].isOnce) continue;
    for (int64_t i = blocks[block].first; i < blocks[block].last; ++i)
      for (int64_t value : values_.tasks[i].written)
        if (value >= 0) lastTimes_[value] = last[block];
  }
}

void WantedContents::findVersions(const plan::Plan& plan,
                                  const plan::Program& program) {
  for (const EntryValues::Parameter& parameter : values_.parameters)
    versions_[parameter.before] = {&parameter, &parameter, 0};
  using ByAge = std::map<int64_t, const EntryValues::Parameter*>;
  std::map<int64_t, ByAge> known;  // by parameter
  for (size_t i = 0; i < plan.parameters.size(); ++i)
    if (const auto* own = parameterAt(program.parameters[i])) {
      const auto& earlier = plan.parameters[i].earlier;
      known[earlier ? earlier->parameter : static_cast<int64_t>(i)]
           [earlier ? earlier->steps : 0] = own;
    }
  // An update overwrites the oldest version with the newest value.
  for (const auto& [parameter, byAge] : known)
    for (const auto& [steps, own] : byAge)
      versions_[own->before] = {byAge.begin()->second, byAge.rbegin()->second,
                                steps};
}

const EntryValues::Parameter* WantedContents::parameterAt(
    int64_t buffer) const {
  for (const EntryValues::Parameter& parameter : values_.parameters)
    if (parameter.buffer == buffer) return &parameter;
  return nullptr;
}

/// Returns the instance that `version` holds in step `step`: the result of an
/// update, or the initial value.
Content WantedContents::of(const Version& version, int64_t step) const {
  const int64_t updatedBy = step - version.before - 1;
  const int64_t after = version.updated->after;
  if (updatedBy < 0 || after == version.updated->before)
    return {version.newest->before, kFirst};
  return of(after, updatedBy);
}

Content WantedContents::of(int64_t value, int64_t step) const {
  return of(value, step, /*loop=*/-1, /*time=*/0);
}

Content WantedContents::of(int64_t value, int64_t step,
                           const Place& place) const {
  const int64_t loop = values_.tasks[place.task].loop;
  if (loop < 0) return of(value, step);
  const std::vector<plan::Loop::Block>& blocks = tasks_.loops[loop].blocks;
  const bool isOfTime =
      loop == place.loop && (blocks.empty() || !blocks[place.block].isOnce);
  return of(value, step, loop, isOfTime ? place.time : lastTimes_[value]);
}

Content WantedContents::of(int64_t value, int64_t step, int64_t loop,
                           int64_t time) const {
  const auto inStep = [&](int64_t ofTime) {
    return step * mostTimes_ + ofTime;
  };
  while (true) {
    const int64_t home = values_.loopOf[value];
    if (home < 0) {
      const auto version = versions_.find(value);
      return version == versions_.end() ? Content{value, inStep(0)}
                                        : of(version->second, step);
    }
    const EntryValues::Carried* carried = carriedAs_[value];
    if (home != loop)
      time = carried ? tasks_.loops[home].times : lastTimes_[value];
    loop = home;
    if (!carried) return {value, inStep(time)};
    const std::optional<int64_t> before = timeBefore(*carried, time);
    if (!before) return {Content::kZeros, 0};
    value = carried->given;
    time = *before;
  }
}

}  // namespace sbp::proof
