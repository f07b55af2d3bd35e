// What is to lie in a rank's arena: which content (Contents.h) the compiler
// means where a task, an output or a parameter names a value.
//
// A value is another content in each step, and in a loop each time:
//
//   value                       in step 3, for micro-batch 2
//   h, made in the loop         h of step 3, micro-batch 2
//   h, as read behind the loop  h of step 3, of its last micro-batch
//   s, carried                  what micro-batch 1 has given to it; zeros, if
//                               there was none before
//   parameter w                 what the update of step 2 has made
//   w of one step ago           what the update of step 1 has made
//
// Before the first update a parameter has its first value, in all versions that
// are kept of it.

#ifndef RUNTIME_PROOF_WANTEDCONTENTS_H_
#define RUNTIME_PROOF_WANTEDCONTENTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "runtime/plan/Plan.h"
#include "runtime/proof/Contents.h"
#include "runtime/proof/Place.h"

namespace sbp::proof {

class WantedContents {
 public:
  /// Those of entry number `entry` of `program`, whose values are known, and
  /// which outlives them.
  WantedContents(const plan::Plan& plan, const plan::Program& program,
                 size_t entry);

  /// What `value` is outside of loops: that of a loop is of its last time.
  Content of(int64_t value, int64_t step) const;

  /// What `value` is for a time of loop number `loop`, or where that is -1,
  /// outside of loops.
  Content of(int64_t value, int64_t step, int64_t loop, int64_t time) const;

  /// What `value` is to the task at `place`, which may stand elsewhere than in
  /// the loop that it means: it is then of the last time of that.
  Content of(int64_t value, int64_t step, const Place& place) const;

  /// For which time of its loop a content is, of whichever step.
  int64_t timeOf(const Content& content) const {
    return content.time % mostTimes_;
  }

 private:
  /// What a parameter's buffer holds: of itself, so many steps ago.
  struct Version {
    const plan::EntryValues::Parameter* newest = nullptr;
    /// Whose memory an update gives to the newest.
    const plan::EntryValues::Parameter* updated = nullptr;
    int64_t before = 0;
  };

  void findLastTimes();
  void findLastTimesIn(const plan::Loop& loop);
  void findVersions(const plan::Plan& plan, const plan::Program& program);
  const plan::EntryValues::Parameter* parameterAt(int64_t buffer) const;
  Content of(const Version& version, int64_t step) const;

  const plan::EntryProgram& tasks_;
  const plan::EntryValues& values_;
  /// By value: how it is carried, if it is.
  std::vector<const plan::EntryValues::Carried*> carriedAs_;
  std::vector<int64_t> lastTimes_;  // by value, of its loop
  // Contents of all steps have times of their own: the step's and the loop's.
  int64_t mostTimes_ = 1;
  std::map<int64_t, Version> versions_;  // by value
};

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_WANTEDCONTENTS_H_
