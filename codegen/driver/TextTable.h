// A table of text with aligned columns.

#ifndef CODEGEN_DRIVER_TEXTTABLE_H_
#define CODEGEN_DRIVER_TEXTTABLE_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sbp {

/// Rows of cells.
class TextTable {
 public:
  /// Makes a table with one column per character of `alignments`: '<' aligns
  /// the column's cells left, '>' right.
  explicit TextTable(std::string alignments)
      : alignments_(std::move(alignments)) {}

  /// Adds a row. Missing cells are empty; cells beyond the last column are
  /// dropped. Control characters in cells become escape sequences.
  void add(std::vector<std::string> cells);

  /// Returns one line per row, each indented by `indent` spaces. A column is as
  /// wide as its longest cell, in bytes; columns are two spaces apart. Lines
  /// have no spaces at their ends.
  std::string text(size_t indent) const;

 private:
  std::string alignments_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_TEXTTABLE_H_
