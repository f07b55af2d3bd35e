// Guarded memory of mapped files: it stays readable when a file becomes
// shorter. On access to a lost page, a handler of SIGBUS replaces this page by
// a page of zeros and marks the region.

#ifndef RUNTIME_FILE_MAPPEDREGIONS_H_
#define RUNTIME_FILE_MAPPEDREGIONS_H_

#include <atomic>
#include <cstddef>

namespace sbp::file {

/// A range of memory that is guarded.
class MappedRegion {
 public:
  /// Guards the `bytes` bytes at `base` until destruction.
  MappedRegion(void* base, size_t bytes);
  ~MappedRegion();

  MappedRegion(const MappedRegion&) = delete;
  MappedRegion& operator=(const MappedRegion&) = delete;

  /// Whether an access has hit a page that the file no longer has or that could
  /// not be read.
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
