#include "passes/search/run/ProgressLine.h"

#include <string>

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

namespace sbp::search {
namespace {

/// Seconds before the first line, and between two lines of a log.
constexpr double kSilence = 2, kLogPeriod = 30;

/// Control sequence: moves the cursor to the start of the line, and clears the
/// line.
constexpr char kClearLine[] = "\r\x1b[K";

std::string timeOf(double seconds) {
  if (seconds >= 1) return llvm::formatv("{0:f3} s", seconds);
  if (seconds >= 1e-3) return llvm::formatv("{0:f3} ms", 1e3 * seconds);
  return llvm::formatv("{0:f3} us", 1e6 * seconds);
}

std::string lineOf(const SearchStatus& status) {
  std::string line =
      llvm::formatv("searching @{0}: {1:f0} s", status.entry, status.seconds);
  if (status.best) line += ", best plan " + timeOf(*status.best);
  if (status.bound && *status.bound > 0)
    line += ", none below " + timeOf(*status.bound);
  return line + ", " + status.phase;
}

}  // namespace

ProgressLine::ProgressLine()
    : ProgressLine(llvm::errs(), llvm::sys::Process::StandardErrIsDisplayed()
                                     ? To::Terminal
                                     : To::Log) {}

void ProgressLine::hear(const SearchStatus& status) {
  if (status.seconds < kSilence) return;
  if (to_ == To::Terminal) {
    out_ << kClearLine << lineOf(status);
    out_.flush();
    isShown_ = true;
    return;
  }
  if (status.seconds < lastSeconds_ + kLogPeriod) return;
  lastSeconds_ = status.seconds;
  out_ << lineOf(status) << "\n";
}

void ProgressLine::clear() {
  if (!isShown_) return;
  out_ << kClearLine;
  out_.flush();
  isShown_ = false;
}

}  // namespace sbp::search
