#include "runtime/checkpoint/TensorFiles.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/file/MappedFile.h"
#include "runtime/file/OutputFile.h"
#include "runtime/json/Cursor.h"
#include "runtime/status/Status.h"

namespace sbp::checkpoint {
namespace {

constexpr std::string_view kIndexEnding = ".json";

bool isIndex(std::string_view path) {
  return path.size() > kIndexEnding.size() &&
         path.substr(path.size() - kIndexEnding.size()) == kIndexEnding;
}

/// Reads the index at `path`: the file name of each tensor.
absl::StatusOr<std::map<std::string, std::string>> readIndex(
    const std::string& path) {
  SBP_ASSIGN_OR_RETURN(const file::MappedFile file,
                       file::MappedFile::open(path));
  const auto value = json::parse(file.bytes());
  SBP_RETURN_IF_ERROR(file.checkWhole());
  absl::Status status = value.status();
  std::map<std::string, std::string> fileOf;
  if (status.ok()) {
    const json::Cursor root(*value, status);
    const json::Cursor map = root["weight_map"];
    for (const std::string& name : map.keys())
      fileOf[name] = map[name].string();
  }
  if (!status.ok())
    return error("cannot read {}: it is no index of safetensors files: {}",
                 path, textOf(status));
  return fileOf;
}

}  // namespace

absl::StatusOr<TensorFiles> TensorFiles::open(const std::string& path) {
  if (isIndex(path)) return openIndex(path);
  TensorFiles all;
  SBP_ASSIGN_OR_RETURN(SafetensorsReader file, SafetensorsReader::open(path));
  all.infos = file.tensors();
  for (size_t i = 0; i < all.infos.size(); ++i) all.locations.push_back({0, i});
  all.fileMetadata = file.metadata();
  all.files.push_back(std::move(file));
  return all;
}

absl::StatusOr<std::vector<std::string>> TensorFiles::filesOf(
    const std::string& path) {
  std::vector<std::string> files = {path};
  if (!isIndex(path)) return files;
  SBP_ASSIGN_OR_RETURN(const auto fileOf, readIndex(path));
  const std::string folder = file::SplitPath(path).folder;
  std::set<std::string> names;
  for (const auto& [tensor, name] : fileOf)
    if (names.insert(name).second) files.push_back(folder + name);
  return files;
}

absl::StatusOr<TensorFiles> TensorFiles::openIndex(const std::string& path) {
  SBP_ASSIGN_OR_RETURN(const auto fileOf, readIndex(path));
  const std::string folder = file::SplitPath(path).folder;
  TensorFiles all;
  std::map<std::string, size_t> numbers;  // index into files, by name
  for (const auto& [name, fileName] : fileOf) {
    const auto [number, isNew] = numbers.emplace(fileName, all.files.size());
    if (isNew) {
      SBP_ASSIGN_OR_RETURN(SafetensorsReader file,
                           SafetensorsReader::open(folder + fileName));
      all.files.push_back(std::move(file));
    }
    const std::vector<TensorInfo>& infos = all.files[number->second].tensors();
    const auto found = std::find_if(infos.begin(), infos.end(),
                                    [&, &name = name](const TensorInfo& info) {
                                      return info.name == name;
                                    });
    if (found == infos.end())
      return error("{} says that \"{}\" is in {}{}, which lacks it", path, name,
                   folder, fileName);
    all.infos.push_back(*found);
    all.locations.push_back({number->second, size_t(found - infos.begin())});
  }
  return all;
}

absl::Status TensorFiles::checkWhole() const {
  for (const SafetensorsReader& file : files)
    SBP_RETURN_IF_ERROR(file.checkWhole());
  return absl::OkStatus();
}

}  // namespace sbp::checkpoint
