#include "passes/placement/DivideLevels.h"

#include "dialects/sbp/Sbp.h"
#include "passes/search/reading/MaxAxes.h"

namespace sbp {
namespace {

/// Returns the prime factors of `count`, ascending; none for 1.
SmallVector<int64_t> primeFactors(int64_t count) {
  SmallVector<int64_t> factors;
  for (int64_t prime = 2; prime * prime <= count; ++prime)
    for (; count % prime == 0; count /= prime) factors.push_back(prime);
  if (count > 1) factors.push_back(count);
  return factors;
}

/// A level of at most this number of devices is not divided into two axes.
constexpr int64_t kFewDevices = 8;

/// Returns two factors of `count`, as close to each other as possible, larger
/// first. Returns `count` alone if it is prime or at most kFewDevices.
SmallVector<int64_t> twoFactors(int64_t count) {
  if (count <= kFewDevices) return {count};
  int64_t smaller = 1;
  for (int64_t factor = 2; factor * factor <= count; ++factor)
    if (count % factor == 0) smaller = factor;
  if (smaller == 1) return {count};
  return {count / smaller, smaller};
}

/// Returns the sizes of the axes of each level: all prime factors, or, if these
/// are too many in total, at most two factors per level.
SmallVector<SmallVector<int64_t>> sizesOfAxes(MachineOp machine) {
  SmallVector<SmallVector<int64_t>> primes, twos;
  size_t numPrimes = 0;
  for (auto level : machine.getLevels().getAsRange<LevelAttr>()) {
    primes.push_back(primeFactors(level.getCount()));
    numPrimes += primes.back().size();
    twos.push_back(twoFactors(level.getCount()));
  }
  return numPrimes <= search::kMaxAxes ? primes : twos;
}

}  // namespace

LogicalResult divideLevels(ModuleOp module) {
  auto machines = llvm::to_vector(module.getOps<MachineOp>());
  if (machines.size() != 1)
    return module.emitError() << "the levels of one machine can be divided; "
                                 "the module defines "
                              << machines.size();
  for (auto mesh : module.getOps<MeshOp>())
    return mesh.emitOpError() << "has divided the machine already";

  MachineOp machine = machines.front();
  MLIRContext* context = module.getContext();
  SmallVector<Attribute> axes;
  for (auto [level, sizes] : llvm::zip(
           machine.getLevels().getAsRange<LevelAttr>(), sizesOfAxes(machine))) {
    // Every level has an axis, even a level of one device.
    if (sizes.empty()) sizes.push_back(1);
    for (auto [number, size] : llvm::enumerate(sizes)) {
      std::string name = level.getName().str();
      if (sizes.size() > 1) name += "." + std::to_string(number);
      axes.push_back(AxisAttr::get(context, name, size, level.getName()));
    }
  }
  OpBuilder builder(context);
  builder.setInsertionPointAfter(machine);
  MeshOp::create(builder, machine.getLoc(), "divided", machine.getSymName(),
                 /*ranks=*/nullptr, builder.getArrayAttr(axes));
  return success();
}

}  // namespace sbp
