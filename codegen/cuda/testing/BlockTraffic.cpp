#include "codegen/cuda/testing/BlockTraffic.h"

#include <algorithm>
#include <tuple>

namespace sbp::cuda {
namespace {

constexpr int64_t kWarp = 32;

// A request is identified by instruction, warp and number of the execution; a
// sector by buffer and offset. Each is packed into 64 bits.
constexpr int kBitsOfExecution = 32, kBitsOfWarp = 8, kBitsOfOffset = 48;

}  // namespace

Traffic& Traffic::operator+=(const Traffic& other) {
  loadedBytes += other.loadedBytes;
  storedBytes += other.storedBytes;
  requests += other.requests;
  requestedBytes += other.requestedBytes;
  wantedBytes += other.wantedBytes;
  return *this;
}

Traffic Traffic::operator*(double factor) const {
  return {loadedBytes * factor, storedBytes * factor, requests * factor,
          requestedBytes * factor, wantedBytes * factor};
}

void BlockTraffic::note(const simt::Access& access) {
  const uint64_t request = requestOf(access);
  const int64_t end = access.first + access.bytes;
  for (int64_t sector = access.first / kBytesOfSector;
       sector * kBytesOfSector < end; ++sector) {
    const int64_t begin = std::max(access.first, sector * kBytesOfSector);
    const int64_t bytes = std::min(end, (sector + 1) * kBytesOfSector) - begin;
    accesses_.push_back({request,
                         static_cast<uint64_t>(access.buffer) << kBitsOfOffset |
                             static_cast<uint64_t>(sector),
                         bytes, access.isStore});
  }
}

uint64_t BlockTraffic::requestOf(const simt::Access& access) {
  Instruction& instruction = instructions_[access.instruction];
  if (instruction.executions.empty()) instruction.number = instructions_.size();
  const auto thread = static_cast<size_t>(access.thread);
  if (instruction.executions.size() <= thread)
    instruction.executions.resize(thread + 1);
  const uint64_t execution = instruction.executions[thread]++;
  return (instruction.number << kBitsOfWarp | thread / kWarp)
             << kBitsOfExecution |
         execution;
}

Traffic BlockTraffic::take() {
  Traffic traffic;
  std::sort(accesses_.begin(), accesses_.end(),
            [](const SectorAccess& a, const SectorAccess& b) {
              return std::tie(a.request, a.sector) <
                     std::tie(b.request, b.sector);
            });
  for (size_t i = 0; i < accesses_.size();) {
    const size_t first = i;
    if (i == 0 || accesses_[i - 1].request != accesses_[i].request)
      ++traffic.requests;
    // Bytes that several threads access count for each, up to a whole sector.
    int64_t wanted = 0;
    for (; i < accesses_.size() &&
           accesses_[i].request == accesses_[first].request &&
           accesses_[i].sector == accesses_[first].sector;
         ++i)
      wanted += accesses_[i].bytes;
    traffic.requestedBytes += kBytesOfSector;
    traffic.wantedBytes +=
        static_cast<double>(std::min<int64_t>(wanted, kBytesOfSector));
  }
  traffic.loadedBytes = numSectors(/*isStore=*/false) * kBytesOfSector;
  traffic.storedBytes = numSectors(/*isStore=*/true) * kBytesOfSector;
  accesses_.clear();
  instructions_.clear();
  return traffic;
}

double BlockTraffic::numSectors(bool isStore) const {
  std::vector<uint64_t> sectors;
  for (const SectorAccess& each : accesses_)
    if (each.isStore == isStore) sectors.push_back(each.sector);
  std::sort(sectors.begin(), sectors.end());
  return static_cast<double>(std::unique(sectors.begin(), sectors.end()) -
                             sectors.begin());
}

}  // namespace sbp::cuda
