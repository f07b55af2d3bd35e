// A search with limits on time and memory that shows its progress.

#ifndef PASSES_PLACEMENT_WATCHEDSEARCH_H_
#define PASSES_PLACEMENT_WATCHEDSEARCH_H_

#include "mlir/IR/Diagnostics.h"
#include "passes/search/run/ProgressLine.h"
#include "passes/search/run/SearchRun.h"

namespace sbp {

/// The limits and the progress line of a search that emits its diagnostics in a
/// context. Time counts from the construction of this object. The result of
/// run() refers to this object and must not outlive it.
class WatchedSearch {
 public:
  /// Limits the search to `seconds`, and the memory of the compiler to `bytes`.
  /// If `bytes` is 0, the limit is search::defaultSearchBytes().
  WatchedSearch(mlir::MLIRContext* context, double seconds, double bytes);

  const search::SearchRun& run() const { return run_; }

 private:
  search::ProgressLine line_;
  /// Erases the progress line before a diagnostic is written.
  mlir::ScopedDiagnosticHandler clears_;
  search::SearchRun run_;
};

}  // namespace sbp

#endif  // PASSES_PLACEMENT_WATCHEDSEARCH_H_
