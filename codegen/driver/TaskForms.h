// Writes the tasks of every entry as text, after each step from the local form
// to the plan: a folder for each program and entry, with a file for each step.
//
//   tasks/steps.txt                            which steps changed an entry
//   tasks/rank-0/train_step/01-listed.txt      the entry of rank 0, as listed
//   tasks/rank-0/train_step/02-blocks.txt      ... and with blocks of loops
//
// Ranks that run the same program share one folder, named after the first of
// them.

#ifndef CODEGEN_DRIVER_TASKFORMS_H_
#define CODEGEN_DRIVER_TASKFORMS_H_

#include <string>
#include <vector>

#include "codegen/driver/CodeOutput.h"
#include "codegen/plan/EntryMemory.h"
#include "codegen/plan/LayOutEntry.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Writes the steps of one plan at a time.
class TaskForms {
 public:
  /// `output` has the folder of forms, and must outlive this object.
  explicit TaskForms(const CodeOutput& output) : output_(output) {}

  /// Begins another plan: forgets the plan before, and removes the files that
  /// were written for it.
  void restart();

  /// Writes the state of an entry after `step`. The steps of an entry follow
  /// one another, from step 1 on. Fails after a diagnostic.
  LogicalResult add(const LayoutStep& step, const EntryMemory& memory);

  /// Writes which steps changed which entries. Fails after a diagnostic.
  LogicalResult finish(MLIRContext* context);

 private:
  LogicalResult write(MLIRContext* context, const std::string& file,
                      StringRef text);

  const CodeOutput& output_;
  std::vector<std::string> files_;  // names below the folder of forms
  std::string steps_;               // text of steps.txt
  std::string last_;                // text that add() wrote last
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_TASKFORMS_H_
