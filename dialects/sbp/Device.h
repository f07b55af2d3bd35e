// What one device of a machine can do, without any IR.
//
// An op rarely reaches the rate of its device, a small one less than a large
// one. A curve says what fraction of the rate an op of so many FLOPs reaches,
// by points between which it is straight on logarithmic axes, as is a cost that
// does not depend on the FLOPs:
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

/// A type of elements, as far as speed goes.
struct ScalarType {
  std::string name;  // as in IR: "f32", "bf16", "i64"
  bool isFloat = true;
  int64_t bits = 32;
};

struct EfficiencyPoint {
  double flops = 0;     // of one op
  double fraction = 1;  // of the rate that it reaches

  friend bool operator==(const EfficiencyPoint& a, const EfficiencyPoint& b) {
    return a.flops == b.flops && a.fraction == b.fraction;
  }
  friend llvm::hash_code hash_value(const EfficiencyPoint& point) {
    return llvm::hash_combine(llvm::bit_cast<uint64_t>(point.flops),
                              llvm::bit_cast<uint64_t>(point.fraction));
  }
};

/// How fast a device computes with elements of one type.
struct Rate {
  ScalarType type;
  double flopsPerSecond = 0;
  std::vector<EfficiencyPoint> efficiency;  // ascending; none: all of the rate
};

/// What code a device runs.
enum class DeviceKind { Cpu, Gpu };

struct Device {
  double memoryBytes = 0;
  double bytesPerSecond = 0;
  std::vector<Rate> rates;  // of no type twice
  DeviceKind kind = DeviceKind::Cpu;
  double launchSeconds = 0;  // of each op, before it computes anything
};

}  // namespace sbp

#endif  // DIALECTS_SBP_DEVICE_H_
