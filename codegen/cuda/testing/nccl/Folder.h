// A folder through which processes exchange bytes.

#ifndef CODEGEN_CUDA_TESTING_NCCL_FOLDER_H_
#define CODEGEN_CUDA_TESTING_NCCL_FOLDER_H_

#include <optional>
#include <string>
#include <string_view>

namespace sbp::nccl {

/// A folder that several processes use. Each file in it appears as a whole.
class Folder {
 public:
  /// Creates a new folder for temporary files, and returns its path.
  static std::string create();

  explicit Folder(std::string path) : path_(std::move(path)) {}

  void put(const std::string& name, std::string_view bytes) const;
  bool has(const std::string& name) const;
  /// Returns the bytes of a file if there is one.
  std::optional<std::string> get(const std::string& name) const;
  void remove(const std::string& name) const;

  /// Waits until there is a file `name`, and returns its bytes. Returns nothing
  /// if there is none for a minute.
  std::optional<std::string> await(const std::string& name) const;

  /// Removes the folder and all of its files.
  void removeAll() const;

 private:
  std::string pathOf(const std::string& name) const {
    return path_ + "/" + name;
  }

  std::string path_;
};

}  // namespace sbp::nccl

#endif  // CODEGEN_CUDA_TESTING_NCCL_FOLDER_H_
