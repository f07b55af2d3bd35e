// Types of checked options that several passes and commands have: numbers of
// ranks and micro-batches, bytes, and seconds.

#ifndef PASSES_OPTIONS_CHECKEDOPTIONS_H_
#define PASSES_OPTIONS_CHECKEDOPTIONS_H_

#include <cstdint>

#include "passes/options/CheckedOption.h"
#include "runtime/options/Checks.h"
#include "runtime/plan/Check.h"

namespace sbp {

/// Number of stages, or of groups of ranks.
struct RankCountRule {
  using Value = int64_t;
  static constexpr char kPlaceholder[] = "N";
  static CLI::Validator check() {
    return options::integerFrom(1, plan::kMaxRanks);
  }
};
using RankCount = Checked<RankCountRule>;

/// Number of micro-batches. It is limited because each micro-batch has separate
/// tasks in the program.
struct MicroBatchCountRule {
  using Value = int64_t;
  static constexpr char kPlaceholder[] = "N";
  static CLI::Validator check() { return options::integerFrom(1, 1024); }
};
using MicroBatchCount = Checked<MicroBatchCountRule>;

/// Bytes, with or without a unit.
struct ByteCountRule {
  using Value = double;
  static constexpr char kPlaceholder[] = "BYTES";
  static CLI::Validator check() { return options::bytes(); }
};
using ByteCount = Checked<ByteCountRule>;

/// Seconds that a search may take.
struct SecondsRule {
  using Value = double;
  static constexpr char kPlaceholder[] = "SECONDS";
  static CLI::Validator check() { return options::positive(); }
};
using Seconds = Checked<SecondsRule>;

}  // namespace sbp

#endif  // PASSES_OPTIONS_CHECKEDOPTIONS_H_
