// A search that ends in time and says how far it is.

#ifndef PASSES_PLACEMENT_WATCHEDSEARCH_H_
#define PASSES_PLACEMENT_WATCHEDSEARCH_H_

#include "mlir/IR/Diagnostics.h"
#include "passes/search/ProgressLine.h"
#include "passes/search/SearchRun.h"

namespace sbp {

/// The run of a search on whose way errors and remarks are reported in
/// `context`. It begins when this is made, and must not outlive it.
class WatchedSearch {
 public:
  /// With at most `seconds`, and `bytes` of memory for the compiler; with 0
  /// bytes, what this machine has for it.
  WatchedSearch(mlir::MLIRContext* context, double seconds, double bytes);

  const search::SearchRun& run() const { return run_; }

 private:
  search::ProgressLine line_;
  /// Takes the line back before a diagnostic is written.
  mlir::ScopedDiagnosticHandler clears_;
  search::SearchRun run_;
};

}  // namespace sbp

#endif  // PASSES_PLACEMENT_WATCHEDSEARCH_H_
