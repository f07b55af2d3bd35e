// The contents that tasks expect in a rank's arena. A task, an output or a
// parameter names a value (plan/Values.h). WantedContents finds which instance
// of the value the compiler means (Contents.h explains instances).
//
// A value has one instance per step, or, if it is made in a loop, one per step
// and micro-batch:
//
//   value                       in step 3, for micro-batch 2
//   h, made in the loop         h of step 3, micro-batch 2
//   h, read after the loop      h of step 3, last micro-batch
//   s, carried                  what micro-batch 1 passed on to micro-batch 2;
//                               zeros for the first micro-batch
//   parameter w                 the result of the update of step 2
//   w of one step ago           the result of the update of step 1
//
// Before the first update, all versions of a parameter hold its initial value.

#ifndef RUNTIME_PROOF_WANTEDCONTENTS_H_
#define RUNTIME_PROOF_WANTEDCONTENTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "runtime/plan/Plan.h"
#include "runtime/proof/Contents.h"
#include "runtime/proof/ProgramPoint.h"

namespace sbp::proof {

/// Finds the instances that the tasks of one entry of a program mean. Steps are
/// counted from 0.
class WantedContents {
 public:
  /// Prepares to find instances for entry `entry` (an index into Plan::entries)
  /// of `program`. The values of the entry must be known. The program must
  /// outlive this object.
  WantedContents(const plan::Plan& plan, const plan::Program& program,
                 size_t entry);

  /// Returns the instance of `value` that is meant outside loops. For a value
  /// made in a loop this is the instance of the last micro-batch for which it
  /// is made; for a carried value, the instance after the last micro-batch.
  Content of(int64_t value, int64_t step) const;

  /// Returns the instance of `value` that is meant in loop `loop` for
  /// micro-batch `microBatch`. If the value is not made in this loop, or `loop`
  /// is -1, this is the instance that is meant outside loops.
  Content of(int64_t value, int64_t step, int64_t loop,
             int64_t microBatch) const;

  /// Returns the instance of `value` that the task at `point` means. If the
  /// values of the task belong to a loop (TaskValues::loop) and the task runs
  /// in this loop, this is the instance for the micro-batch of `point`. If the
  /// task is not in the loop, or is in a block that runs once per step, this is
  /// the instance for the last micro-batch.
  Content of(int64_t value, int64_t step, const ProgramPoint& point) const;

  /// Returns the micro-batch of an instance. The content must have one: it must
  /// not be a constant or the initial value of a parameter.
  int64_t microBatchOf(const Content& content) const {
    return content.instance % instancesPerStep_;
  }

 private:
  /// A version of a parameter: the value that it had `age` steps ago.
  struct Version {
    const plan::EntryValues::Parameter* newest = nullptr;  // version of age 0
    /// The oldest version, whose memory an update overwrites with the newest.
    const plan::EntryValues::Parameter* updated = nullptr;
    int64_t age = 0;  // in steps
  };

  void findLastMicroBatches();
  void findLastMicroBatchesIn(const plan::Loop& loop);
  void findVersions(const plan::Plan& plan, const plan::Program& program);
  const plan::EntryValues::Parameter* parameterAt(int64_t buffer) const;
  Content of(const Version& version, int64_t step) const;

  const plan::EntryProgram& tasks_;
  const plan::EntryValues& values_;
  /// Entry of EntryValues::Loop::carried for each value; null if there is none.
  std::vector<const plan::EntryValues::Carried*> carriedAs_;
  /// Last micro-batch for which each value is made, by value.
  std::vector<int64_t> lastMicroBatches_;
  // Distance of Content::instance from one step to the next: larger than the
  // number of micro-batches of any loop, so that the instances of different
  // steps differ.
  int64_t instancesPerStep_ = 1;
  std::map<int64_t, Version> versions_;  // by value
};

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_WANTEDCONTENTS_H_
