// Rows of text whose columns stand below each other.

#ifndef CODEGEN_DRIVER_TEXTTABLE_H_
#define CODEGEN_DRIVER_TEXTTABLE_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sbp {

class TextTable {
 public:
  /// A character per column: '<' puts its cells to the left, '>' to the right.
  explicit TextTable(std::string alignments)
      : alignments_(std::move(alignments)) {}

  /// Cells that are left out are empty.
  void add(std::vector<std::string> cells);

  /// A line per row, after `indent` spaces; columns are two spaces apart.
  std::string text(size_t indent) const;

 private:
  std::string alignments_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_TEXTTABLE_H_
