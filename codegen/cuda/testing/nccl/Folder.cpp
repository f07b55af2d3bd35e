#include "codegen/cuda/testing/nccl/Folder.h"

#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace sbp::nccl {

std::string Folder::create() {
  std::string path =
      (std::filesystem::temp_directory_path() / "nccl-XXXXXX").string();
  return mkdtemp(path.data()) ? path : "";
}

void Folder::put(const std::string& name, std::string_view bytes) const {
  const std::string temporary = pathOf(name) + ".new";
  std::ofstream(temporary, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::filesystem::rename(temporary, pathOf(name));
}

bool Folder::has(const std::string& name) const {
  return access(pathOf(name).c_str(), F_OK) == 0;
}

std::optional<std::string> Folder::get(const std::string& name) const {
  std::ifstream file(pathOf(name), std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void Folder::remove(const std::string& name) const {
  unlink(pathOf(name).c_str());
}

std::optional<std::string> Folder::await(const std::string& name) const {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::minutes(1);
  while (!has(name) && Clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return get(name);
}

void Folder::removeAll() const { std::filesystem::remove_all(path_); }

}  // namespace sbp::nccl
