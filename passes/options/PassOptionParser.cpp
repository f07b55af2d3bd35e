#include "passes/options/PassOptionParser.h"

#include "CLI/CLI.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {

bool PassOptionParser::TextParser::parse(llvm::cl::Option&, StringRef,
                                         StringRef text, std::string& value) {
  lacksValue = text.data() == nullptr;
  value = text.str();
  return false;
}

bool PassOptionParser::Entry::isGiven() const {
  return text->hasValue() &&
         !(declared.front().mayBeEmpty && text->getValue().empty());
}

std::string PassOptionParser::Entry::read() const {
  // The error messages are those of sbpc's command line.
  if (int count = text->getNumOccurrences(); count > 1)
    return CLI::ArgumentMismatch::AtMost(name, 1, count).what();
  const DeclaredOption& first = declared.front();
  if (text->getParser().lacksValue && !first.isFlag)
    return CLI::ArgumentMismatch::TypedAtLeast(name, 1, first.placeholder)
        .what();
  if (!isGiven()) return "";
  for (const DeclaredOption& option : declared)
    if (std::string fault = option.read(text->getValue()); !fault.empty())
      return name + ": " + fault;
  return "";
}

void PassOptionParser::declare(DeclaredOption option) {
  for (std::unique_ptr<Entry>& entry : entries_)
    if (entry->name == option.name)
      return entry->declared.push_back(std::move(option));
  auto entry = std::make_unique<Entry>();
  entry->name = option.name;
  entry->description = option.text;
  entry->text = std::make_unique<Option<std::string, TextParser>>(
      *this, StringRef(entry->name), llvm::cl::desc(entry->description));
  // LLVM's error for a missing value would be printed past the error handler.
  entry->text->setValueExpectedFlag(llvm::cl::ValueOptional);
  entry->declared.push_back(std::move(option));
  entries_.push_back(std::move(entry));
}

void PassOptionParser::need(const std::string& name, const std::string& other) {
  needs_.emplace_back(name, other);
}

void PassOptionParser::exclude(const std::string& name,
                               const std::string& other) {
  exclusions_.emplace_back(name, other);
}

bool PassOptionParser::isGiven(const std::string& name) const {
  return llvm::any_of(entries_, [&](const std::unique_ptr<Entry>& entry) {
    return entry->name == name && entry->isGiven();
  });
}

std::string PassOptionParser::readEntries() const {
  for (const std::unique_ptr<Entry>& entry : entries_)
    if (std::string fault = entry->read(); !fault.empty()) return fault;
  for (const auto& [name, other] : needs_)
    if (isGiven(name) && !isGiven(other))
      return CLI::RequiresError(name, other).what();
  for (const auto& [name, other] : exclusions_)
    if (isGiven(name) && isGiven(other))
      return CLI::ExcludesError(name, other).what();
  return "";
}

std::string PassOptionParser::names() const {
  return llvm::join(llvm::map_range(entries_,
                                    [](const std::unique_ptr<Entry>& entry) {
                                      return entry->name;
                                    }),
                    ", ");
}

LogicalResult PassOptionParser::parse(StringRef text,
                                      ErrorHandler handleError) {
  std::string fault;
  llvm::raw_string_ostream faults(fault);
  if (failed(parseFromString(text, faults))) {
    StringRef unknown = StringRef(fault).trim();
    unknown.consume_front("<Pass-Options-Parser>: ");
    return handleError(unknown + "; options are " + names());
  }
  fault = readEntries();
  return fault.empty() ? success() : handleError(fault);
}

}  // namespace sbp
