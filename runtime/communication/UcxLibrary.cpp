#include "runtime/communication/UcxLibrary.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

constexpr char kLibraryName[] = "libucp.so.0";

// UCX reads these when it is loaded. It must not write to standard output,
// which is the program's, nor replace functions of libc; nor end a process with
// a backtrace where the kernel's signal says it all. A user's own word goes
// first.
void setDefaults() {
  setenv("UCX_LOG_FILE", "stderr", /*overwrite=*/0);
  setenv("UCX_LOG_LEVEL", "error", /*overwrite=*/0);
  setenv("UCX_MEM_EVENTS", "n", /*overwrite=*/0);
  setenv("UCX_HANDLE_ERRORS", "none", /*overwrite=*/0);
}

template <typename Function>
absl::Status find(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  if (function) return absl::OkStatus();
  return absl::NotFoundError(
      fmt::format("{} has no {}: it is too old", kLibraryName, name));
}

absl::StatusOr<UcxLibrary> load() {
  setDefaults();
  void* handle = dlopen(kLibraryName, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return absl::NotFoundError(dlerror());
  UcxLibrary ucx = {};
  SBP_RETURN_IF_ERROR(find(handle, "ucp_config_read", ucx.configRead));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_config_modify", ucx.configModify));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_config_release", ucx.configRelease));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_init_version", ucx.initVersion));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_cleanup", ucx.cleanup));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_worker_create", ucx.workerCreate));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_worker_destroy", ucx.workerDestroy));
  SBP_RETURN_IF_ERROR(
      find(handle, "ucp_worker_get_address", ucx.workerGetAddress));
  SBP_RETURN_IF_ERROR(
      find(handle, "ucp_worker_release_address", ucx.workerReleaseAddress));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_worker_progress", ucx.workerProgress));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_worker_flush_nbx", ucx.workerFlush));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_ep_create", ucx.epCreate));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_ep_close_nbx", ucx.epClose));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_tag_send_nbx", ucx.tagSend));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_tag_recv_nbx", ucx.tagReceive));
  SBP_RETURN_IF_ERROR(
      find(handle, "ucp_request_check_status", ucx.requestCheckStatus));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_request_cancel", ucx.requestCancel));
  SBP_RETURN_IF_ERROR(find(handle, "ucp_request_free", ucx.requestFree));
  SBP_RETURN_IF_ERROR(find(handle, "ucs_status_string", ucx.statusString));
  return ucx;
}

}  // namespace

absl::StatusOr<const UcxLibrary*> loadUcx() {
  static const absl::StatusOr<UcxLibrary> library = load();
  if (!library.ok()) return library.status();
  return &*library;
}

}  // namespace sbp::communication
