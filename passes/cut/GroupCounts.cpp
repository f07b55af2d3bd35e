#include "passes/cut/GroupCounts.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/SmallVector.h"
#include "runtime/plan/Check.h"

namespace sbp {

std::string GroupCounts::read(llvm::StringRef text, GroupCounts& counts) {
  llvm::SmallVector<llvm::StringRef, 3> parts;
  text.split(parts, 'x');
  std::vector<int64_t> numbers;
  int64_t product = 1;
  for (llvm::StringRef part : parts) {
    int64_t number = 0;
    if (part.getAsInteger(10, number) || number < 1 ||
        number > plan::kMaxRanks / product)
      return absl::StrCat("\"", std::string(text),
                          "\" is no integer from 1 to ", plan::kMaxRanks,
                          ", nor a product of one per level, as 1x8x1");
    numbers.push_back(number);
    product *= number;
  }
  counts = GroupCounts(std::move(numbers));
  return "";
}

int64_t GroupCounts::numGroups() const {
  if (!isGiven()) return 0;
  int64_t product = 1;
  for (int64_t count : counts_) product *= count;
  return product;
}

std::string GroupCounts::str() const { return absl::StrJoin(counts_, "x"); }

}  // namespace sbp
