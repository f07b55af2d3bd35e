// A line that reports the progress of a search.
//
//   searching @train_step: 12 s, best plan 65.1 ms, none below 64.9 ms, tables
//
// On a terminal the line is rewritten in place, and erased in the end.
// Elsewhere, as in the log of a build, a new line is written every 30 seconds.
// Nothing is written in the first two seconds.

#ifndef PASSES_SEARCH_RUN_PROGRESSLINE_H_
#define PASSES_SEARCH_RUN_PROGRESSLINE_H_

#include "llvm/Support/raw_ostream.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// A listener that writes the line.
class ProgressLine : public SearchListener {
 public:
  enum class To { Terminal, Log };

  /// Writes to standard error: as To::Terminal if that is a terminal, otherwise
  /// as To::Log.
  ProgressLine();
  ProgressLine(llvm::raw_ostream& out, To to) : out_(out), to_(to) {}
  ~ProgressLine() override { clear(); }

  void hear(const SearchStatus& status) override;

  /// Erases the line if one is shown on a terminal, so that something else can
  /// be written. The next status shows a line again.
  void clear();

 private:
  llvm::raw_ostream& out_;
  To to_;
  bool isShown_ = false;
  // Time of the last line, seconds since the search began.
  double lastSeconds_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_RUN_PROGRESSLINE_H_
