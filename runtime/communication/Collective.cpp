#include "runtime/communication/Collective.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/Names.h"

namespace sbp::communication {
namespace {

using plan::Range;
using Kind = plan::CollectiveTask::Kind;
using Shape = std::vector<int64_t>;

// Size up to which an all-reduce has one phase, in bytes that each member
// reads. Up to this size, one more wait costs more than reading the whole
// buffer of every member.
constexpr int64_t kShortAllReduceBytes = 64 * 1024;

// Size of a block in bytes: a cache line. Slices of an all-reduce consist of
// whole blocks, so that no cache line has two writers.
constexpr int64_t kSliceBytes = 64;

// Computes the box that goes from one member, the giver, to another one, the
// taker, for one tensor. The giver has a part of the whole tensor along
// `gatheredDim`. The taker wants a part along `splitDim`. Kinds of collectives
// that do not gather, or do not split, have no such dimension.
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

  // Returns what member `taker` takes from member `giver`.
  RowCopy copy(int64_t giver, int64_t taker) const {
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
    return boxCopy(box, source, sourceBegin, destination, destinationBegin,
                   elementBytes);
  }

  // Returns what member `taker` takes from member `giver` in a halo exchange:
  // each has its part along `gatheredDim`, and wants `low` and `high` elements
  // around it.
  RowCopy haloCopy(int64_t giver, int64_t taker) const {
    const Range& given = gatheredParts[giver];
    const Range wanted = widened(taker);
    const int64_t begin = std::max(given.begin, wanted.begin);
    const int64_t end =
        std::min(given.begin + given.size, wanted.begin + wanted.size);
    if (begin >= end) return RowCopy();
    Shape source = whole, destination = whole, box = whole;
    Shape sourceBegin(whole.size(), 0), destinationBegin(whole.size(), 0);
    source[*gatheredDim] = given.size;
    sourceBegin[*gatheredDim] = begin - given.begin;
    destination[*gatheredDim] = wanted.size;
    destinationBegin[*gatheredDim] = begin - wanted.begin;
    box[*gatheredDim] = end - begin;
    return boxCopy(box, source, sourceBegin, destination, destinationBegin,
                   elementBytes);
  }

  // Whether the halo of a member reaches beyond the whole dimension.
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

// Returns the part of a tensor of `bytes` bytes that lies in the blocks
// `slice`. The tensor's first block is `firstBlock`; blocks have kSliceBytes
// bytes. Source and destination have the same offsets.
RowCopy sliceCopy(int64_t bytes, int64_t firstBlock, const Range& slice) {
  const auto placeOf = [&](int64_t block) {
    return std::clamp<int64_t>((block - firstBlock) * kSliceBytes, 0, bytes);
  };
  const int64_t begin = placeOf(slice.begin);
  const int64_t end = placeOf(slice.begin + slice.size);
  RowCopy copy;
  copy.shape.rowBytes = end - begin;
  copy.source.offset = copy.destination.offset = begin;
  return copy;
}

// Adds a phase. `taken(tensor, giver, taker)` returns the rows that one member
// takes from another one.
template <typename Taken>
void addPhase(Phase::Kind kind, bool readsOut, const Taken& taken,
              PreparedCollective& collective) {
  const auto boxesOf = [&](int64_t giver, int64_t taker) {
    Boxes boxes;
    for (size_t tensor = 0; tensor < collective.tensors.size(); ++tensor) {
      const RowCopy rows = taken(tensor, giver, taker);
      if (rows.bytes() > 0) boxes.all.push_back({tensor, rows});
      boxes.bytes += rows.bytes();
    }
    return boxes;
  };
  Phase phase;
  phase.kind = kind;
  phase.readsOut = readsOut;
  const int64_t numMembers = collective.members.size();
  for (int64_t other = 0; other < numMembers; ++other) {
    phase.received.push_back(boxesOf(other, collective.me));
    phase.sent.push_back(boxesOf(collective.me, other));
    if (other != collective.me)
      collective.bytesFromOthers += phase.received.back().bytes;
  }
  collective.phases.push_back(std::move(phase));
}

// Adds the phases of an all-reduce. A member that is in place must not
// overwrite what others still read. If there are two phases, this cannot
// happen, because in the first phase a member writes only its own slice, which
// no other member reads. If there is one phase, a member that is in place keeps
// its result aside until all members have read. So some members may be in place
// and others not.
void addAllReduce(PreparedCollective& collective) {
  const int64_t numMembers = collective.members.size();
  int64_t bytes = 0, numBlocks = 0;  // of all tensors
  std::vector<int64_t> firstBlocks;  // by tensor
  for (const PreparedTensor& tensor : collective.tensors) {
    firstBlocks.push_back(numBlocks);
    numBlocks += (tensor.inBytes + kSliceBytes - 1) / kSliceBytes;
    bytes += tensor.inBytes;
  }
  const auto partOf = [&](size_t tensor, const Range& slice) {
    return sliceCopy(collective.tensors[tensor].inBytes, firstBlocks[tensor],
                     slice);
  };
  const Range all = {0, numBlocks};
  if (numMembers == 1 || numMembers * bytes <= kShortAllReduceBytes) {
    for (PreparedTensor& tensor : collective.tensors) {
      tensor.setsAside = numMembers > 1 && tensor.task.in == tensor.task.out;
      if (tensor.setsAside) collective.asideBytes += tensor.outBytes;
    }
    addPhase(
        Phase::Kind::kReduce, /*readsOut=*/false,
        [&](size_t tensor, int64_t, int64_t) { return partOf(tensor, all); },
        collective);
    return;
  }
  const auto sliceOf = [&](size_t tensor, int64_t member) {
    return partOf(tensor, plan::evenPart(all, member, numMembers));
  };
  addPhase(
      Phase::Kind::kReduce, /*readsOut=*/false,
      [&](size_t tensor, int64_t, int64_t taker) {
        return sliceOf(tensor, taker);
      },
      collective);
  addPhase(
      Phase::Kind::kCopy, /*readsOut=*/true,
      [&](size_t tensor, int64_t giver, int64_t taker) {
        // A member's own slice is in place already.
        return giver == taker ? RowCopy() : sliceOf(tensor, giver);
      },
      collective);
}

// An FNV-1a hash of everything on which members must agree.
class Signature {
 public:
  void add(const plan::CollectiveTask& task, const Shape& wholeShape) {
    mix(static_cast<int64_t>(task.elementType));
    mix(static_cast<int64_t>(task.reduction));
    mix(task.dim);
    mix(task.splitDim);
    mix(task.low);
    mix(task.high);
    mix(static_cast<int64_t>(wholeShape.size()));
    for (int64_t extent : wholeShape) mix(extent);
  }

  // Returns the hash, folded so that its low bits, which alone are sent in
  // messages, depend on all of its bits. The low byte is `kind`.
  uint64_t of(Kind kind) const {
    uint64_t folded = hash ^ hash >> 32;
    folded ^= folded >> 16;
    folded ^= folded >> 8;
    return folded << 8 | static_cast<uint64_t>(kind);
  }

 private:
  void mix(int64_t value) {
    hash = (hash ^ static_cast<uint64_t>(value)) * 0x100000001b3u;
  }

  uint64_t hash = 0xcbf29ce484222325u;
};

std::string kindName(uint64_t signature) {
  return std::string(plan::toString(static_cast<Kind>(signature & 0xff)));
}

}  // namespace

std::vector<int64_t> membersOf(const plan::Group& group,
                               const std::vector<int64_t>& axes, int64_t rank) {
  std::vector<int64_t> strides(group.axes.size(), 1);
  for (size_t axis = strides.size(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * group.axes[axis].size;
  }
  std::vector<int64_t> places = {group.positionOf(rank)};
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

PreparedCollective prepareCollective(
    const std::vector<plan::CollectiveTask>& tasks, const plan::Group& group,
    int64_t rank) {
  const Kind kind = tasks.front().kind;
  PreparedCollective collective;
  collective.members = membersOf(group, tasks.front().axes, rank);
  collective.me =
      std::find(collective.members.begin(), collective.members.end(), rank) -
      collective.members.begin();
  const int64_t me = collective.me;
  std::vector<Geometry> geometries;  // by tensor; empty for kOffset
  Signature signature;
  for (const plan::CollectiveTask& task : tasks) {
    PreparedTensor& tensor = collective.tensors.emplace_back();
    collective.buffers.push_back({task.in, task.out});
    const int64_t elementBytes = plan::byteWidth(task.elementType);
    tensor.task = task;
    tensor.outBytes = plan::numElements(task.outShape) * elementBytes;
    if (kind == Kind::kOffset) {
      tensor.offsetValue =
          plan::nestedPart(group, task.axes, plan::coordinatesOf(group, rank),
                           task.extent)
              .begin;
      continue;
    }
    tensor.inBytes = plan::numElements(task.inShape) * elementBytes;
    const Geometry& geometry =
        geometries.emplace_back(task, group, collective.members);
    tensor.fillsIdentity =
        kind == Kind::kPad || (kind == Kind::kToPartial && me != 0) ||
        (kind == Kind::kHaloExchange && geometry.isBeyond(me));
    const bool copies =
        kind == Kind::kPad || kind == Kind::kSlice ||
        (kind == Kind::kToPartial && me == 0 && task.in != task.out);
    if (copies) tensor.localCopies.push_back(geometry.copy(me, me));
    signature.add(task, geometry.wholeShape());
  }
  collective.signature = signature.of(kind);

  const auto taken = [&](size_t tensor, int64_t giver, int64_t taker) {
    return geometries[tensor].copy(giver, taker);
  };
  switch (kind) {
    case Kind::kAllReduce:
      addAllReduce(collective);
      break;
    case Kind::kAllGather:
    case Kind::kAllToAll:
      addPhase(Phase::Kind::kCopy, /*readsOut=*/false, taken, collective);
      break;
    case Kind::kHaloExchange:
      addPhase(
          Phase::Kind::kCopy, /*readsOut=*/false,
          [&](size_t tensor, int64_t giver, int64_t taker) {
            return geometries[tensor].haloCopy(giver, taker);
          },
          collective);
      break;
    case Kind::kReduceScatter:
      addPhase(Phase::Kind::kReduce, /*readsOut=*/false, taken, collective);
      break;
    case Kind::kSlice:
    case Kind::kPad:
    case Kind::kToPartial:
    case Kind::kOffset:
      break;
  }
  return collective;
}

}  // namespace sbp::communication
