#include "runtime/communication/UcxTransport.h"

#include <mutex>
#include <vector>

#include "runtime/communication/UcxLibrary.h"
#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

class Ucx : public UcxTransport {
 public:
  Ucx(const UcxLibrary* ucx, int64_t numRanks)
      : ucx(ucx), endpoints(numRanks, nullptr) {}

  ~Ucx() override {
    // Ranks end at different times, without a handshake by UCX: endpoints are
    // closed by force, and errors from now on are ignored.
    for (ucp_ep_h endpoint : endpoints) {
      if (endpoint) closeEndpoint(endpoint);
    }
    if (worker) ucx->workerDestroy(worker);
    if (context) ucx->cleanup(context);
  }

  absl::Status start() {
    // UCX fills global tables when it makes the first context, so threads make
    // their contexts one after the other.
    static std::mutex mutex;
    std::lock_guard<std::mutex> lock(mutex);
    ucp_params_t contextParameters = {};
    contextParameters.field_mask = UCP_PARAM_FIELD_FEATURES |
                                   UCP_PARAM_FIELD_ESTIMATED_NUM_EPS |
                                   UCP_PARAM_FIELD_REQUEST_SIZE;
    // Every request contains an Arrival, which lives as long as the request.
    contextParameters.request_size = sizeof(Arrival);
    contextParameters.features = UCP_FEATURE_TAG;
    contextParameters.estimated_num_eps = endpoints.size();
    SBP_RETURN_IF_ERROR(check(
        "ucp_init", ucx->initVersion(UCP_API_MAJOR, UCP_API_MINOR,
                                     &contextParameters, nullptr, &context)));
    ucp_worker_params_t parameters = {};
    parameters.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    parameters.thread_mode = UCS_THREAD_MODE_SINGLE;
    return check("ucp_worker_create",
                 ucx->workerCreate(context, &parameters, &worker));
  }

  absl::StatusOr<std::string> address() override {
    ucp_address_t* bytes = nullptr;
    size_t length = 0;
    SBP_RETURN_IF_ERROR(check("ucp_worker_get_address",
                              ucx->workerGetAddress(worker, &bytes, &length)));
    std::string text(reinterpret_cast<const char*>(bytes), length);
    ucx->workerReleaseAddress(worker, bytes);
    return text;
  }

  absl::Status connect(int64_t peer, const std::string& address) override {
    ucp_ep_params_t parameters = {};
    parameters.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                            UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                            UCP_EP_PARAM_FIELD_ERR_HANDLER;
    parameters.address = reinterpret_cast<const ucp_address_t*>(address.data());
    parameters.err_mode = UCP_ERR_HANDLING_MODE_PEER;
    // Errors are returned by the operations themselves.
    parameters.err_handler.cb = [](void*, ucp_ep_h, ucs_status_t) {};
    return check("ucp_ep_create",
                 ucx->epCreate(worker, &parameters, &endpoints[peer]));
  }

  absl::StatusOr<Operation> send(int64_t peer, uint64_t tag, const void* data,
                                 int64_t bytes) override {
    ucp_request_param_t parameters = {};
    return started("ucp_tag_send_nbx", ucx->tagSend(endpoints[peer], data,
                                                    bytes, tag, &parameters));
  }

  absl::StatusOr<Operation> receive(uint64_t tag, uint64_t mask, void* data,
                                    int64_t bytes) override {
    // Only the callback reports every arrival, so it is also called for a
    // receive that completes immediately.
    ucp_request_param_t parameters = {};
    parameters.op_attr_mask =
        UCP_OP_ATTR_FLAG_NO_IMM_CMPL | UCP_OP_ATTR_FIELD_CALLBACK;
    parameters.cb.recv = [](void* request, ucs_status_t,
                            const ucp_tag_recv_info_t* info, void*) {
      *static_cast<Arrival*>(request) = {info->sender_tag,
                                         static_cast<int64_t>(info->length)};
    };
    return started("ucp_tag_recv_nbx", ucx->tagReceive(worker, data, bytes, tag,
                                                       mask, &parameters));
  }

  absl::StatusOr<Operation> flush() override {
    ucp_request_param_t parameters = {};
    return started("ucp_worker_flush_nbx",
                   ucx->workerFlush(worker, &parameters));
  }

  bool isDone(const Operation& operation) override {
    return !operation.request ||
           ucx->requestCheckStatus(operation.request) != UCS_INPROGRESS;
  }

  absl::StatusOr<Arrival> end(const Operation& operation) override {
    if (!operation.request) return Arrival();
    ucs_status_t status = ucx->requestCheckStatus(operation.request);
    Arrival arrival = *static_cast<Arrival*>(operation.request);
    if (status == UCS_INPROGRESS) {
      ucx->requestCancel(worker, operation.request);
      status = UCS_OK;
    }
    ucx->requestFree(operation.request);
    if (status == UCS_ERR_MESSAGE_TRUNCATED) status = UCS_OK;
    SBP_RETURN_IF_ERROR(check("message", status));
    return arrival;
  }

  bool progress() override { return ucx->workerProgress(worker) > 0; }

 private:
  void closeEndpoint(ucp_ep_h endpoint) {
    ucp_request_param_t parameters = {};
    parameters.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
    parameters.flags = UCP_EP_CLOSE_FLAG_FORCE;
    ucs_status_ptr_t request = ucx->epClose(endpoint, &parameters);
    if (!request || UCS_PTR_IS_ERR(request)) return;
    while (ucx->requestCheckStatus(request) == UCS_INPROGRESS) progress();
    ucx->requestFree(request);
  }

  absl::StatusOr<Operation> started(const char* what,
                                    ucs_status_ptr_t request) {
    if (UCS_PTR_IS_ERR(request)) {
      return check(what, UCS_PTR_STATUS(request));
    }
    return Operation{request};
  }

  absl::Status check(const char* what, ucs_status_t status) {
    if (status == UCS_OK) return absl::OkStatus();
    return absl::UnavailableError(
        fmt::format("ucx: {}: {}", what, ucx->statusString(status)));
  }

  const UcxLibrary* ucx;
  ucp_context_h context = nullptr;
  ucp_worker_h worker = nullptr;
  std::vector<ucp_ep_h> endpoints;
};

}  // namespace

absl::StatusOr<std::unique_ptr<UcxTransport>> UcxTransport::open(
    int64_t numRanks, bool mayShareMemory) {
  SBP_ASSIGN_OR_RETURN(const UcxLibrary* library, loadUcx(mayShareMemory));
  auto ucx = std::make_unique<Ucx>(library, numRanks);
  SBP_RETURN_IF_ERROR(ucx->start());
  return absl::StatusOr<std::unique_ptr<UcxTransport>>(std::move(ucx));
}

}  // namespace sbp::communication
