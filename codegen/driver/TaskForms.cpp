#include "codegen/driver/TaskForms.h"

#include "codegen/plan/PrintTasks.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace sbp {
namespace {

constexpr llvm::StringLiteral kFolder = "tasks/";

/// Returns `symbol` as the name of a folder. Characters other than letters,
/// digits, "_" and "-" become their codes: a symbol may have any.
std::string folderNameOf(StringRef symbol) {
  std::string name;
  for (const char c : symbol)
    if (llvm::isAlnum(c) || c == '_' || c == '-')
      name += c;
    else
      name += "%" + llvm::toHex(StringRef(&c, 1));
  return name;
}

}  // namespace

void TaskForms::restart() {
  for (const std::string& file : files_) {
    llvm::SmallString<128> path(output_.formsFolder);
    llvm::sys::path::append(path, file);
    (void)llvm::sys::fs::remove(path);
  }
  files_.clear();
  steps_.clear();
}

LogicalResult TaskForms::add(const LayoutStep& step,
                             const EntryMemory& memory) {
  mlir::func::FuncOp entry = memory.list.calls.front().function;
  auto program = llvm::cast<rank::ProgramOp>(entry->getParentOp());
  const std::string folder =
      llvm::formatv("rank-{0}/{1}", program.getRanks().front(),
                    folderNameOf(entry.getName()));
  const std::string file = llvm::formatv(
      "{0}-{1}.txt", llvm::format("%02d", static_cast<int>(step.number)),
      step.name);
  std::string text = textOf(memory);
  llvm::raw_string_ostream steps(steps_);
  if (step.number == 1) {
    steps << folder << ": entry @" << entry.getName() << " of "
          << (program.getRanks().size() == 1 ? "rank " : "ranks ");
    llvm::interleaveComma(program.getRanks(), steps);
    steps << "\n";
  }
  const bool isUnchanged = step.number > 1 && text == last_;
  steps << "  " << file << (isUnchanged ? "  changes nothing" : "") << "\n";
  last_ = std::move(text);
  return write(entry.getContext(), kFolder.str() + folder + "/" + file, last_);
}

LogicalResult TaskForms::finish(MLIRContext* context) {
  return write(context, kFolder.str() + "steps.txt", steps_);
}

LogicalResult TaskForms::write(MLIRContext* context, const std::string& file,
                               StringRef text) {
  if (failed(writeForm(context, output_, file, text))) return failure();
  files_.push_back(file);
  return success();
}

}  // namespace sbp
