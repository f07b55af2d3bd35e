#include "codegen/driver/HostGpuMachine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "codegen/driver/GpuMachine.h"
#include "dialects/sbp/Sbp.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/bytes/Bytes.h"
#include "runtime/cuda/GpuLevels.h"
#include "runtime/text/Counted.h"

namespace sbp {
namespace {

using cuda::GpuLevel;
using cuda::GpuLevels;
using cuda::GpuLink;
using cuda::HostGpu;
using cuda::HostGpus;

/// Memory of a GPU that tensors do not get: contexts, code, and buffers of
/// NCCL. With less, plans that fill the GPU would not start.
constexpr double kReservedBytes = 1e9;

/// Fraction of the rate of its links that a collective reaches: 235 of 300 GB/s
/// on A100, as in machines/a100_node.mlir.
constexpr double kLinkEfficiency = 0.78;

/// Seconds of a message, NCCL's own model of a ring step with its Simple
/// protocol (github.com/NVIDIA/nccl, src/graph/tuning.cc, 2.8); through the
/// host, two copies of a few bytes with a wait (7.4 us each, measured on an
/// H100).
constexpr double kNvlinkLatency = 3.4e-6;
constexpr double kPcieLatency = 5.7e-6;
constexpr double kHostLatency = 1.5e-5;

/// Rate of a GPU's PCIe lanes, each way, where NVML does not state it:
/// generation 4, 16 lanes.
constexpr double kAssumedPcie = 31.5e9;

/// For chips without a machine file: floating-point units of type f32 in a
/// multiprocessor (all chips since sm_86 have 128), and rates of other types
/// over that of f32 (the least of these chips).
constexpr double kLanes = 128;
constexpr double kF64PerF32 = 1.0 / 64;
constexpr double kF16PerF32 = 2;

/// Relative difference of rates below which a chip is that of its file.
constexpr double kSameRate = 0.05;

double latencyOf(GpuLink link) {
  switch (link) {
    case GpuLink::kNvlink:
      return kNvlinkLatency;
    case GpuLink::kPcie:
    case GpuLink::kSockets:
      return kPcieLatency;
    case GpuLink::kHost:
      return kHostLatency;
  }
  return 0;
}

llvm::StringRef nameOf(GpuLink link) {
  switch (link) {
    case GpuLink::kNvlink:
      return "NVLink";
    case GpuLink::kPcie:
      return "PCIe";
    case GpuLink::kSockets:
      return "PCIe between sockets";
    case GpuLink::kHost:
      return "the memory of the host";
  }
  return "";
}

/// The slowest of several GPUs, figure by figure. A figure is 0 if it is
/// unknown of one of them.
HostGpu slowestOf(llvm::ArrayRef<HostGpu> gpus) {
  HostGpu slowest = gpus.front();
  for (const HostGpu& gpu : gpus) {
    slowest.capability = std::min(slowest.capability, gpu.capability);
    slowest.memoryBytes = std::min(slowest.memoryBytes, gpu.memoryBytes);
    slowest.multiprocessors =
        std::min(slowest.multiprocessors, gpu.multiprocessors);
    slowest.clockHz = std::min(slowest.clockHz, gpu.clockHz);
    slowest.bytesPerSecond =
        std::min(slowest.bytesPerSecond, gpu.bytesPerSecond);
  }
  return slowest;
}

/// Makes the machine, and a text about it.
class HostGpuMachine {
 public:
  HostGpuMachine(ModuleOp module, const cuda::Chip& chip, const HostGpus& host,
                 int64_t numGpus)
      : module_(module),
        context_(module.getContext()),
        chip_(chip),
        host_(host),
        gpus_(llvm::ArrayRef(host.gpus).take_front(numGpus)),
        file_(nodeOf(chip, context_)),
        node_(machineOf(*file_)) {}

  std::string add() {
    const HostGpu slowest = slowestOf(gpus_);
    text_ = fmt::format("{} ({})", namesOf(), bytesText(slowest));
    const mlir::ArrayAttr levels = makeLevels();
    const DeviceAttr device = makeDevice(slowest);
    OpBuilder builder = OpBuilder::atBlockBegin(module_.getBody());
    MachineOp::create(builder, module_.getLoc(), builder.getStringAttr("host"),
                      levels, device);
    return text_;
  }

 private:
  /// Returns "2 x NVIDIA A40 and 1 x NVIDIA L40".
  std::string namesOf() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < gpus_.size();) {
      size_t count = 1;
      while (i + count < gpus_.size() && gpus_[i + count].name == gpus_[i].name)
        ++count;
      names.push_back(fmt::format("{} x {}", count, gpus_[i].name));
      i += count;
    }
    std::string text = fmt::format("{}", fmt::join(names, " and "));
    if (names.size() > 1) text += ", each taken as the slowest";
    return text;
  }

  static std::string bytesText(const HostGpu& gpu) {
    return fmt::format("sm_{}, {}", gpu.capability,
                       bytes::toText(double(gpu.memoryBytes)));
  }

  mlir::ArrayAttr makeLevels() {
    const GpuLevels found =
        cuda::gpuLevelsOf(host_, static_cast<int64_t>(gpus_.size()));
    OpBuilder builder(context_);
    llvm::SmallVector<mlir::Attribute> levels;
    std::vector<std::string> texts;
    for (const GpuLevel& level : found.levels) {
      double rate = level.bytesPerSecond;
      const auto typical = llvm::cast<LevelAttr>(node_.getLevels()[0]);
      // Without a figure of NVML, NVLinks are those of the chip's file.
      if (rate == 0)
        rate = level.link == GpuLink::kNvlink
                   ? 1 / typical.getBeta().convertToDouble() / kLinkEfficiency
               : level.link == GpuLink::kHost ? kAssumedPcie / 2
                                              : kAssumedPcie;
      levels.push_back(LevelAttr::get(context_, level.name, level.count,
                                      llvm::APFloat(latencyOf(level.link)),
                                      rounded(1 / (rate * kLinkEfficiency))));
      texts.push_back(
          fmt::format("{} x {} by {} at {:.3g} GB/s{}", level.name, level.count,
                      nameOf(level.link).str(), rate / 1e9,
                      level.bytesPerSecond > 0 ? "" : " (assumed)"));
    }
    if (gpus_.size() == 1) return builder.getArrayAttr(levels);
    text_ += fmt::format("; {}", fmt::join(texts, ", "));
    if (!host_.obstacleOfNvml.empty())
      text_ +=
          fmt::format(", taken from peer access ({})", host_.obstacleOfNvml);
    if (found.hasUncountedLinks)
      text_ +=
          ", where faster links do not count, as they do not join groups of "
          "equal size that follow each other (CUDA_VISIBLE_DEVICES sets the "
          "order)";
    return builder.getArrayAttr(levels);
  }

  DeviceAttr makeDevice(const HostGpu& gpu) {
    const DeviceAttr typical = *node_.getDevice();
    const double memory = std::max<double>(
        double(gpu.memoryBytes) - kReservedBytes, double(gpu.memoryBytes) / 2);
    const llvm::APFloat bandwidth = gpu.bytesPerSecond > 0
                                        ? rounded(gpu.bytesPerSecond)
                                        : typical.getBandwidth();
    return DeviceAttr::get(context_, DeviceKind::Gpu, typical.getLaunch(),
                           rounded(memory), bandwidth,
                           makeRates(gpu, typical.getRates()));
  }

  /// Returns the rates of a GPU. `typical` are those of the chip's file.
  llvm::SmallVector<RateAttr> makeRates(const HostGpu& gpu,
                                        llvm::ArrayRef<RateAttr> typical) {
    llvm::SmallVector<RateAttr> rates;
    const auto add = [&](RateAttr rate, double flopsPerSecond) {
      rates.push_back(RateAttr::get(context_, rate.getType(),
                                    rounded(flopsPerSecond),
                                    rate.getEfficiency()));
    };
    const bool isKnown = gpu.capability == chip_.capability;
    const double perLane =
        2 * static_cast<double>(gpu.multiprocessors) * gpu.clockHz;
    if (!isKnown && perLane > 0) {
      text_ += fmt::format(
          "; FLOP/s by {} at {:.2f} GHz with {:.0f} lanes each, as the rates "
          "of sm_{} are not known",
          text::counted(gpu.multiprocessors, "multiprocessor"),
          gpu.clockHz / 1e9, kLanes, gpu.capability);
      for (RateAttr rate : typical)
        add(rate, perLane * kLanes * perF32(rate.getType()));
      return rates;
    }
    // The rates of one model of the chip, for all of them.
    double share = 1;
    for (RateAttr rate : typical)
      if (perLane > 0 && rate.getType().isF32())
        share = perLane * static_cast<double>(chip_.lanes) /
                rate.getFlopsPerSecond().convertToDouble();
    if (std::abs(share - 1) < kSameRate) share = 1;
    text_ += fmt::format("; FLOP/s as in machines/{}.mlir",
                         node_.getSymName().str());
    if (share != 1)
      text_ += fmt::format(", times {:.2f} for {} at {:.2f} GHz", share,
                           text::counted(gpu.multiprocessors, "multiprocessor"),
                           gpu.clockHz / 1e9);
    for (RateAttr rate : typical)
      add(rate, rate.getFlopsPerSecond().convertToDouble() * share);
    return rates;
  }

  /// Returns the rate of `type` over that of f32 on chips without a file.
  static double perF32(Type type) {
    if (type.isF64()) return kF64PerF32;
    return type.isF32() ? 1 : kF16PerF32;
  }

  /// Returns `value` with four digits, as machine files have them.
  static llvm::APFloat rounded(double value) {
    return llvm::APFloat(std::stod(fmt::format("{:.3e}", value)));
  }

  ModuleOp module_;
  MLIRContext* const context_;
  const cuda::Chip& chip_;
  const HostGpus& host_;
  const llvm::ArrayRef<HostGpu> gpus_;
  const mlir::OwningOpRef<ModuleOp> file_;
  MachineOp node_;
  std::string text_;
};

}  // namespace

FailureOr<FoundGpus> FoundGpus::find(
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) {
  absl::StatusOr<HostGpus> host = HostGpus::find();
  if (!host.ok())
    return emitError() << "--machine auto: "
                       << std::string(host.status().message())
                       << "; without --machine, the GPUs are those of one node "
                          "of --gpu";
  const HostGpu& oldest =
      *std::min_element(host->gpus.begin(), host->gpus.end(),
                        [](const HostGpu& a, const HostGpu& b) {
                          return a.capability < b.capability;
                        });
  const cuda::Chip* chip = cuda::chipFor(oldest.capability);
  if (!chip)
    return emitError() << "--machine auto: " << oldest.name << " is sm_"
                       << oldest.capability << ", but programs need "
                       << cuda::chips().front().name << " or a later GPU";
  return FoundGpus{*std::move(host), chip};
}

std::string addHostGpuMachine(ModuleOp module, const FoundGpus& found,
                              int64_t numRanks) {
  const auto numGpus = static_cast<int64_t>(found.host.gpus.size());
  return HostGpuMachine(module, *found.chip, found.host,
                        numRanks == 0 ? numGpus : std::min(numRanks, numGpus))
      .add();
}

}  // namespace sbp
