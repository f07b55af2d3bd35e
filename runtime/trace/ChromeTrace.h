// Chrome's trace format, which Perfetto (ui.perfetto.dev) and chrome://tracing
// show.
//
// A process of the format is a rank. It has rows (the format calls them
// threads) of slices of time, which are nested or disjoint:
//
//   rank 0, @front
//     tasks          |-- step 1 ------------------------------|
//                     |-- 0F 0 ---||-- 0F 1 ---|  |-- 0B 0 --|
//     communication                            |--|
//
// The compiler writes predictions in this format, the runtime what happened.

#ifndef RUNTIME_TRACE_CHROMETRACE_H_
#define RUNTIME_TRACE_CHROMETRACE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace sbp::trace {

/// A named interval of time.
struct Slice {
  std::string_view name;
  std::string_view category;  // "task", for filtering
  double start = 0;           // microseconds
  double duration = 0;        // microseconds
  int64_t microBatch = -1;    // -1: none
};

/// A list of trace events as text.
class ChromeTrace {
 public:
  /// Adds a process of this name. Processes are shown in the order of their
  /// numbers.
  void addProcess(int64_t process, std::string_view name);
  /// Adds a row of `process`. Rows are shown in the order of their numbers.
  void addRow(int64_t process, int64_t row, std::string_view name);

  void addSlice(int64_t process, int64_t row, const Slice& slice);

  const std::string& text() const { return text_; }

 private:
  void add(std::string_view event);

  std::string text_;
};

/// The text of a file before the first ChromeTrace's text, between two of them,
/// and after the last one. A file has at least one such text.
inline constexpr std::string_view kFileBegin =
    "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
inline constexpr std::string_view kFileBetween = ",\n";
inline constexpr std::string_view kFileEnd = "\n]}\n";

}  // namespace sbp::trace

#endif  // RUNTIME_TRACE_CHROMETRACE_H_
