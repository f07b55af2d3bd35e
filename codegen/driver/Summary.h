// The summary of a compiled program that sbpc prints on a terminal:
//
//   gpt: a program for 4 ranks
//     train_step takes 3.811 ms by the machine's prices, and 19.8 MB per rank
//     sbprun -n 4 ./gpt --text book.txt    starts it; --help lists its options

#ifndef CODEGEN_DRIVER_SUMMARY_H_
#define CODEGEN_DRIVER_SUMMARY_H_

#include <optional>
#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Predicted seconds of one run of an entry, by the prices of the machine, or
/// by assumed ones where the machine does not describe its devices. If training
/// steps overlap, the seconds from one step to the next.
struct PredictedTime {
  std::string entry;
  double seconds = 0;
};

/// Returns the predicted time of the entry of `boxed` that takes longest.
/// `boxed` is a module in the boxed form. `mesh` is the name of the mesh or
/// machine whose devices and links have the prices; if it is empty, the module
/// has one that spans all ranks (chooseTarget() in passes/placement/Target.h).
/// Returns nullopt, without a diagnostic, if there is no such mesh or more than
/// one, if the schedule cannot be run, or if the module has no entry.
std::optional<PredictedTime> predictTime(ModuleOp boxed, StringRef mesh);

/// Returns the summary of the program that is in the file `path` and runs
/// `plan`. `code` describes its code (Backend::describeCode()). If `predicted`
/// is nullopt, the summary has no line on time and memory.
std::string summaryOf(const plan::Plan& plan, const std::string& path,
                      const std::optional<PredictedTime>& predicted,
                      const std::string& code);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_SUMMARY_H_
