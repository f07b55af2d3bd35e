#include "passes/placement/WatchedSearch.h"

namespace sbp {

WatchedSearch::WatchedSearch(mlir::MLIRContext* context, double seconds,
                             double bytes)
    : clears_(context,
              [this](mlir::Diagnostic&) {
                line_.clear();
                return mlir::failure();  // let other handlers print it
              }),
      run_({seconds, bytes > 0 ? bytes : search::defaultSearchBytes()},
           &line_) {}

}  // namespace sbp
