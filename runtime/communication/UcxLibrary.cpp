#include "runtime/communication/UcxLibrary.h"

#include <dirent.h>

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "runtime/library/SharedLibrary.h"
#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

constexpr char kLibraryName[] = "libucp.so.0";

bool hasRdmaDevice() {
  DIR* folder = opendir("/sys/class/infiniband");
  if (!folder) return false;
  int numEntries = 0;  // includes "." and ".."
  while (readdir(folder)) ++numEntries;
  closedir(folder);
  return numEntries > 2;
}

// Sets environment variables, from which UCX reads its configuration when it is
// loaded; some settings can be made only by this. Variables that the user has
// set are kept.
void setDefaults(bool mayShareMemory) {
  auto set = [](const char* name, const char* value) {
    setenv(name, value, /*overwrite=*/0);
  };
  // Copies through cma were 1.2 to 2 times slower than through posix shared
  // memory, and need the right to trace; sysv leaves segments behind.
  set("UCX_TLS", mayShareMemory ? "^cma,sysv" : "^cma,sysv,posix,xpmem,knem");
  // Without this, error handling turns shared memory off.
  set("UCX_POSIX_ERROR_HANDLING", "y");
  // Over TCP a rendezvous only adds round trips; with RDMA it saves a copy.
  if (!hasRdmaDevice()) set("UCX_RNDV_THRESH", "inf");
  // Standard output belongs to the program.
  set("UCX_LOG_FILE", "stderr");
  set("UCX_LOG_LEVEL", "error");
  set("UCX_WARN_UNUSED_ENV_VARS", "n");
  // UCX must neither replace functions of libc, nor print a backtrace for a
  // signal.
  set("UCX_MEM_EVENTS", "n");
  set("UCX_HANDLE_ERRORS", "none");
}

absl::StatusOr<UcxLibrary> load(bool mayShareMemory) {
  setDefaults(mayShareMemory);
  SBP_ASSIGN_OR_RETURN(SharedLibrary library,
                       SharedLibrary::load({kLibraryName}));
  UcxLibrary ucx = {};
  library.find("ucp_init_version", ucx.initVersion);
  library.find("ucp_cleanup", ucx.cleanup);
  library.find("ucp_worker_create", ucx.workerCreate);
  library.find("ucp_worker_destroy", ucx.workerDestroy);
  library.find("ucp_worker_get_address", ucx.workerGetAddress);
  library.find("ucp_worker_release_address", ucx.workerReleaseAddress);
  library.find("ucp_worker_progress", ucx.workerProgress);
  library.find("ucp_worker_flush_nbx", ucx.workerFlush);
  library.find("ucp_ep_create", ucx.epCreate);
  library.find("ucp_ep_close_nbx", ucx.epClose);
  library.find("ucp_tag_send_nbx", ucx.tagSend);
  library.find("ucp_tag_recv_nbx", ucx.tagReceive);
  library.find("ucp_request_check_status", ucx.requestCheckStatus);
  library.find("ucp_request_cancel", ucx.requestCancel);
  library.find("ucp_request_free", ucx.requestFree);
  library.find("ucs_status_string", ucx.statusString);
  SBP_RETURN_IF_ERROR(library.checkComplete());
  return ucx;
}

}  // namespace

absl::StatusOr<const UcxLibrary*> loadUcx(bool mayShareMemory) {
  static const absl::StatusOr<UcxLibrary> library = load(mayShareMemory);
  if (!library.ok()) return library.status();
  return &*library;
}

}  // namespace sbp::communication
