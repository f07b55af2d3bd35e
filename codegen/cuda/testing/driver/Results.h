// Results of functions of NVIDIA's driver (CUresult).

#ifndef CODEGEN_CUDA_TESTING_DRIVER_RESULTS_H_
#define CODEGEN_CUDA_TESTING_DRIVER_RESULTS_H_

namespace sbp::cuda::driver::results {

enum Result : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kUnsupportedPtx = 222,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchFailed = 719,
  kCaptureUnsupported = 900,
  kCaptureInvalidated = 901,
};

/// Returns the name of a result.
inline const char* nameOf(int result) {
  switch (result) {
    case kInvalidValue:
      return "CUDA_ERROR_INVALID_VALUE";
    case kOutOfMemory:
      return "CUDA_ERROR_OUT_OF_MEMORY";
    case kNoDevice:
      return "CUDA_ERROR_NO_DEVICE";
    case kInvalidDevice:
      return "CUDA_ERROR_INVALID_DEVICE";
    case kInvalidContext:
      return "CUDA_ERROR_INVALID_CONTEXT";
    case kInvalidImage:
      return "CUDA_ERROR_INVALID_IMAGE";
    case kUnsupportedPtx:
      return "CUDA_ERROR_UNSUPPORTED_PTX_VERSION";
    case kNotFound:
      return "CUDA_ERROR_NOT_FOUND";
    case kIllegalAddress:
      return "CUDA_ERROR_ILLEGAL_ADDRESS";
    case kLaunchFailed:
      return "CUDA_ERROR_LAUNCH_FAILED";
    case kCaptureUnsupported:
      return "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED";
    case kCaptureInvalidated:
      return "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED";
    default:
      return "CUDA_ERROR_UNKNOWN";
  }
}

}  // namespace sbp::cuda::driver::results

#endif  // CODEGEN_CUDA_TESTING_DRIVER_RESULTS_H_
