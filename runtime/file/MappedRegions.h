// Memory that is mapped from files, and stays readable when a file becomes
// shorter: a page that is gone is replaced by one of zeros, in the handler of
// SIGBUS, and its region knows.

#ifndef RUNTIME_FILE_MAPPEDREGIONS_H_
#define RUNTIME_FILE_MAPPEDREGIONS_H_

#include <atomic>
#include <cstddef>

namespace sbp::file {

class MappedRegion {
 public:
  /// Guards the `bytes` bytes at `base`, until the destructor.
  MappedRegion(void* base, size_t bytes);
  ~MappedRegion();

  MappedRegion(const MappedRegion&) = delete;
  MappedRegion& operator=(const MappedRegion&) = delete;

  /// Whether a page of it was touched that its file no longer has.
  bool hasLostPages() const { return hasLost; }

 private:
  friend class MappedRegions;

  char* base;
  size_t bytes;
  std::atomic<bool> hasLost = false;
  MappedRegion* next = nullptr;
};

}  // namespace sbp::file

#endif  // RUNTIME_FILE_MAPPEDREGIONS_H_
