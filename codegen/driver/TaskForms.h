// Writes the tasks of every entry as text, after each step from the local form
// to the plan: a folder for each program and entry, with a file for each step.
//
//   tasks/steps.txt                            which steps changed an entry
//   tasks/rank-0/train_step/01-listed.txt      the entry of rank 0, as listed
//   tasks/rank-0/train_step/02-blocks.txt      ... and with blocks of loops
//
// Ranks that run the same program share the folder of the first one.

#ifndef CODEGEN_DRIVER_TASKFORMS_H_
#define CODEGEN_DRIVER_TASKFORMS_H_

#include <string>
#include <vector>

#include "codegen/driver/CodeOutput.h"
#include "codegen/plan/EntryMemory.h"
#include "codegen/plan/LayOutEntry.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Writes the steps of one plan.
class TaskForms {
 public:
  /// `output` has the folder of forms, and outlives this.
  explicit TaskForms(const CodeOutput& output) : output_(output) {}

  /// Forgets the plan so far, and removes the files that were written for it:
  /// another plan follows.
  void restart();

  /// Writes the state of an entry after `step`. Fails after a diagnostic.
  LogicalResult add(const LayoutStep& step, const EntryMemory& memory);

  /// Writes which steps changed which entries. Fails after a diagnostic.
  LogicalResult finish(MLIRContext* context);

 private:
  LogicalResult write(MLIRContext* context, const std::string& file,
                      StringRef text);

  const CodeOutput& output_;
  std::vector<std::string> files_;  // names below the folder of forms
  std::string steps_;               // text of steps.txt
  std::string last_;                // text of the step before
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_TASKFORMS_H_
