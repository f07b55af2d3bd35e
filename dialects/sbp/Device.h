// Memory and computation rates of one device of a machine, without any IR.
//
// An op rarely reaches the peak rate of its device, and a small op usually
// reaches less of it than a large one. A curve maps the number of FLOPs of an
// op to the fraction of the peak rate that the op reaches. Between its points
// the curve is linear on logarithmic axes; outside of them it is constant.
// Where the slope is 1, the time of an op does not depend on its FLOPs:
//
//   fraction     ____•
//    (log)    .-'
//           •'
//          /
//    ____•'
//      1e6  1e8  1e10   FLOPs (log)

#ifndef DIALECTS_SBP_DEVICE_H_
#define DIALECTS_SBP_DEVICE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/bit.h"

namespace sbp {

/// The properties of an element type on which the speed of computation depends.
struct ScalarType {
  std::string name;  // as in IR: "f32", "bf16", "i64"
  bool isFloat = true;
  int64_t bits = 32;
};

/// One point of the curve above.
struct EfficiencyPoint {
  double flops = 0;     // of one op
  double fraction = 1;  // of the peak rate

  friend bool operator==(const EfficiencyPoint& a, const EfficiencyPoint& b) {
    return a.flops == b.flops && a.fraction == b.fraction;
  }
  friend llvm::hash_code hash_value(const EfficiencyPoint& point) {
    return llvm::hash_combine(llvm::bit_cast<uint64_t>(point.flops),
                              llvm::bit_cast<uint64_t>(point.fraction));
  }
};

/// The rate of a device for one element type.
struct Rate {
  ScalarType type;
  double flopsPerSecond = 0;                // peak rate
  std::vector<EfficiencyPoint> efficiency;  // ascending; none: fraction 1
};

/// Kind of code that a device runs.
enum class DeviceKind { Cpu, Gpu };

/// One device of a machine.
struct Device {
  double memoryBytes = 0;
  double bytesPerSecond = 0;  // bandwidth of the memory
  std::vector<Rate> rates;    // at most one per element type
  DeviceKind kind = DeviceKind::Cpu;
  double launchSeconds = 0;  // time to start the kernel of an op
};

}  // namespace sbp

#endif  // DIALECTS_SBP_DEVICE_H_
