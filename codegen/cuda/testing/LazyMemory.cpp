#include "codegen/cuda/testing/LazyMemory.h"

#include <sys/mman.h>

#include <algorithm>

#include "llvm/Support/ErrorHandling.h"

namespace sbp::cuda {
namespace {

// Returns the size of the mapping: at least one byte, as mmap requires.
size_t mapped(int64_t bytes) {
  return static_cast<size_t>(std::max<int64_t>(bytes, 1));
}

}  // namespace

LazyMemory::LazyMemory(int64_t bytes) : bytes_(bytes) {
  void* address = mmap(nullptr, mapped(bytes), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED)
    llvm::report_fatal_error("there are no addresses for a buffer");
  begin_ = static_cast<std::byte*>(address);
}

LazyMemory::~LazyMemory() {
  if (begin_) munmap(begin_, mapped(bytes_));
}

}  // namespace sbp::cuda
