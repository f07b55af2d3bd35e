#include "runtime/file/OutputFile.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "runtime/status/Status.h"

namespace sbp::file {
namespace {

// The name of a temporary file is NAME.Xc51Wd.partial.
constexpr std::string_view kEnding = ".partial";
constexpr size_t kNumRandomCharacters = 6;
constexpr size_t kSuffixSize = 1 + kNumRandomCharacters + kEnding.size();

absl::Status cannotWrite(const std::string& path) {
  return error("cannot write {}: {}", path, std::strerror(errno));
}

std::string temporaryName(const std::string& path) {
  constexpr std::string_view kCharacters =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::random_device random;
  std::string name = path + ".";
  for (size_t i = 0; i < kNumRandomCharacters; ++i)
    name += kCharacters[random() % kCharacters.size()];
  return name.append(kEnding);
}

/// Returns the name of the file for which `name` is a temporary one; empty if
/// `name` is not a temporary name.
std::string_view targetOf(std::string_view name) {
  if (name.size() <= kSuffixSize) return {};
  const std::string_view suffix = name.substr(name.size() - kSuffixSize);
  const bool isTemporary =
      suffix[0] == '.' && suffix.substr(1 + kNumRandomCharacters) == kEnding;
  return isTemporary ? name.substr(0, name.size() - kSuffixSize)
                     : std::string_view();
}

/// Locks a temporary file that has just been created. Returns false if another
/// process has removed it as a leftover in the meantime.
bool lockNew(int fd) {
  // Without locks in the file system, leftovers are never removed.
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat status;
  return fstat(fd, &status) == 0 && status.st_nlink > 0;
}

/// Removes a temporary file unless a process holds its lock.
void removeIfAbandoned(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) unlink(path.c_str());
  close(fd);
}

/// Makes the entries of `folder` durable, if the file system supports it.
void syncFolder(const std::string& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)fsync(fd);
  close(fd);
}

}  // namespace

SplitPath::SplitPath(const std::string& path) {
  const size_t slash = path.rfind('/');
  folder = slash == path.npos ? "./" : path.substr(0, slash + 1);
  name = slash == path.npos ? path : path.substr(slash + 1);
}

absl::Status checkWritable(const std::string& path) {
  const SplitPath split(path);
  removeLeftovers(split.folder,
                  [&](std::string_view name) { return name == split.name; });
  return OutputFile::create(path).status();
}

std::optional<int64_t> freeBytes(const std::string& path) {
  struct statvfs status;
  if (statvfs(SplitPath(path).folder.c_str(), &status) != 0) return {};
  if (status.f_blocks == 0) return {};  // no block device
  return int64_t(status.f_bavail) * int64_t(status.f_frsize);
}

void removeLeftovers(const std::string& folder,
                     const std::function<bool(std::string_view)>& isWanted) {
  DIR* entries = opendir(folder.c_str());
  if (!entries) return;
  std::vector<std::string> found;
  while (const dirent* entry = readdir(entries)) {
    const std::string_view target = targetOf(entry->d_name);
    if (!target.empty() && isWanted(target)) found.push_back(entry->d_name);
  }
  closedir(entries);
  for (const std::string& name : found) removeIfAbandoned(folder + name);
}

absl::StatusOr<OutputFile> OutputFile::create(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return error("cannot write {}: it is {}", path,
                 S_ISDIR(status.st_mode) ? "a folder" : "no regular file");
  while (true) {
    std::string temporary = temporaryName(path);
    const int fd =
        open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) continue;
    if (fd < 0) return cannotWrite(path);
    if (lockNew(fd)) return OutputFile(path, std::move(temporary), fd);
    close(fd);
    unlink(temporary.c_str());
  }
}

OutputFile::~OutputFile() {
  if (!temporary.empty()) unlink(temporary.c_str());
  if (fd >= 0) close(fd);
}

absl::Status OutputFile::write(const void* data, size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(fd, next, std::min(bytes, size_t{1} << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannotWrite(path);
    next += written;
    bytes -= written;
  }
  return absl::OkStatus();
}

absl::Status OutputFile::commit() {
  if (fsync(fd) != 0) return cannotWrite(path);
  // The descriptor holds the lock, so it is closed only after renaming.
  if (rename(temporary.c_str(), path.c_str()) != 0) return cannotWrite(path);
  temporary.clear();
  if (close(std::exchange(fd, -1)) != 0) return cannotWrite(path);
  syncFolder(SplitPath(path).folder);
  return absl::OkStatus();
}

absl::Status linkAs(const std::string& path, const std::string& alias) {
  const std::string temporary = temporaryName(alias);
  // The file is locked while it has a temporary name, like any temporary file.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannotWrite(alias);
  (void)flock(fd, LOCK_SH | LOCK_NB);
  absl::Status linked;
  if (link(path.c_str(), temporary.c_str()) != 0 &&
      symlink(SplitPath(path).name.c_str(), temporary.c_str()) != 0) {
    linked = cannotWrite(alias);
  } else if (rename(temporary.c_str(), alias.c_str()) != 0) {
    linked = cannotWrite(alias);
  }
  // The temporary name still exists if both names already were the same file:
  // rename does nothing then.
  unlink(temporary.c_str());
  close(fd);
  if (linked.ok()) syncFolder(SplitPath(alias).folder);
  return linked;
}

}  // namespace sbp::file
