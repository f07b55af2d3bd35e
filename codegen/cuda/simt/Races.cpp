#include "codegen/cuda/simt/Races.h"

#include <algorithm>
#include <utility>

namespace sbp::cuda::simt {
namespace {

/// Whether `accessor` is a thread: not the initial value.
bool isSomebody(const Accessor& accessor) { return accessor.block >= 0; }

bool isSameThread(const Accessor& a, const Accessor& b) {
  return a.block == b.block && a.thread == b.thread;
}

/// Whether the access of `earlier` is ordered before that of `later`.
bool areInOrder(const Accessor& earlier, const Accessor& later) {
  return isSameThread(earlier, later) ||
         (earlier.block == later.block && earlier.interval < later.interval);
}

}  // namespace

std::optional<Accessor> Races::note(int64_t first, int64_t count, bool isStore,
                                    const Accessor& by) {
  while ((first | count) % bytesOfPart_ != 0) halveParts();
  for (int64_t i = first / bytesOfPart_; i < (first + count) / bytesOfPart_;
       ++i) {
    Part& part = parts_[i];
    // An earlier block has accessed its own shared memory, not this one.
    if (memory_ == Memory::Shared &&
        std::max(part.writer.block, part.reader.block) != by.block)
      part = Part();
    if (std::optional<Accessor> other = conflict(part, isStore, by))
      return other;
    if (isStore)
      part.writer = by;
    else
      addReader(part, by);
  }
  return std::nullopt;
}

void Races::halveParts() {
  bytesOfPart_ /= 2;
  std::vector<Part> halves;
  for (const Part& part : parts_) halves.insert(halves.end(), 2, part);
  parts_ = std::move(halves);
}

std::optional<Accessor> Races::conflict(const Part& part, bool isStore,
                                        const Accessor& by) {
  if (isSomebody(part.writer) && !areInOrder(part.writer, by))
    return part.writer;
  if (!isStore || !isSomebody(part.reader)) return std::nullopt;
  const bool isAlone =
      !part.haveOtherBlocksRead &&
      (!part.haveOthersRead || part.reader.interval < by.interval);
  if (isAlone && areInOrder(part.reader, by)) return std::nullopt;
  return part.reader;
}

void Races::addReader(Part& part, const Accessor& by) {
  const Accessor before = part.reader;
  part.reader = by;
  if (!isSomebody(before)) return;
  if (before.block != by.block) {
    part.haveOtherBlocksRead = true;
    part.haveOthersRead = false;
  } else if (before.interval < by.interval) {
    part.haveOthersRead = false;
  } else if (before.thread != by.thread) {
    part.haveOthersRead = true;
  }
}

}  // namespace sbp::cuda::simt
