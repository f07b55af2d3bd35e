// SIGINT (Ctrl-C) as a wish that a search ends with what it has.

#ifndef PASSES_SEARCH_RUN_INTERRUPTION_H_
#define PASSES_SEARCH_RUN_INTERRUPTION_H_

#include <signal.h>

namespace sbp::search {

/// Catches SIGINT as long as it exists. A second SIGINT ends the process. At
/// most one object may exist at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Whether SIGINT has come since the latest object was created. For
  /// SearchLimits::isInterrupted.
  static bool hasCome();

 private:
  struct sigaction former_ = {};
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_RUN_INTERRUPTION_H_
