#include "codegen/driver/TextTable.h"

#include <algorithm>
#include <utility>

#include "runtime/text/Printable.h"

namespace sbp {

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(alignments_.size());
  for (std::string& cell : cells) cell = text::printable(cell);
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(size_t indent) const {
  std::vector<size_t> widths(alignments_.size());
  for (const std::vector<std::string>& row : rows_)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());

  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line(indent, ' ');
    for (size_t i = 0; i < row.size(); ++i) {
      std::string space(widths[i] - row[i].size(), ' ');
      line += alignments_[i] == '>' ? space + row[i] : row[i] + space;
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace sbp
