#include "passes/cost/Collectives.h"

#include <algorithm>
#include <cmath>

#include "llvm/ADT/STLExtras.h"

namespace sbp {
namespace {

/// The part of a group that lies within one level of the machine.
struct LevelPart {
  const MeshAxis* axis;  // any mesh axis of the level
  double members;
};

/// Returns the parts of the group over `axes`, innermost level first.
llvm::SmallVector<LevelPart, 3> partsByLevel(llvm::ArrayRef<int64_t> axes,
                                             const Mesh& mesh) {
  llvm::SmallVector<LevelPart, 3> parts;
  for (int64_t index : llvm::reverse(axes)) {
    const MeshAxis& axis = mesh.axes[index];
    if (parts.empty() || parts.back().axis->level != axis.level)
      parts.push_back({&axis, 1});
    parts.back().members *= static_cast<double>(axis.size);
  }
  return parts;
}

MessagePrice messagePrice(Collective collective, const LevelPart& part,
                          double bytes) {
  const MeshAxis& axis = *part.axis;
  return priceOf(axis.prices, collective, part.members, bytes)
      .value_or(MessagePrice{axis.latencySeconds, axis.secondsPerByte});
}

double messageSeconds(Collective collective, const LevelPart& part,
                      double bytes) {
  return messagePrice(collective, part, bytes).seconds(bytes);
}

double membersOf(llvm::ArrayRef<LevelPart> parts) {
  double members = 1;
  for (const LevelPart& part : parts) members *= part.members;
  return members;
}

// A full bucket takes this many times as long as an empty one. A larger number
// makes latency a smaller share of the time. A smaller number makes fewer
// tensors wait for each other in memory.
constexpr double kFullBucketLatencies = 8;

// Largest size of a full bucket on a device, in bytes.
constexpr double kMaxBucketBytes = 64 << 20;

// Returns the summed price of all messages that a member sends in a collective,
// each of `bytes` bytes.
MessagePrice priceOfAll(Collective collective, llvm::ArrayRef<LevelPart> parts,
                        double bytes) {
  MessagePrice sum;
  double inner = 1;  // number of ranks that differ in inner levels only
  for (const LevelPart& part : parts) {
    const double messages = (part.members - 1) * inner;
    const MessagePrice price = messagePrice(collective, part, bytes);
    sum.latencySeconds += messages * price.latencySeconds;
    sum.secondsPerByte += messages * price.secondsPerByte;
    inner *= part.members;
  }
  return sum;
}

}  // namespace

llvm::SmallVector<LevelTraffic, 3> collectiveTraffic(
    Collective collective, llvm::ArrayRef<int64_t> axes, double bytes,
    const Mesh& mesh) {
  return trafficInBucket(collective, axes, bytes, bytes, mesh);
}

llvm::SmallVector<LevelTraffic, 3> trafficInBucket(Collective collective,
                                                   llvm::ArrayRef<int64_t> axes,
                                                   double bytes,
                                                   double bucketBytes,
                                                   const Mesh& mesh) {
  const llvm::SmallVector<LevelPart, 3> parts = partsByLevel(axes, mesh);
  const double members = membersOf(parts);
  // In an empty bucket the tensor counts as the whole bucket.
  const double share = bucketBytes > 0 ? bytes / bucketBytes : 1;
  const double passes = collective == Collective::AllReduce ? 2 : 1;
  llvm::SmallVector<LevelTraffic, 3> traffic;
  double inner = 1;  // number of ranks that differ in inner levels only
  for (const LevelPart& part : parts) {
    const double messages = passes * (part.members - 1) * inner;
    traffic.push_back(
        {part.axis->level, messages * bytes / members,
         share * messages *
             messageSeconds(collective, part, bucketBytes / members)});
    inner *= part.members;
  }
  return traffic;
}

llvm::SmallVector<LevelTraffic, 3> haloExchangeTraffic(
    llvm::ArrayRef<int64_t> axes, double lowBytes, double highBytes,
    const Mesh& mesh) {
  const llvm::SmallVector<LevelPart, 3> parts = partsByLevel(axes, mesh);
  llvm::SmallVector<LevelTraffic, 3> traffic;
  auto add = [&](const LevelPart& part, double bytes) {
    if (bytes > 0)
      traffic.push_back(
          {part.axis->level, bytes,
           messageSeconds(Collective::AllToAll, {part.axis, 2}, bytes)});
  };
  if (membersOf(parts) > 2) add(parts.front(), std::min(lowBytes, highBytes));
  add(parts.back(), std::max(lowBytes, highBytes));
  return traffic;
}

double secondsOf(llvm::ArrayRef<LevelTraffic> traffic) {
  double seconds = 0;
  for (const LevelTraffic& level : traffic) seconds += level.seconds;
  return seconds;
}

double collectiveSeconds(Collective collective, llvm::ArrayRef<int64_t> axes,
                         double bytes, const Mesh& mesh) {
  return secondsOf(collectiveTraffic(collective, axes, bytes, mesh));
}

double fullBucketBytes(Collective collective, llvm::ArrayRef<int64_t> axes,
                       const Mesh& mesh, Bucketing bucketing) {
  if (bucketing.isAlone()) return 0;
  // The price is piecewise linear in the message size. Each round solves for
  // the size on the piece that the previous round ended on.
  constexpr int kRounds = 8;
  const llvm::SmallVector<LevelPart, 3> parts = partsByLevel(axes, mesh);
  const double most = kMaxBucketBytes / membersOf(parts);
  const double enough =
      kFullBucketLatencies * priceOfAll(collective, parts, 0).latencySeconds;
  double message = 0;
  for (int round = 0; round < kRounds; ++round) {
    const MessagePrice price = priceOfAll(collective, parts, message);
    const double seconds = enough - price.latencySeconds;
    const double before = message;
    message = price.secondsPerByte * most > seconds
                  ? std::max(0.0, seconds / price.secondsPerByte)
                  : most;
    if (message == before) break;
  }
  return std::min(std::round(membersOf(parts) * message),
                  bucketing.totalBytes());
}

}  // namespace sbp
