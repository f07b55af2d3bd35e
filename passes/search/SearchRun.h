// What a search may take, and how far it is.
//
// Some searches would take days, or more memory than there is. A run of a
// search has a time by which it ends and a number of bytes; whoever computes
// for long asks now and then whether it is over, and whoever is about to fill a
// large table whether there is room for it. What is over is left as it is: its
// plans are plans, its bounds are bounds.
//
//   SearchRun run({/*seconds=*/60, /*bytes=*/8e9});
//   exactSearch(run.part(0.6));     may take 36 seconds
//   strategies(run.aside(0.5));     half of what is left then
//
// Within these limits a search is a function of its input alone. Where they end
// it, what it finds depends on how fast the machine is.

#ifndef PASSES_SEARCH_SEARCHRUN_H_
#define PASSES_SEARCH_SEARCHRUN_H_

#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace sbp::search {

struct SearchLimits {
  double seconds = std::numeric_limits<double>::infinity();
  /// That the compiler may have in memory, with all that it has beside the
  /// search.
  double bytes = std::numeric_limits<double>::infinity();
};

/// Bytes for a search on this machine now: half of those that are free, and no
/// more than eight gigabytes, beside what the compiler has already.
double defaultSearchBytes();

/// How far a search is.
struct SearchStatus {
  std::string entry;
  const char* phase = "";
  double seconds = 0;  // since it began
  /// Seconds that the best plan so far takes, and that any plan takes at least.
  std::optional<double> best, bound;
};

/// Whoever wants to know how far a search is.
class SearchListener {
 public:
  virtual ~SearchListener() = default;
  /// Called about ten times a second, where the search asks whether it is over.
  virtual void hear(const SearchStatus& status) = 0;
};

/// A run, or a part of one; copies are of the same run. Not for use by several
/// threads at a time.
class SearchRun {
 public:
  /// Without limits.
  SearchRun() : SearchRun(SearchLimits()) {}
  /// Begins now. `listener`, if there is one, must outlive the run.
  explicit SearchRun(SearchLimits limits, SearchListener* listener = nullptr);

  /// A part of this run, which ends when so much of the time that is left is
  /// over.
  SearchRun part(double share) const;
  /// The same, of a search that is not the main one: what it finds is no news.
  SearchRun aside(double share) const;

  /// Infinite if there is no limit.
  double secondsLeft() const;

  /// Whether the time is over, or the memory used up. The latter may change,
  /// when tables are given back.
  bool isOver() const;
  /// Whether there is room for so many bytes more.
  bool allows(double bytes) const;

  /// The limit that ended a part of the main search, as "60 s"; nothing if none
  /// was ended.
  std::optional<std::string> endedBy() const;

  // ---- News
  void beginEntry(const std::string& entry) const;
  void beginPhase(const char* phase) const;
  /// A plan that takes so many seconds, or a bound, is known.
  void foundPlan(double seconds) const;
  void provedBound(double seconds) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Shared;

  std::shared_ptr<Shared> shared_;
  Clock::time_point end_ = Clock::time_point::max();
  bool isMain_ = true;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SEARCHRUN_H_
