// Prices of messages on one level of a machine, without any IR.
//
// In the ring algorithm of a collective with p members, each member sends p-1
// messages, each with 1/p of the tensor (in an all-reduce 2p-2 messages).
// Whichever algorithm a machine runs, its collective is priced as if it sent
// these messages. A message of m bytes takes
//
//   alpha + m beta     seconds
//
// where alpha and beta may differ by collective, by group size and by the size
// of the message:
//
//   seconds              _.-'   <- limited by memory
//      |          __..-''
//      |  ____.--'              <- limited by a cache
//      +------------------ m
//
// The verifier of #sbp.level checks that a larger message of the same
// collective and group size is never cheaper than a smaller one. Therefore a
// larger tensor is never cheaper to move than a smaller one.

#ifndef DIALECTS_SBP_NETWORK_H_
#define DIALECTS_SBP_NETWORK_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace sbp {

/// The collectives for which a machine may have prices.
enum class Collective { AllReduce, AllGather, ReduceScatter, AllToAll };

/// Returns "all_reduce", "all_gather", "reduce_scatter" or "all_to_all".
llvm::StringRef stringOf(Collective collective);

/// Returns the collective with the name `name`, or nothing if there is none.
std::optional<Collective> collectiveNamed(llvm::StringRef name);

/// Price of a message: alpha and beta. In a class of large messages
/// (PriceClass) alpha may be negative, but the price of each message in the
/// class is not.
struct MessagePrice {
  double latencySeconds = 0;
  double secondsPerByte = 0;

  /// Returns the price of a message of `bytes` bytes.
  double seconds(double bytes) const {
    return latencySeconds + bytes * secondsPerByte;
  }
};

/// The price of the messages of up to `largestBytes` bytes that are larger than
/// those of the previous class.
struct PriceClass {
  double largestBytes = std::numeric_limits<double>::infinity();
  MessagePrice price;
};

/// The prices of one collective in groups of `members` members.
struct PriceTable {
  Collective collective = Collective::AllReduce;
  int64_t members = 0;              // 0: groups of any size
  std::vector<PriceClass> classes;  // ascending; the last has no bound
};

/// The tables of a level of a machine. Tables of the same collective are
/// adjacent, and ascend by `members`.
using PriceTables = std::vector<PriceTable>;

/// Returns the price of a message of `bytes` bytes in a `collective` among
/// `members` members. Among the tables of this collective, takes the one for
/// the smallest group with at least `members` members; if there is none, the
/// one for the largest group. Returns nothing if this collective has no table:
/// then the level's own alpha and beta apply.
std::optional<MessagePrice> priceOf(const PriceTables& tables,
                                    Collective collective, double members,
                                    double bytes);

}  // namespace sbp

#endif  // DIALECTS_SBP_NETWORK_H_
