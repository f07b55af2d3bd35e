// The contents that tasks expect in a rank's arena: which instance of a value
// (Contents.h) the compiler means where a task, an output or a parameter names
// the value.
//
// Each step has its own instance of a value, and in a loop so does each
// micro-batch:
//
//   value                       in step 3, for micro-batch 2
//   h, made in the loop         h of step 3, micro-batch 2
//   h, read after the loop      h of step 3, last micro-batch
//   s, carried                  what micro-batch 1 passed on to micro-batch 2;
//                               zeros, if there was no micro-batch before
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

/// The instances of the values of one entry of a program.
class WantedContents {
 public:
  /// Prepares the expected contents of entry `entry` of `program`, whose values
  /// must be known. The program must outlive this object.
  WantedContents(const plan::Plan& plan, const plan::Program& program,
                 size_t entry);

  /// Returns the instance of `value` outside loops. For a value made in a loop
  /// this is the instance of the loop's last micro-batch.
  Content of(int64_t value, int64_t step) const;

  /// Returns the instance of `value` for micro-batch `microBatch` of loop
  /// `loop`, or outside loops if `loop` is -1.
  Content of(int64_t value, int64_t step, int64_t loop,
             int64_t microBatch) const;

  /// Returns the instance of `value` that the task at `point` means. If the
  /// task is not in the loop that its values belong to, this is the instance of
  /// the last micro-batch.
  Content of(int64_t value, int64_t step, const ProgramPoint& point) const;

  /// Returns the micro-batch of an instance, whatever its step.
  int64_t microBatchOf(const Content& content) const {
    return content.instance % instancesPerStep_;
  }

 private:
  /// A version of a parameter: its value a number of steps ago.
  struct Version {
    const plan::EntryValues::Parameter* newest = nullptr;
    /// The version whose memory an update overwrites with the newest value.
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
  /// Last micro-batch for which each value is made.
  std::vector<int64_t> lastMicroBatches_;
  // Stride of Content::instance from step to step: larger than the number of
  // micro-batches of any loop, so that all steps have instances of their own.
  int64_t instancesPerStep_ = 1;
  std::map<int64_t, Version> versions_;  // by value
};

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_WANTEDCONTENTS_H_
