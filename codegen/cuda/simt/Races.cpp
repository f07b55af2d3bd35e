#include "codegen/cuda/simt/Races.h"

#include <algorithm>

namespace sbp::cuda::simt {
namespace {

bool isSomebody(const Accessor& accessor) { return accessor.block >= 0; }

bool isSameThread(const Accessor& a, const Accessor& b) {
  return a.block == b.block && a.thread == b.thread;
}

/// Whether what `earlier` has done is over before what `later` does.
bool areInOrder(const Accessor& earlier, const Accessor& later) {
  return isSameThread(earlier, later) ||
         (earlier.block == later.block && earlier.interval < later.interval);
}

}  // namespace

void Races::clear() { std::fill(bytes_.begin(), bytes_.end(), Byte()); }

std::optional<Accessor> Races::note(int64_t first, int64_t count, bool isStore,
                                    const Accessor& by) {
  for (int64_t i = first; i < first + count; ++i) {
    Byte& byte = bytes_[i];
    if (std::optional<Accessor> other = conflict(byte, isStore, by))
      return other;
    if (isStore)
      byte.writer = by;
    else
      addReader(byte, by);
  }
  return std::nullopt;
}

std::optional<Accessor> Races::conflict(const Byte& byte, bool isStore,
                                        const Accessor& by) {
  if (isSomebody(byte.writer) && !areInOrder(byte.writer, by))
    return byte.writer;
  if (!isStore || !isSomebody(byte.reader)) return std::nullopt;
  const bool isAlone =
      !byte.haveOtherBlocksRead &&
      (!byte.haveOthersRead || byte.reader.interval < by.interval);
  if (isAlone && areInOrder(byte.reader, by)) return std::nullopt;
  return byte.reader;
}

void Races::addReader(Byte& byte, const Accessor& by) {
  const Accessor before = byte.reader;
  byte.reader = by;
  if (!isSomebody(before)) return;
  if (before.block != by.block) {
    byte.haveOtherBlocksRead = true;
    byte.haveOthersRead = false;
  } else if (before.interval < by.interval) {
    byte.haveOthersRead = false;
  } else if (before.thread != by.thread) {
    byte.haveOthersRead = true;
  }
}

}  // namespace sbp::cuda::simt
