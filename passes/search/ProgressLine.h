// A line that says how far a search is.
//
//   searching @train_step: 12 s, best plan 65.1 ms, none below 64.9 ms, tables
//
// On a terminal it is one line, written anew, and gone in the end. Elsewhere,
// as in the log of a build, it is a line now and then, so that who reads along
// knows that there is work. A search that soon ends says nothing.

#ifndef PASSES_SEARCH_PROGRESSLINE_H_
#define PASSES_SEARCH_PROGRESSLINE_H_

#include "llvm/Support/raw_ostream.h"
#include "passes/search/SearchRun.h"

namespace sbp::search {

class ProgressLine : public SearchListener {
 public:
  enum class To { Terminal, Log };

  /// Writes to standard error, as that is a terminal or not.
  ProgressLine();
  ProgressLine(llvm::raw_ostream& out, To to) : out_(out), to_(to) {}
  ~ProgressLine() override { clear(); }

  void hear(const SearchStatus& status) override;

  /// Takes the line back, if one is shown on a terminal: something else is to
  /// be written. It comes again with the next news.
  void clear();

 private:
  llvm::raw_ostream& out_;
  To to_;
  bool isShown_ = false;
  double lastSeconds_ = 0;  // when it was written last
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRESSLINE_H_
