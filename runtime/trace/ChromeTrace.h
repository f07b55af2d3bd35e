// Chrome's trace format, which Perfetto (ui.perfetto.dev) and chrome://tracing
// show.
//
// Each rank is what the format calls a process. A process has rows, which the
// format calls threads. A row has slices of time; any two slices are nested or
// disjoint:
//
//   rank 0, @front
//     tasks          |-- step 1 ------------------------------|
//                     |-- 0F 0 ---||-- 0F 1 ---|  |-- 0B 0 --|
//     communication                            |--|
//
// Here 0F 1 is the forward of stage 0 for micro-batch 1, and @front the group
// of ranks that runs the stage. The compiler writes predictions in this format;
// the runtime writes what has happened.

#ifndef RUNTIME_TRACE_CHROMETRACE_H_
#define RUNTIME_TRACE_CHROMETRACE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace sbp::trace {

/// A named interval of time.
struct Slice {
  std::string_view name;
  std::string_view category;    // kind of work, by which viewers filter: "task"
  double start = 0;             // microseconds since time 0 of the file
  double duration = 0;          // microseconds
  int64_t microBatch = -1;      // -1: none
  std::string_view place = {};  // in the model's text; empty: unknown
};

/// Events of a trace as text: JSON objects, with commas between them.
class ChromeTrace {
 public:
  /// Adds process number `process`, called `name`. Processes are shown in the
  /// order of their numbers.
  void addProcess(int64_t process, std::string_view name);
  /// Adds row number `row` of `process`, called `name`. Rows are shown in the
  /// order of their numbers.
  void addRow(int64_t process, int64_t row, std::string_view name);

  /// Adds `slice` to row `row` of `process`.
  void addSlice(int64_t process, int64_t row, const Slice& slice);

  /// Returns the events so far; empty if nothing was added.
  const std::string& text() const { return text_; }

 private:
  void add(std::string_view event);

  std::string text_;
};

/// Parts of a trace file. The file consists of kFileBegin, the texts of one or
/// more ChromeTraces with kFileBetween between them, and kFileEnd. None of the
/// texts may be empty.
inline constexpr std::string_view kFileBegin =
    "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
inline constexpr std::string_view kFileBetween = ",\n";
inline constexpr std::string_view kFileEnd = "\n]}\n";

}  // namespace sbp::trace

#endif  // RUNTIME_TRACE_CHROMETRACE_H_
