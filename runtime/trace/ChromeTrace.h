// Slices of time in Chrome's trace format, which Perfetto (ui.perfetto.dev) and
// chrome://tracing show.
//
// A process is a rank, and has rows (threads, as the format calls them) of
// slices, which lie in one another or apart:
//
//   rank 0, @front
//     tasks          |-- step 1 ------------------------------|
//                     |-- 0F 0 ---||-- 0F 1 ---|  |-- 0B 0 --|
//     communication                            |--|
//
// The compiler writes what it predicts in it, the runtime what happened.

#ifndef RUNTIME_TRACE_CHROMETRACE_H_
#define RUNTIME_TRACE_CHROMETRACE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace sbp::trace {

struct Slice {
  std::string_view name;
  std::string_view category;  // "task"; what one can filter by
  double start = 0;           // microseconds
  double duration = 0;
  int64_t microBatch = -1;  // -1: of none
};

/// Some of the events of a file, as text.
class ChromeTrace {
 public:
  /// Names a process, and a row of it; both are shown in the order of their
  /// numbers.
  void addProcess(int64_t process, std::string_view name);
  void addRow(int64_t process, int64_t row, std::string_view name);

  void addSlice(int64_t process, int64_t row, const Slice& slice);

  const std::string& text() const { return text_; }

 private:
  void add(std::string_view event);

  std::string text_;
};

/// What stands in a file before texts of events, of which there is at least
/// one; between them; and behind.
inline constexpr std::string_view kFileBegin =
    "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
inline constexpr std::string_view kFileBetween = ",\n";
inline constexpr std::string_view kFileEnd = "\n]}\n";

}  // namespace sbp::trace

#endif  // RUNTIME_TRACE_CHROMETRACE_H_
