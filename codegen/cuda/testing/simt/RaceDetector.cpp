#include "codegen/cuda/testing/simt/RaceDetector.h"

#include <algorithm>
#include <utility>

namespace sbp::cuda::simt {
namespace {

/// Whether `accessor` is a thread: not the initial value.
bool isThread(const Accessor& accessor) { return accessor.block >= 0; }

bool isSameThread(const Accessor& a, const Accessor& b) {
  return a.block == b.block && a.thread == b.thread;
}

/// Whether the access of `earlier` is ordered before that of `later`.
bool areInOrder(const Accessor& earlier, const Accessor& later) {
  return isSameThread(earlier, later) ||
         (earlier.block == later.block && earlier.interval < later.interval);
}

}  // namespace

std::optional<Accessor> RaceDetector::note(int64_t first, int64_t count,
                                           bool isStore, const Accessor& by) {
  while ((first | count) % granuleBytes_ != 0) splitGranules();
  for (int64_t i = first / granuleBytes_; i < (first + count) / granuleBytes_;
       ++i) {
    Granule& granule = granules_[i];
    // An earlier block has accessed its own shared memory, not this one.
    if (memory_ == Memory::Shared &&
        std::max(granule.writer.block, granule.reader.block) != by.block)
      granule = Granule();
    if (std::optional<Accessor> other = conflict(granule, isStore, by))
      return other;
    if (isStore)
      granule.writer = by;
    else
      addReader(granule, by);
  }
  return std::nullopt;
}

void RaceDetector::splitGranules() {
  granuleBytes_ /= 2;
  std::vector<Granule> halves;
  for (const Granule& granule : granules_)
    halves.insert(halves.end(), 2, granule);
  granules_ = std::move(halves);
}

std::optional<Accessor> RaceDetector::conflict(const Granule& granule,
                                               bool isStore,
                                               const Accessor& by) {
  if (isThread(granule.writer) && !areInOrder(granule.writer, by))
    return granule.writer;
  if (!isStore || !isThread(granule.reader)) return std::nullopt;
  const bool isAlone =
      !granule.haveOtherBlocksRead &&
      (!granule.haveOthersRead || granule.reader.interval < by.interval);
  if (isAlone && areInOrder(granule.reader, by)) return std::nullopt;
  return granule.reader;
}

void RaceDetector::addReader(Granule& granule, const Accessor& by) {
  const Accessor before = granule.reader;
  granule.reader = by;
  if (!isThread(before)) return;
  if (before.block != by.block) {
    granule.haveOtherBlocksRead = true;
    granule.haveOthersRead = false;
  } else if (before.interval < by.interval) {
    granule.haveOthersRead = false;
  } else if (before.thread != by.thread) {
    granule.haveOthersRead = true;
  }
}

}  // namespace sbp::cuda::simt
