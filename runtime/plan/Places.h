// Origins of tasks and calls: the places in the model's text from which they
// come.
//
// Places serve only messages that name an op of the model; nothing computed
// depends on them. A plan lists each file and each origin once. Places refer to
// files, and tasks and calls to origins, by index:
//
//   files     gpt.mlir
//   origins   0: line 12, column 5 of file 0
//             1: lines 13 and 14 of file 0, of two ops that one task runs
//   tasks     0, 1, 1, none, ...            EntryProgram::origins

#ifndef RUNTIME_PLAN_PLACES_H_
#define RUNTIME_PLAN_PLACES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace sbp::plan {

/// An origin that is unknown.
inline constexpr int64_t kUnknownOrigin = -1;

/// A place in a text. Lines and columns count from 1.
struct Place {
  int64_t file = 0;  // index into Places::files
  int64_t line = 1;
  int64_t column = 0;  // 0: unknown
};

/// The origins of all tasks and calls of a plan.
struct Places {
  std::vector<std::string> files;  // paths as they were given to the compiler
  /// The places of each origin: of the op that a task runs, or of several ops
  /// that one task runs together.
  std::vector<std::vector<Place>> origins;

  /// Returns origin `index` as text: "gpt.mlir:12:5", or "gpt.mlir:13:5 and
  /// gpt.mlir:14:5". Empty for kUnknownOrigin.
  std::string textOf(int64_t index) const;

  /// Returns " at gpt.mlir:12:5" for origin `index`, to follow the name of what
  /// comes from there. Empty for kUnknownOrigin.
  std::string at(int64_t index) const;
};

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_PLACES_H_
