// The attribute of a collective that may be combined with others in a bucket.
//
// Small collectives of one kind, whose results are not needed before the end of
// a step, may be combined in a bucket. All that one member sends to another for
// these collectives then travels in one message. The attribute says how much of
// a full bucket the collective fills. Its value is the same on all ranks, so
// that all ranks put the same ops into a bucket:
//
//   %sum = rank.all_reduce sum %terms over ["data"]
//       {rank.bucket = array<i64: 0, 4096, 1048576>} : tensor<1024xf32>

#ifndef DIALECTS_RANK_BUCKET_H_
#define DIALECTS_RANK_BUCKET_H_

#include <optional>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace sbp::rank {

/// Name of the attribute. Its value lists the members of Bucket.
inline constexpr llvm::StringLiteral kBucketAttrName = "rank.bucket";

/// The value of the attribute.
struct Bucket {
  /// Index of the collective among the steps of its boxing. All collectives of
  /// a bucket have the same index, so that none of them needs the result of
  /// another.
  int64_t step = 0;
  int64_t bytes = 0;      // of the tensor on the rank where it is largest
  int64_t fullBytes = 0;  // capacity of a bucket; more than `bytes`
};

/// Sets the attribute of `op`.
inline void setBucket(Operation* op, const Bucket& bucket) {
  op->setAttr(kBucketAttrName, mlir::DenseI64ArrayAttr::get(
                                   op->getContext(), {bucket.step, bucket.bytes,
                                                      bucket.fullBytes}));
}

/// Returns the attribute of `op`. Returns nothing if `op` has no such
/// attribute, and so is not combined with others.
inline std::optional<Bucket> bucketOf(Operation* op) {
  auto attr = op->getAttrOfType<mlir::DenseI64ArrayAttr>(kBucketAttrName);
  if (!attr || attr.size() != 3) return std::nullopt;
  return Bucket{attr[0], attr[1], attr[2]};
}

}  // namespace sbp::rank

#endif  // DIALECTS_RANK_BUCKET_H_
