#include "passes/options/PipelineText.h"

#include <utility>

#include "llvm/Support/raw_ostream.h"

namespace sbp {

void PipelineText::declare(DeclaredOption option) {
  for (std::unique_ptr<Entry>& entry : entries_)
    if (entry->name == option.name)
      return entry->declared.push_back(std::move(option));
  auto entry = std::make_unique<Entry>();
  entry->name = option.name;
  entry->description = option.text;
  entry->text = std::make_unique<Option<std::string>>(
      *this, StringRef(entry->name), llvm::cl::desc(entry->description));
  if (option.isFlag) entry->text->setValueExpectedFlag(llvm::cl::ValueOptional);
  entry->declared.push_back(std::move(option));
  entries_.push_back(std::move(entry));
}

LogicalResult PipelineText::read(StringRef text, ErrorHandler handleError) {
  if (failed(parseFromString(text, llvm::errs()))) return failure();
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (!entry->text->hasValue()) continue;
    const std::string& value = entry->text->getValue();
    for (const DeclaredOption& option : entry->declared) {
      if (option.isNotGiven && option.isNotGiven(value)) continue;
      if (std::string fault = option.read(value); !fault.empty())
        return handleError(option.name + ": " + fault);
    }
  }
  return success();
}

}  // namespace sbp
