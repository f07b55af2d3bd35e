// The limits of a search in time and memory, and the progress of the search.
//
// Without limits some searches would take days, or more memory than there is. A
// SearchRun has a deadline and a limit of bytes. Code that computes for long
// calls isOver() now and then; code that is about to fill a large table calls
// allows(). A search that is over returns what it has: its plans are valid, and
// its bounds hold.
//
//   SearchRun run({/*seconds=*/60, /*bytes=*/8e9});
//   exactSearch(run.part(0.6));     may take 36 seconds
//   strategies(run.aside(0.5));     may take half of the time that is left
//
// The result of a search that ends within its limits depends on its input
// alone. If a limit ends the search, the result depends on the speed of the
// machine.

#ifndef PASSES_SEARCH_RUN_SEARCHRUN_H_
#define PASSES_SEARCH_RUN_SEARCHRUN_H_

#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace sbp::search {

/// Limits at which a search ends.
struct SearchLimits {
  double seconds = std::numeric_limits<double>::infinity();
  /// Limit of the resident memory of the whole process, not of the search
  /// alone.
  double bytes = std::numeric_limits<double>::infinity();
  /// Returns whether the user has asked the search to end; may be null. It is
  /// called by isOver() (Interruption.h).
  bool (*isInterrupted)() = nullptr;
};

/// Returns a default for SearchLimits::bytes: the memory that the process has
/// now, and half of the memory that is free, but at most 8 GB of the latter.
double defaultSearchBytes();

/// Progress of a search.
struct SearchStatus {
  std::string entry;
  const char* phase = "";
  double seconds = 0;  // Seconds since the search began.
  /// Cost of the best plan so far, and the proven lower bound, seconds per
  /// step.
  std::optional<double> best, bound;
};

/// Receiver of the progress of a search.
class SearchListener {
 public:
  virtual ~SearchListener() = default;
  /// Called by SearchRun::isOver(), at most ten times a second.
  virtual void hear(const SearchStatus& status) = 0;
};

/// A run of a search, or a part of a run: a handle to a state that all copies
/// and parts share. Not thread-safe.
class SearchRun {
 public:
  /// Constructs a run without limits.
  SearchRun() : SearchRun(SearchLimits()) {}
  /// Starts the clock. `listener` may be null; otherwise it must outlive the
  /// run.
  explicit SearchRun(SearchLimits limits, SearchListener* listener = nullptr);

  /// Returns a part of this run, which ends after the fraction `share` of the
  /// time that this run has left.
  SearchRun part(double share) const;
  /// Returns a part as part() does, for a search beside the main one. Its
  /// plans, bounds and phases are not reported to the listener, and endedBy()
  /// does not say that it ended.
  SearchRun aside(double share) const;

  /// Returns this run for a search that need not prove its plan the best: it
  /// may end once no plan is proven to cost less by more than the fraction
  /// `gap`.
  SearchRun withGap(double gap) const;
  double gap() const { return gap_; }

  /// Returns the time until the deadline; infinity if there is none.
  double secondsLeft() const;

  /// Whether the deadline has passed, the memory is used up, or the user has
  /// interrupted the search. Memory may become available again when tables are
  /// freed. Calls the listener if a report is due.
  bool isOver() const;
  /// Whether `bytes` more bytes fit into the limit. If they do not, and this
  /// run is not aside(), endedBy() says so.
  bool allows(double bytes) const;

  /// Returns the limit that ended a run or part that is not aside(), such as
  /// "60 s", or "an interruption"; nullopt if there is none.
  std::optional<std::string> endedBy() const;

  // ---- Reports to the listener
  void beginEntry(const std::string& entry) const;
  void beginPhase(const char* phase) const;
  /// Report the cost of a plan, and a proven lower bound, in seconds. The
  /// listener gets the least cost and the highest bound so far.
  void foundPlan(double seconds) const;
  void provedBound(double seconds) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Shared;

  std::shared_ptr<Shared> shared_;
  Clock::time_point end_ = Clock::time_point::max();
  bool isMain_ = true;
  double gap_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_RUN_SEARCHRUN_H_
