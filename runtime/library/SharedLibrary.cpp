#include "runtime/library/SharedLibrary.h"

#include <dlfcn.h>
#include <unistd.h>

#include "runtime/status/Status.h"

namespace sbp {

absl::StatusOr<SharedLibrary> SharedLibrary::load(
    const std::vector<std::string>& candidates) {
  std::vector<std::string> errors;
  for (const std::string& candidate : candidates) {
    if (void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL))
      return SharedLibrary(handle, candidate);
    const std::string said = dlerror();
    const bool isPath = candidate.find('/') != std::string::npos;
    if (!isPath || access(candidate.c_str(), F_OK) == 0) errors.push_back(said);
  }
  return error("{}", fmt::join(errors, "; "));
}

absl::Status SharedLibrary::checkComplete() const {
  if (missing_.empty()) return absl::OkStatus();
  return error("{} has no {}: it is too old", path_, fmt::join(missing_, ", "));
}

void* SharedLibrary::addressOf(const char* name) const {
  return dlsym(handle_, name);
}

}  // namespace sbp
