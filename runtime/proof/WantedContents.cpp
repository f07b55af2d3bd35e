#include "runtime/proof/WantedContents.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "runtime/plan/LoopRuns.h"

namespace sbp::proof {
namespace {

using plan::EntryValues;

/// The instance of a parameter's initial value.
constexpr int64_t kInitial = -1;

/// Returns the micro-batch whose result `carried` holds for micro-batch
/// `microBatch`; nullopt for the first one.
std::optional<int64_t> microBatchBefore(const EntryValues::Carried& carried,
                                        int64_t microBatch) {
  const std::vector<int64_t>& microBatches = carried.microBatches;
  if (microBatches.empty())
    return microBatch > 0 ? std::optional(microBatch - 1) : std::nullopt;
  const auto behind =
      std::lower_bound(microBatches.begin(), microBatches.end(), microBatch);
  return behind == microBatches.begin() ? std::nullopt
                                        : std::optional(*std::prev(behind));
}

}  // namespace

WantedContents::WantedContents(const plan::Plan& plan,
                               const plan::Program& program, size_t entry)
    : tasks_(program.entries[entry]),
      values_(tasks_.values),
      carriedAs_(values_.loopOf.size(), nullptr),
      lastMicroBatches_(values_.loopOf.size(), 0) {
  for (const EntryValues::Loop& loop : values_.loops)
    for (const EntryValues::Carried& carried : loop.carried)
      carriedAs_[carried.value] = &carried;
  for (const plan::Loop& loop : tasks_.loops)
    instancesPerStep_ = std::max(instancesPerStep_, loop.numMicroBatches + 1);
  findLastMicroBatches();
  findVersions(plan, program);
}

void WantedContents::findLastMicroBatches() {
  for (size_t value = 0; value < lastMicroBatches_.size(); ++value)
    if (const int64_t home = values_.loopOf[value]; home >= 0)
      lastMicroBatches_[value] = tasks_.loops[home].numMicroBatches - 1;
  for (const plan::Loop& loop : tasks_.loops) findLastMicroBatchesIn(loop);
  for (size_t i = 0; i < values_.loops.size(); ++i)
    for (const EntryValues::Carried& carried : values_.loops[i].carried)
      lastMicroBatches_[carried.value] =
          carried.microBatches.empty() ? tasks_.loops[i].numMicroBatches - 1
                                       : carried.microBatches.back();
}

/// Finds the last micro-batch for which the tasks of `loop` make their values.
void WantedContents::findLastMicroBatchesIn(const plan::Loop& loop) {
  const std::vector<plan::Loop::Block> blocks = plan::blocksOf(loop);
  std::vector<int64_t> last(blocks.size(), 0);
  for (const plan::Loop::BlockRun& run : plan::runsOf(loop))
    last[run.block] = std::max(last[run.block], run.microBatch);
  for (size_t block = 0; block < blocks.size(); ++block) {
    if (blocks[block].isOnce) continue;
    for (int64_t i = blocks[block].first; i < blocks[block].last; ++i)
      for (int64_t value : values_.tasks[i].written)
        if (value >= 0) lastMicroBatches_[value] = last[block];
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
  const int64_t updatedBy = step - version.age - 1;
  const int64_t after = version.updated->after;
  if (updatedBy < 0 || after == version.updated->before)
    return {version.newest->before, kInitial};
  return of(after, updatedBy);
}

Content WantedContents::of(int64_t value, int64_t step) const {
  return of(value, step, /*loop=*/-1, /*microBatch=*/0);
}

Content WantedContents::of(int64_t value, int64_t step,
                           const ProgramPoint& point) const {
  const int64_t loop = values_.tasks[point.task].loop;
  if (loop < 0) return of(value, step);
  const std::vector<plan::Loop::Block>& blocks = tasks_.loops[loop].blocks;
  const bool isOfMicroBatch =
      loop == point.loop && (blocks.empty() || !blocks[point.block].isOnce);
  return of(value, step, loop,
            isOfMicroBatch ? point.microBatch : lastMicroBatches_[value]);
}

Content WantedContents::of(int64_t value, int64_t step, int64_t loop,
                           int64_t microBatch) const {
  const auto inStep = [&](int64_t ofMicroBatch) {
    return step * instancesPerStep_ + ofMicroBatch;
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
      microBatch = carried ? tasks_.loops[home].numMicroBatches
                           : lastMicroBatches_[value];
    loop = home;
    if (!carried) return {value, inStep(microBatch)};
    const std::optional<int64_t> before =
        microBatchBefore(*carried, microBatch);
    if (!before) return {Content::kZeros, 0};
    value = carried->given;
    microBatch = *before;
  }
}

}  // namespace sbp::proof
