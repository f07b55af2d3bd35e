#include "passes/options/PipelineOptionParser.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {

void PipelineOptionParser::declare(DeclaredOption option) {
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

std::string PipelineOptionParser::names() const {
  return llvm::join(llvm::map_range(entries_,
                                    [](const std::unique_ptr<Entry>& entry) {
                                      return entry->name;
                                    }),
                    ", ");
}

LogicalResult PipelineOptionParser::parse(StringRef text,
                                          ErrorHandler handleError) {
  std::string fault;
  llvm::raw_string_ostream faults(fault);
  if (failed(parseFromString(text, faults)))
    return handleError(StringRef(fault).trim() + "; options are " + names());
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
