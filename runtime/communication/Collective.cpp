#include "runtime/communication/Collective.h"

#include <algorithm>
#include <optional>
#include <string>

#include "fmt/format.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/Names.h"

namespace sbp::communication {
namespace {

using plan::Range;
using Kind = plan::CollectiveTask::Kind;
using Shape = std::vector<int64_t>;

// Below this many bytes read per member, one more wait costs more than reading
// every member's whole buffer.
constexpr int64_t kShortAllReduceBytes = 64 * 1024;

// Slices of an all-reduce begin at cache lines: no line has two writers.
constexpr int64_t kSliceBytes = 64;

// The ranks of `group` that differ from `rank` only along `axes`, row-major
// over them.
std::vector<int64_t> membersOf(const plan::Group& group,
                               const std::vector<int64_t>& axes, int64_t rank) {
  std::vector<int64_t> strides(group.axes.size(), 1);
  for (size_t axis = strides.size(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * group.axes[axis].size;
  }
  std::vector<int64_t> places = {group.placeOf(rank)};
  const std::vector<int64_t> coordinates = plan::coordinatesOf(group, rank);
  for (int64_t axis : axes) places[0] -= coordinates[axis] * strides[axis];
  for (int64_t axis : axes) {
    std::vector<int64_t> finer;
    for (int64_t place : places) {
      for (int64_t i = 0; i < group.axes[axis].size; ++i) {
        finer.push_back(place + i * strides[axis]);
      }
    }
    places = std::move(finer);
  }
  for (int64_t& place : places) place = group.rankAt(place);
  return places;
}

// Which part of which tensor goes from member to member: seen by the giver, the
// tensor is a part along `gatheredDim`; seen by the taker, along `splitDim`.
// Each is absent in the kinds that do not change the tensor so.
class Geometry {
 public:
  Geometry(const plan::CollectiveTask& task, const plan::Group& group,
           const std::vector<int64_t>& members)
      : elementBytes(plan::byteWidth(task.elementType)) {
    switch (task.kind) {
      case Kind::kAllGather:
      case Kind::kPad:
        gatheredDim = task.dim;
        whole = task.outShape;
        break;
      case Kind::kReduceScatter:
      case Kind::kSlice:
        splitDim = task.dim;
        whole = task.inShape;
        break;
      case Kind::kHaloExchange:
        gatheredDim = task.dim;
        whole = task.inShape;
        whole[task.dim] = task.extent;
        low = task.low;
        high = task.high;
        break;
      case Kind::kAllToAll:
        gatheredDim = task.dim;
        splitDim = task.splitDim;
        whole = task.inShape;
        whole[task.dim] = task.outShape[task.dim];
        break;
      default:
        whole = task.inShape;
        break;
    }
    for (int64_t member : members) {
      std::vector<int64_t> coordinates = plan::coordinatesOf(group, member);
      if (gatheredDim) {
        gatheredParts.push_back(plan::nestedPart(group, task.axes, coordinates,
                                                 whole[*gatheredDim]));
      }
      if (splitDim) {
        splitParts.push_back(
            plan::nestedPart(group, task.axes, coordinates, whole[*splitDim]));
      }
    }
  }

  // What member `taker` takes of member `giver`.
  Transfer transfer(int64_t giver, int64_t taker) const {
    Shape source = whole, destination = whole, box = whole;
    Shape sourceBegin(whole.size(), 0), destinationBegin(whole.size(), 0);
    if (gatheredDim) {
      const Range& part = gatheredParts[giver];
      source[*gatheredDim] = box[*gatheredDim] = part.size;
      destinationBegin[*gatheredDim] = part.begin;
    }
    if (splitDim) {
      const Range& part = splitParts[taker];
      destination[*splitDim] = box[*splitDim] = part.size;
      sourceBegin[*splitDim] = part.begin;
    }
    return boxTransfer(box, source, sourceBegin, destination, destinationBegin,
                       elementBytes);
  }

  // What member `taker` takes of member `giver` when each has its part along
  // `gatheredDim` and takes that and `low` and `high` elements around it.
  Transfer haloTransfer(int64_t giver, int64_t taker) const {
    const Range& given = gatheredParts[giver];
    const Range wanted = widened(taker);
    const int64_t begin = std::max(given.begin, wanted.begin);
    const int64_t end =
        std::min(given.begin + given.size, wanted.begin + wanted.size);
    if (begin >= end) return Transfer();
    Shape source = whole, destination = whole, box = whole;
    Shape sourceBegin(whole.size(), 0), destinationBegin(whole.size(), 0);
    source[*gatheredDim] = given.size;
    sourceBegin[*gatheredDim] = begin - given.begin;
    destination[*gatheredDim] = wanted.size;
    destinationBegin[*gatheredDim] = begin - wanted.begin;
    box[*gatheredDim] = end - begin;
    return boxTransfer(box, source, sourceBegin, destination, destinationBegin,
                       elementBytes);
  }

  // Whether what `haloTransfer` gives a member goes beyond the whole dimension.
  bool isBeyond(int64_t taker) const {
    const Range wanted = widened(taker);
    return wanted.begin < 0 || wanted.begin + wanted.size > whole[*gatheredDim];
  }

  const Shape& wholeShape() const { return whole; }

 private:
  Range widened(int64_t member) const {
    const Range& part = gatheredParts[member];
    return {part.begin - low, low + part.size + high};
  }

  int64_t elementBytes;
  std::optional<int64_t> gatheredDim;
  std::optional<int64_t> splitDim;
  Shape whole;
  int64_t low = 0, high = 0;
  std::vector<Range> gatheredParts;  // by member
  std::vector<Range> splitParts;
};

// Slice `index` of `count` of a buffer, at the same place in both.
Transfer sliceTransfer(int64_t bytes, int64_t index, int64_t count) {
  int64_t numBlocks = (bytes + kSliceBytes - 1) / kSliceBytes;
  Range blocks = plan::evenPart({0, numBlocks}, index, count);
  int64_t begin = std::min(blocks.begin * kSliceBytes, bytes);
  int64_t end = std::min((blocks.begin + blocks.size) * kSliceBytes, bytes);
  Transfer transfer;
  transfer.shape.rowBytes = end - begin;
  transfer.source.offset = transfer.destination.offset = begin;
  return transfer;
}

// A phase in which `taken(giver, taker)` says who takes what.
template <typename Taken>
Phase makePhase(Phase::Kind kind, bool readsOut,
                const PreparedCollective& collective, const Taken& taken) {
  Phase phase;
  phase.kind = kind;
  phase.readsOut = readsOut;
  const int64_t numMembers = collective.members.size();
  for (int64_t other = 0; other < numMembers; ++other) {
    phase.pulls.push_back(taken(other, collective.me));
    phase.gives.push_back(taken(collective.me, other));
  }
  return phase;
}

// In place, a member must not write what others still read. Of two phases, the
// first writes only the slice that nobody else reads. In one phase, the result
// is put aside until all have read. So members need not agree on whether they
// are in place.
void addAllReduce(int64_t bytes, PreparedCollective& collective) {
  const int64_t numMembers = collective.members.size();
  if (numMembers == 1 || numMembers * bytes <= kShortAllReduceBytes) {
    collective.setsAside =
        numMembers > 1 && collective.task.in == collective.task.out;
    collective.phases.push_back(makePhase(
        Phase::Kind::kReduce, /*readsOut=*/false, collective,
        [&](int64_t, int64_t) { return sliceTransfer(bytes, 0, 1); }));
    return;
  }
  collective.phases.push_back(
      makePhase(Phase::Kind::kReduce, /*readsOut=*/false, collective,
                [&](int64_t, int64_t taker) {
                  return sliceTransfer(bytes, taker, numMembers);
                }));
  collective.phases.push_back(
      makePhase(Phase::Kind::kCopy, /*readsOut=*/true, collective,
                [&](int64_t giver, int64_t taker) {
                  // One's own slice is in place.
                  if (giver == taker) return Transfer();
                  return sliceTransfer(bytes, giver, numMembers);
                }));
}

// FNV-1a over what members must agree on.
uint64_t computeSignature(const plan::CollectiveTask& task,
                          const Shape& wholeShape) {
  uint64_t hash = 0xcbf29ce484222325u;
  auto mix = [&hash](int64_t value) {
    hash = (hash ^ static_cast<uint64_t>(value)) * 0x100000001b3u;
  };
  mix(static_cast<int64_t>(task.elementType));
  mix(static_cast<int64_t>(task.reduction));
  mix(task.dim);
  mix(task.splitDim);
  mix(task.low);
  mix(task.high);
  for (int64_t extent : wholeShape) mix(extent);
  return hash << 8 | static_cast<uint64_t>(task.kind);
}

std::string kindName(uint64_t signature) {
  return std::string(plan::toString(static_cast<Kind>(signature & 0xff)));
}

}  // namespace

absl::Status mismatch(int64_t rank, uint64_t signature, int64_t otherRank,
                      uint64_t otherSignature) {
  const std::string mine = kindName(signature);
  const std::string theirs = kindName(otherSignature);
  return absl::InternalError(
      mine == theirs
          ? fmt::format("ranks {} and {} run {} on different tensors", rank,
                        otherRank, mine)
          : fmt::format("rank {} runs {} while rank {} runs {}", rank, mine,
                        otherRank, theirs));
}

PreparedCollective prepareCollective(const plan::CollectiveTask& task,
                                     const plan::Group& group, int64_t rank) {
  PreparedCollective collective;
  collective.task = task;
  collective.members = membersOf(group, task.axes, rank);
  collective.me =
      std::find(collective.members.begin(), collective.members.end(), rank) -
      collective.members.begin();
  const int64_t elementBytes = plan::byteWidth(task.elementType);
  collective.outBytes = plan::numElements(task.outShape) * elementBytes;
  if (task.kind == Kind::kOffset) {
    collective.offsetValue =
        plan::nestedPart(group, task.axes, plan::coordinatesOf(group, rank),
                         task.extent)
            .begin;
    return collective;
  }
  collective.inBytes = plan::numElements(task.inShape) * elementBytes;

  const Geometry geometry(task, group, collective.members);
  const int64_t me = collective.me;
  auto taken = [&](int64_t giver, int64_t taker) {
    return geometry.transfer(giver, taker);
  };
  switch (task.kind) {
    case Kind::kAllReduce:
      addAllReduce(collective.inBytes, collective);
      break;
    case Kind::kAllGather:
    case Kind::kAllToAll:
      collective.phases.push_back(
          makePhase(Phase::Kind::kCopy, false, collective, taken));
      break;
    case Kind::kHaloExchange:
      collective.fillsIdentity = geometry.isBeyond(me);
      collective.phases.push_back(
          makePhase(Phase::Kind::kCopy, false, collective,
                    [&](int64_t giver, int64_t taker) {
                      return geometry.haloTransfer(giver, taker);
                    }));
      break;
    case Kind::kReduceScatter:
      collective.phases.push_back(
          makePhase(Phase::Kind::kReduce, false, collective, taken));
      break;
    case Kind::kPad:
      collective.fillsIdentity = true;
      collective.localCopies.push_back(taken(me, me));
      break;
    case Kind::kSlice:
      collective.localCopies.push_back(taken(me, me));
      break;
    case Kind::kToPartial:
      collective.fillsIdentity = me != 0;
      if (me == 0 && task.in != task.out) {
        collective.localCopies.push_back(taken(me, me));
      }
      break;
    case Kind::kOffset:
      break;
  }
  collective.signature = computeSignature(task, geometry.wholeShape());
  for (const Phase& phase : collective.phases) {
    for (size_t m = 0; m < phase.pulls.size(); ++m) {
      if (static_cast<int64_t>(m) != me) {
        collective.bytesFromOthers += phase.pulls[m].bytes();
      }
    }
  }
  return collective;
}

}  // namespace sbp::communication
