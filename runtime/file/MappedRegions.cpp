#include "runtime/file/MappedRegions.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sbp::file {

/// All regions of the process, and the handler of SIGBUS. The handler may run
/// in any thread at any time. But it never runs in a thread that holds the
/// lock, because no code accesses a region while it holds the lock.
class MappedRegions {
 public:
  static void add(MappedRegion& region) {
    [[maybe_unused]] static const bool isHandled = handleSignal();
    const Lock lock;
    region.next = first;
    first = &region;
  }

  static void remove(MappedRegion& region) {
    const Lock lock;
    for (MappedRegion** link = &first; *link; link = &(*link)->next) {
      if (*link != &region) continue;
      *link = region.next;
      return;
    }
  }

 private:
  class Lock {
   public:
    Lock() {
      while (isLocked.test_and_set(std::memory_order_acquire)) {
      }
    }
    ~Lock() { isLocked.clear(std::memory_order_release); }
  };

  static bool handleSignal() {
    pageBytes = sysconf(_SC_PAGESIZE);
    struct sigaction action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGBUS, &action, &former) == 0;
  }

  static void handle(int number, siginfo_t* info, void*) {
    char* const address = static_cast<char*>(info->si_addr);
    if (info->si_code == BUS_ADRERR && replace(address)) return;
    // Any other SIGBUS: restore the former handler and raise the signal again.
    sigaction(number, &former, nullptr);
    raise(number);
  }

  /// Maps a page of zeros at `address` if it lies in a region. Returns whether
  /// it did.
  static bool replace(char* address) {
    const Lock lock;
    for (MappedRegion* region = first; region; region = region->next) {
      if (address < region->base || address >= region->base + region->bytes)
        continue;
      region->hasLost = true;
      char* const page =
          address - reinterpret_cast<size_t>(address) % pageBytes;
      return mmap(page, pageBytes, PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page;
    }
    return false;
  }

  static inline std::atomic_flag isLocked = ATOMIC_FLAG_INIT;
  static inline MappedRegion* first = nullptr;
  static inline size_t pageBytes = 0;
  static inline struct sigaction former = {};
};

MappedRegion::MappedRegion(void* base, size_t bytes)
    : base(static_cast<char*>(base)), bytes(bytes) {
  MappedRegions::add(*this);
}

MappedRegion::~MappedRegion() { MappedRegions::remove(*this); }

}  // namespace sbp::file
