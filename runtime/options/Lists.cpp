#include "runtime/options/Lists.h"

#include "absl/strings/str_split.h"
#include "runtime/text/Counted.h"

namespace sbp::options {

std::vector<std::string> partsOf(const std::string& name,
                                 const std::string& word,
                                 const ListForm& form) {
  std::vector<std::string> parts = absl::StrSplit(word, form.separator);
  for (std::string& part : parts) {
    std::string error = form.each(part);
    if (error.empty()) continue;
    if (parts.size() > 1) error += fmt::format(", in \"{}\"", word);
    throw CLI::ValidationError(name, error);
  }
  if (parts.size() < form.least || parts.size() > form.most)
    throw CLI::ValidationError(
        name, fmt::format("\"{}\" has {}; {} to {} are accepted", word,
                          text::counted(int64_t(parts.size()), "value"),
                          form.least, form.most));
  return parts;
}

}  // namespace sbp::options
