#include "passes/search/chain/Chain.h"

#include <set>

namespace sbp::search {
namespace {

std::string checkLoops(const Chain& chain, const Op& op) {
  auto broadcast = static_cast<Kind>(chain.numDims());
  std::set<Kind> left = {broadcast};
  for (const Loop& loop : op.loops) {
    std::string name = "loop '" + loop.name + "' of '" + op.name + "'";
    if (loop.reads < 0 || loop.reads > broadcast)
      return name + " reads kind " + std::to_string(loop.reads) + " of " +
             std::to_string(broadcast + 1);
    if (loop.leaves < 0 || loop.leaves > broadcast + 1)
      return name + " leaves kind " + std::to_string(loop.leaves) + " of " +
             std::to_string(broadcast + 2);
    if (!left.insert(loop.leaves).second)
      return name + " leaves kind " + std::to_string(loop.leaves) +
             ", as another loop does";
    if (loop.extent < 1) return name + " has no iterations";
  }
  return "";
}

/// Checks the ops of a block. `reads` and `makes` are the bytes of its operand
/// and result; negative if there is none.
std::string checkBlock(const Chain& chain, const Block& block, double reads,
                       double makes) {
  if (block.ops.empty()) return "block '" + block.name + "' has no ops";
  for (const Op& op : block.ops) {
    if (std::string error = checkLoops(chain, op); !error.empty()) return error;
    if (reads >= 0 && op.readBytes != reads)
      return "'" + op.name + "' of '" + block.name + "' reads " +
             std::to_string(op.readBytes) + " bytes of " +
             std::to_string(reads);
    reads = op.madeBytes;
  }
  if (makes >= 0 && reads != makes)
    return "block '" + block.name + "' makes " + std::to_string(reads) +
           " bytes of " + std::to_string(makes);
  return "";
}

}  // namespace

const char* nameOf(Storage storage) {
  switch (storage) {
    case Storage::Z1:
      return "Z1";
    case Storage::Z2:
      return "Z2";
    case Storage::Z3:
      return "Z3";
    case Storage::Z3OnFastestLevel:
      return "Z3 on the fastest level";
  }
  return "";
}

std::vector<int64_t> Chain::sequence() const {
  std::vector<int64_t> sequence;
  for (const Repetition& part : body)
    for (int64_t i = 0; i < part.times; ++i)
      sequence.insert(sequence.end(), part.blocks.begin(), part.blocks.end());
  return sequence;
}

std::string Chain::check() const {
  if (extents.size() != dims.size())
    return std::to_string(extents.size()) + " extents for " +
           std::to_string(dims.size()) + " dimensions";
  for (const Level& level : levels)
    if (level.count < 1)
      return "a level of " + std::to_string(level.count) + " units";
  for (const Repetition& part : body)
    for (int64_t block : part.blocks)
      if (block < 0 || block >= static_cast<int64_t>(blocks.size()))
        return "block " + std::to_string(block) + " of " +
               std::to_string(blocks.size());
  if (std::string error = checkBlock(*this, head, -1, residualBytes);
      !error.empty())
    return error;
  for (const Block& block : blocks)
    if (std::string error =
            checkBlock(*this, block, residualBytes, residualBytes);
        !error.empty())
      return error;
  return checkBlock(*this, tail, residualBytes, -1);
}

}  // namespace sbp::search
