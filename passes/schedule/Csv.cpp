#include "passes/schedule/Csv.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/status/Status.h"
#include "runtime/text/Printable.h"

namespace sbp::schedule {
namespace {

/// A micro-batch, or part of one, as a cell names it.
struct Index {
  int64_t microBatch = 0;
  std::optional<int64_t> part;
};

/// A cell as written, before the numbers of parts and micro-batches are known.
struct Cell {
  Task task;
  std::optional<Index> first, last;
  std::optional<int64_t> delay;  // of an update
};

/// Largest number in a cell.
constexpr int64_t kLargest = kMaxStageParts;

bool isDigit(char letter) { return letter >= '0' && letter <= '9'; }

/// Whether `letter` may be part of a kind. PyTorch has kinds of several
/// letters, such as SEND_F.
bool isKindLetter(char letter) {
  return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') ||
         letter == '_';
}

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Reads a cell from left to right.
class CellReader {
 public:
  explicit CellReader(std::string_view text) : text_(text), left_(text) {}

  absl::StatusOr<Cell> read() {
    Cell cell;
    SBP_ASSIGN_OR_RETURN(cell.task.stage, number("a stage"));
    SBP_ASSIGN_OR_RETURN(cell.task.kind, kind());
    if (isPerPart(cell.task.kind) || startsWithDigit()) {
      SBP_ASSIGN_OR_RETURN(cell.first, index());
      cell.last = cell.first;
      if (take('-')) {
        SBP_ASSIGN_OR_RETURN(cell.last, index());
      }
    }
    if (take('<')) {
      SBP_ASSIGN_OR_RETURN(const int64_t numStepsBefore,
                           number("a number of steps"));
      cell.task.stepOffset = -numStepsBefore;
    }
    if (cell.task.kind == Kind::Update) {
      cell.delay = 0;
      if (take('+')) {
        SBP_ASSIGN_OR_RETURN(cell.delay, number("a number of updates"));
      }
    }
    if (take('@')) {
      SBP_RETURN_IF_ERROR(number("a slot").status());
    }
    if (!left_.empty())
      return error(
          "'{}' ends with '{}', which means nothing there; a cell is "
          "<stage><kind><micro-batch>, such as 2B1",
          text_, left_);
    return cell;
  }

 private:
  bool startsWithDigit() const { return !left_.empty() && isDigit(left_[0]); }

  bool take(char sign) {
    if (left_.empty() || left_[0] != sign) return false;
    left_.remove_prefix(1);
    return true;
  }

  absl::StatusOr<int64_t> number(std::string_view what) {
    size_t length = 0;
    while (length < left_.size() && isDigit(left_[length])) ++length;
    const std::string_view digits = left_.substr(0, length);
    if (digits.empty())
      return error(
          "'{}' lacks {}{}; a cell is <stage><kind><micro-batch>, "
          "such as 2B1",
          text_, what, left_.empty() ? "" : fmt::format(" before '{}'", left_));
    int64_t value = 0;
    const auto read =
        std::from_chars(digits.data(), digits.data() + length, value);
    if (read.ec != std::errc() || value > kLargest)
      return error("'{}' has {} {}; {} is the largest number in a cell", text_,
                   what, digits, kLargest);
    left_.remove_prefix(length);
    return value;
  }

  absl::StatusOr<Kind> kind() {
    size_t length = 0;
    while (length < left_.size() && isKindLetter(left_[length])) ++length;
    const std::string_view word = left_.substr(0, length);
    left_.remove_prefix(length);
    if (word.size() == 1)
      if (const std::optional<Kind> kind = taskKindOf(word[0])) return *kind;
    return error(
        "'{}' has '{}' for a kind; there are F, B, I, W, R, G and U, "
        "and what is sent follows from them",
        text_, word);
  }

  absl::StatusOr<Index> index() {
    Index index;
    SBP_ASSIGN_OR_RETURN(index.microBatch, number("a micro-batch"));
    if (take('.')) {
      SBP_ASSIGN_OR_RETURN(index.part, number("a part"));
    }
    return index;
  }

  std::string_view text_, left_;
};

/// Returns the texts of the tasks in `word`, the text between two commas: no
/// task for an idle slot, one for a cell, two for "(0F7;3B2)OVERLAP_F_B".
absl::StatusOr<std::vector<std::string_view>> tasksOf(std::string_view word) {
  constexpr std::string_view kOverlap = ")OVERLAP_F_B";
  if (word.empty()) return std::vector<std::string_view>{};
  if (word[0] != '(') return std::vector<std::string_view>{word};
  const size_t end = word.size() - std::min(word.size(), kOverlap.size());
  std::vector<std::string_view> parts =
      split(word.substr(1, std::max<size_t>(end, 1) - 1), ';');
  if (word.substr(end) != kOverlap || parts.size() != 2)
    return error("'{}' is no pair of tasks, such as (0F7;3B2)OVERLAP_F_B",
                 word);
  return parts;
}

/// The sizes and the delay of a table, as derived from its cells.
struct Counts {
  int64_t stages = 0, microBatches = 0, parts = 1;
  std::optional<int64_t> delay;

  absl::Status add(const Cell& cell) {
    stages = std::max(stages, cell.task.stage + 1);
    for (const std::optional<Index>& index : {cell.first, cell.last}) {
      if (!index) continue;
      microBatches = std::max(microBatches, index->microBatch + 1);
      parts = std::max(parts, index->part.value_or(0) + 1);
    }
    if (cell.delay && delay.value_or(*cell.delay) != *cell.delay)
      return error(
          "this update has a delay of {} updates, others have {}; all updates "
          "of a table have the same delay",
          *cell.delay, *delay);
    if (cell.delay) delay = cell.delay;
    return absl::OkStatus();
  }
};

/// Returns the task of a cell, given the sizes of the table.
absl::StatusOr<Task> taskOf(const Cell& cell, const Table& table) {
  Task task = cell.task;
  if (!cell.first) {
    task.count = table.numParts();
    return task;
  }
  const int64_t parts = table.partsPerMicroBatch;
  task.first = cell.first->microBatch * parts + cell.first->part.value_or(0);
  const int64_t last =
      cell.last->microBatch * parts + cell.last->part.value_or(parts - 1);
  task.count = last - task.first + 1;
  if (task.count < 1)
    return error("micro-batches are counted upwards, as in 0F2-3");
  return task;
}

/// Adds line and cell, counted from 1, to an error. The text may come from any
/// file, so the error is made printable for a terminal.
absl::Status at(size_t line, size_t cell, const absl::Status& status) {
  return error("line {}, cell {}: {}", line + 1, cell + 1,
               text::printable(textOf(status)));
}

std::string indexOf(const Table& table, int64_t part, bool isWhole) {
  const int64_t parts = table.partsPerMicroBatch;
  if (isWhole) return fmt::format("{}", part / parts);
  return fmt::format("{}.{}", part / parts, part % parts);
}

std::string runOf(const Table& table, const Task& task) {
  const int64_t parts = table.partsPerMicroBatch;
  const bool isWhole = task.first % parts == 0 && task.count % parts == 0;
  std::string text = indexOf(table, task.first, isWhole);
  if (task.count > (isWhole ? parts : 1))
    text += "-" + indexOf(table, task.end() - 1, isWhole);
  return text;
}

}  // namespace

std::string cellOf(const Table& table, const Task& task) {
  std::string text = fmt::format("{}{}", task.stage, letterOf(task.kind));
  if (!isOfWholeStep(table, task)) text += runOf(table, task);
  if (task.stepOffset < 0) text += fmt::format("<{}", -task.stepOffset);
  if (task.kind == Kind::Update && table.delay > 0)
    text += fmt::format("+{}", table.delay);
  return text;
}

std::string csvOf(const Table& table) {
  std::string text;
  for (const std::vector<Task>& tasks : table.workers) {
    std::vector<std::string> cells;
    for (const Task& task : tasks) cells.push_back(cellOf(table, task));
    // An empty last line would not count as a worker, so write two empty cells.
    if (cells.empty()) cells = {"", ""};
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

absl::StatusOr<Table> readCsv(std::string_view text) {
  using Place = std::pair<size_t, size_t>;  // line, cell
  std::vector<std::pair<Place, Cell>> cells;
  Counts counts;
  text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
  const std::vector<std::string_view> lines = split(text, '\n');
  for (size_t line = 0; line < lines.size(); ++line) {
    const std::vector<std::string_view> words = split(lines[line], ',');
    for (size_t i = 0; i < words.size(); ++i) {
      const absl::StatusOr<std::vector<std::string_view>> tasks =
          tasksOf(trimmed(words[i]));
      if (!tasks.ok()) return at(line, i, tasks.status());
      for (std::string_view task : *tasks) {
        absl::StatusOr<Cell> cell = CellReader(task).read();
        if (!cell.ok()) return at(line, i, cell.status());
        const absl::Status fits = counts.add(*cell);
        if (!fits.ok()) return at(line, i, fits);
        cells.emplace_back(Place(line, i), *std::move(cell));
      }
    }
  }
  if (cells.empty())
    return error("the table has no tasks; a line has cells such as 0F0,0B0");
  Table table;
  table.numStages = counts.stages;
  table.numMicroBatches = counts.microBatches;
  table.partsPerMicroBatch = counts.parts;
  table.delay = counts.delay.value_or(0);
  table.workers.resize(lines.size());
  for (const auto& [place, cell] : cells) {
    absl::StatusOr<Task> task = taskOf(cell, table);
    if (!task.ok()) return at(place.first, place.second, task.status());
    table.workers[place.first].push_back(*task);
  }
  return table;
}

}  // namespace sbp::schedule
