#include "runtime/checkpoint/Series.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "runtime/file/OutputFile.h"
#include "runtime/status/Status.h"
#include "runtime/train/Progress.h"

namespace sbp::checkpoint {

Series::Series(std::string path, int64_t every, int64_t keep)
    : newestPath(std::move(path)), every(every), keep(keep) {
  const file::SplitPath split(newestPath);
  folder = split.folder;
  const size_t dot = split.name.rfind('.');
  const bool hasExtension = dot != std::string::npos && dot > 0;
  stem = hasExtension ? split.name.substr(0, dot) : split.name;
  if (hasExtension) extension = split.name.substr(dot);
}

std::string Series::pathOf(int64_t step) const {
  // Leading zeros, so that file names sort in the order of steps.
  const std::string name = fmt::format("{}-{:06}{}", stem, step, extension);
  return folder == "./" ? name : folder + name;
}

bool Series::isMember(std::string_view name) const {
  if (name == stem + extension) return true;
  if (name.size() <= stem.size() + 1 + extension.size()) return false;
  const std::string_view number = name.substr(
      stem.size() + 1, name.size() - stem.size() - 1 - extension.size());
  return name.substr(0, stem.size()) == stem && name[stem.size()] == '-' &&
         name.substr(stem.size() + 1 + number.size()) == extension &&
         number.find_first_not_of("0123456789") == number.npos;
}

absl::Status Series::check(int64_t firstStep, int64_t lastStep,
                           int64_t bytes) const {
  file::removeLeftovers(folder,
                        [&](std::string_view name) { return isMember(name); });
  SBP_RETURN_IF_ERROR(file::checkWritable(newestPath));
  // Maximum number of files at once: a new file appears before the oldest one
  // is removed.
  const int64_t numDue = every > 0 ? lastStep / every - firstStep / every : 0;
  const int64_t numKept = keep > 0 ? std::min(numDue, keep) : numDue;
  const bool isOneMore = numDue > numKept || !isDue(lastStep);
  const int64_t numFiles = numKept + (isOneMore ? 1 : 0);
  const std::optional<int64_t> free = file::freeBytes(newestPath);
  if (!free || bytes <= *free / numFiles) return absl::OkStatus();
  const auto text = [](int64_t count) {
    return train::abbreviate(double(count)) + "B";
  };
  return error(
      "cannot write {}: {} of {} {} more than the {} that are free", newestPath,
      numFiles == 1 ? "a checkpoint" : fmt::format("{} checkpoints", numFiles),
      text(bytes), numFiles == 1 ? "needs" : "need", text(*free));
}

absl::Status Series::noteWritten(int64_t step) {
  SBP_RETURN_IF_ERROR(file::linkAs(pathOf(step), newestPath));
  written.push_back(step);
  if (keep == 0 || int64_t(written.size()) <= keep) return absl::OkStatus();
  const std::string oldest = pathOf(written.front());
  written.pop_front();
  // It is no error if the file has been removed already.
  if (unlink(oldest.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return error("cannot remove {}: {}", oldest, std::strerror(errno));
}

}  // namespace sbp::checkpoint
