// A shared library that a program loads at run time, because it must also run
// where the library is not installed.

#ifndef RUNTIME_LIBRARY_SHAREDLIBRARY_H_
#define RUNTIME_LIBRARY_SHAREDLIBRARY_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace sbp {

/// A loaded library. It stays loaded until the process ends.
class SharedLibrary {
 public:
  /// Loads the first of `candidates` that can be loaded. A candidate is a path,
  /// or a name for which the loader searches. Fails with what the loader says
  /// about each name, and about each path at which there is a file.
  static absl::StatusOr<SharedLibrary> load(
      const std::vector<std::string>& candidates);

  /// Sets `function` to the function `name` of the library. If there is none,
  /// sets it to null, and checkComplete() fails.
  template <typename Function>
  void find(const char* name, Function& function) {
    findOptional(name, function);
    if (!function) missing_.emplace_back(name);
  }

  /// Sets `function` to the function `name` of the library, or to null.
  template <typename Function>
  void findOptional(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(addressOf(name));
  }

  /// Fails if find() has not found a function; the error names all of these.
  absl::Status checkComplete() const;

  /// The candidate that was loaded.
  const std::string& path() const { return path_; }

 private:
  SharedLibrary(void* handle, std::string path)
      : handle_(handle), path_(std::move(path)) {}

  void* addressOf(const char* name) const;

  void* handle_;
  std::string path_;
  std::vector<std::string> missing_;
};

}  // namespace sbp

#endif  // RUNTIME_LIBRARY_SHAREDLIBRARY_H_
