// The functions of UCX that the runtime calls, loaded at run time.
//
// A compiled program depends only on libc. It loads libucp only if its ranks
// are on several hosts or cannot share memory, or if the user asks for UCX.

#ifndef RUNTIME_COMMUNICATION_UCXLIBRARY_H_
#define RUNTIME_COMMUNICATION_UCXLIBRARY_H_

#include <ucp/api/ucp.h>

#include "absl/status/statusor.h"

namespace sbp::communication {

/// Pointers to the functions of libucp.
struct UcxLibrary {
  decltype(&ucp_init_version) initVersion;
  decltype(&ucp_cleanup) cleanup;
  decltype(&ucp_worker_create) workerCreate;
  decltype(&ucp_worker_destroy) workerDestroy;
  decltype(&ucp_worker_get_address) workerGetAddress;
  decltype(&ucp_worker_release_address) workerReleaseAddress;
  decltype(&ucp_worker_progress) workerProgress;
  decltype(&ucp_worker_flush_nbx) workerFlush;
  decltype(&ucp_ep_create) epCreate;
  decltype(&ucp_ep_close_nbx) epClose;
  decltype(&ucp_tag_send_nbx) tagSend;
  decltype(&ucp_tag_recv_nbx) tagReceive;
  decltype(&ucp_request_check_status) requestCheckStatus;
  decltype(&ucp_request_cancel) requestCancel;
  decltype(&ucp_request_free) requestFree;
  decltype(&ucs_status_string) statusString;
};

/// Loads UCX, once per process, and configures it by setting environment
/// variables that the user has not set. Only the first call's `mayShareMemory`
/// counts: it says whether UCX may share memory with ranks of this host. Fails
/// if UCX is not installed or lacks a function.
absl::StatusOr<const UcxLibrary*> loadUcx(bool mayShareMemory);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_UCXLIBRARY_H_
