#include "tools/version/Version.h"

#include "llvm/Config/llvm-config.h"
#include "tools/version/Commit.h"

namespace sbp {

std::string versionOf(const std::string& name) {
  return name + " " SBP_VERSION " (commit " SBP_COMMIT
                ", LLVM " LLVM_VERSION_STRING ")";
}

}  // namespace sbp
