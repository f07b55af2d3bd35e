// What messages cost on one level of a machine, without any IR.
//
// In a collective of p members each sends p-1 messages, every one a p-th of the
// tensor (an all-reduce: twice as many). That is the ring; whatever algorithm a
// machine really runs, its cost can be told in these terms, as a price for one
// message of m bytes,
//
//   alpha + m beta     seconds
//
// where alpha and beta may differ by collective, by group size and by the size
// of the message:
//
//   seconds              _.-'   <- bandwidth of memory
//      |          __..-''
//      |  ____.--'              <- of a cache
//      +------------------ m
//
// A price never falls as messages grow (the verifier of #sbp.level sees to it),
// so no tensor is cheaper to move than a smaller one.

#ifndef DIALECTS_SBP_NETWORK_H_
#define DIALECTS_SBP_NETWORK_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace sbp {

/// The collectives that a machine may price apart.
enum class Collective { AllReduce, AllGather, ReduceScatter, AllToAll };

/// "all_reduce", "all_gather", "reduce_scatter" or "all_to_all".
llvm::StringRef stringOf(Collective collective);

/// The collective that `name` names, if any.
std::optional<Collective> collectiveNamed(llvm::StringRef name);

/// alpha and beta. alpha may be negative where a class begins with larger
/// messages; their price is positive all the same.
struct MessagePrice {
  double latencySeconds = 0;
  double secondsPerByte = 0;

  double seconds(double bytes) const {
    return latencySeconds + bytes * secondsPerByte;
  }
};

/// The price of messages up to a size.
struct PriceClass {
  double largestBytes = std::numeric_limits<double>::infinity();
  MessagePrice price;
};

/// The prices of one collective in groups of one size.
struct PriceTable {
  Collective collective = Collective::AllReduce;
  int64_t members = 0;              // 0: groups of any size
  std::vector<PriceClass> classes;  // ascending; the last without bound
};

/// The tables of a level: those of a collective together, ascending by members.
using PriceTables = std::vector<PriceTable>;

/// The price of messages of `bytes` of `collective` among `members`: of the
/// table for the least group that is as large, else for the largest. None if no
/// table is of this collective; the level's own alpha and beta hold then.
std::optional<MessagePrice> priceOf(const PriceTables& tables,
                                    Collective collective, double members,
                                    double bytes);

}  // namespace sbp

#endif  // DIALECTS_SBP_NETWORK_H_
