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

/// Predicted seconds of one run of an entry, by the prices of the machine.
struct PredictedTime {
  std::string entry;
  double seconds = 0;
};

/// Predicts the time of the entry that takes longest in `boxed`, a module in
/// the boxed form that is placed on the mesh called `mesh`, or on its only one
/// if that is empty. Returns nothing, without a diagnostic, if there is no
/// prediction.
std::optional<PredictedTime> predictTime(ModuleOp boxed, StringRef mesh);

/// Returns the summary of the program `plan` in the file `path`; without the
/// line on time and memory if `predicted` is nullopt.
std::string summaryOf(const plan::Plan& plan, const std::string& path,
                      const std::optional<PredictedTime>& predicted);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_SUMMARY_H_
