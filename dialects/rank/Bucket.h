// What a collective says of the bucket that it may go into.
//
// A small collective that nobody waits for travels with others of its kind: one
// message has what a member sends to another one of all of them. The op says
// how much of a bucket it fills, the same on all ranks, so that all put the
// same ops into one:
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

inline constexpr llvm::StringLiteral kBucketAttrName = "rank.bucket";

struct Bucket {
  /// The place of the collective among the steps that lay its tensor otherwise.
  /// A bucket is of one, so that none waits for itself.
  int64_t step = 0;
  int64_t bytes = 0;      // of the tensor, on the rank that has most
  int64_t fullBytes = 0;  // so many fill the bucket
};

inline void setBucket(Operation* op, const Bucket& bucket) {
  op->setAttr(kBucketAttrName, mlir::DenseI64ArrayAttr::get(
                                   op->getContext(), {bucket.step, bucket.bytes,
                                                      bucket.fullBytes}));
}

/// What setBucket has said of `op`; nothing of an op that travels alone.
inline std::optional<Bucket> bucketOf(Operation* op) {
  auto attr = op->getAttrOfType<mlir::DenseI64ArrayAttr>(kBucketAttrName);
  if (!attr || attr.size() != 3) return std::nullopt;
  return Bucket{attr[0], attr[1], attr[2]};
}

}  // namespace sbp::rank

#endif  // DIALECTS_RANK_BUCKET_H_
