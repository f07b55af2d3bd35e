#include "runtime/communication/GroupTransfer.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "fmt/format.h"
#include "runtime/plan/Box.h"

namespace sbp::communication {
namespace {

using plan::Box;
using plan::Group;
using Shape = std::vector<int64_t>;

/// Returns the intersection of two boxes.
Box common(const Box& left, const Box& right) {
  Box box;
  for (size_t dim = 0; dim < left.size(); ++dim) {
    const int64_t begin = std::max(left[dim].begin, right[dim].begin);
    const int64_t end = std::min(left[dim].begin + left[dim].size,
                                 right[dim].begin + right[dim].size);
    box.push_back({begin, std::max<int64_t>(end - begin, 0)});
  }
  return box;
}

/// Returns the index at which `box` begins in a dense tensor that holds
/// `around`.
Shape beginIn(const Box& box, const Box& around) {
  Shape begin;
  for (size_t dim = 0; dim < box.size(); ++dim)
    begin.push_back(box[dim].begin - around[dim].begin);
  return begin;
}

/// Returns the number of outermost dimensions of a box that must be visited one
/// index at a time, so that the two loops of a RowCopy suffice for the rest.
size_t numOuter(const Shape& box, const Shape& source, const Shape& target) {
  int loops = 0;
  bool isRow = true;  // all dimensions so far are part of the row
  for (size_t dim = box.size(); dim-- > 0;) {
    const bool isWhole = box[dim] == source[dim] && box[dim] == target[dim];
    if (box[dim] != 1 && !isRow && ++loops > kNumLoops) return dim + 1;
    isRow = isRow && isWhole;
    // A dimension that the box covers only in part is the outermost one of the
    // row.
  }
  return 0;
}

/// Returns the rows that copy `box` from a dense tensor that holds `source` to
/// one that holds `target`.
std::vector<RowCopy> rowsOf(const Box& box, const Box& source,
                            const Box& target, int64_t elementBytes) {
  Shape extents = plan::shapeOf(box);
  if (plan::numElements(extents) == 0) return {};
  const Shape sourceShape = plan::shapeOf(source);
  const Shape targetShape = plan::shapeOf(target);
  const Shape sourceFirst = beginIn(box, source);
  const Shape targetFirst = beginIn(box, target);
  const size_t outer = numOuter(extents, sourceShape, targetShape);
  int64_t count = 1;
  for (size_t dim = 0; dim < outer; ++dim)
    count *= std::exchange(extents[dim], 1);
  std::vector<RowCopy> rows;
  for (int64_t number = 0; number < count; ++number) {
    Shape sourceBegin = sourceFirst, targetBegin = targetFirst;
    int64_t rest = number;
    for (size_t dim = outer; dim-- > 0;) {
      const int64_t index = rest % box[dim].size;
      rest /= box[dim].size;
      sourceBegin[dim] += index;
      targetBegin[dim] += index;
    }
    rows.push_back(boxCopy(extents, sourceShape, sourceBegin, targetShape,
                           targetBegin, elementBytes));
  }
  return rows;
}

/// Returns the positions in the source group, grouped by the box that they
/// hold.
std::vector<std::vector<int64_t>> holders(const plan::Tensor& tensor,
                                          const Group& group) {
  std::vector<std::vector<int64_t>> byBox;
  std::vector<Shape> splits;
  for (int64_t place = 0; place < group.size(); ++place) {
    Shape split = plan::coordinatesOf(group, group.rankAt(place));
    for (size_t axis = 0; axis < split.size(); ++axis)
      if (tensor.placement[axis].kind != plan::Component::Kind::kSplit)
        split[axis] = 0;
    const auto known = std::find(splits.begin(), splits.end(), split);
    if (known == splits.end()) {
      splits.push_back(std::move(split));
      byBox.push_back({place});
    } else {
      byBox[known - splits.begin()].push_back(place);
    }
  }
  return byBox;
}

bool haveEqualAxes(const Group& left, const Group& right) {
  return std::equal(left.axes.begin(), left.axes.end(), right.axes.begin(),
                    right.axes.end(),
                    [](const plan::Axis& a, const plan::Axis& b) {
                      return a.size == b.size;
                    });
}

/// Returns which of `places`, the positions in the source that hold a box of
/// `tensor`, sends to the rank at position `taker` of the target.
int64_t giverOf(const std::vector<int64_t>& places, const plan::Tensor& tensor,
                const Group& source, const Group& target, int64_t taker) {
  const int64_t own = source.positionOf(target.rankAt(taker));
  if (std::find(places.begin(), places.end(), own) != places.end()) return own;
  if (!haveEqualAxes(source, target))
    return places[taker % static_cast<int64_t>(places.size())];
  const Shape there =
      plan::coordinatesOf(source, source.rankAt(places.front()));
  const Shape here = plan::coordinatesOf(target, target.rankAt(taker));
  int64_t giver = 0;
  for (size_t axis = 0; axis < here.size(); ++axis) {
    const bool isSplit =
        tensor.placement[axis].kind == plan::Component::Kind::kSplit;
    giver =
        giver * source.axes[axis].size + (isSplit ? there[axis] : here[axis]);
  }
  return giver;
}

}  // namespace

int64_t Parcel::bytes() const {
  int64_t sum = 0;
  for (const RowCopy& copy : rows) sum += copy.bytes();
  return sum;
}

int64_t firstCellOf(const std::vector<plan::Transfer>& transfers,
                    int64_t number) {
  return std::accumulate(
      transfers.begin(), transfers.begin() + number, int64_t{0},
      [](int64_t sum, const plan::Transfer& t) { return sum + t.times; });
}

std::string sendNameOf(const plan::Transfer& transfer,
                       const std::vector<plan::Group>& groups) {
  return fmt::format("send of {} to group {}", transfer.source.name,
                     groups[transfer.target.group].name);
}

std::string receiveNameOf(const plan::Transfer& transfer,
                          const std::vector<plan::Group>& groups) {
  return fmt::format("receive of {} from group {}", transfer.target.name,
                     groups[transfer.source.group].name);
}

std::vector<int64_t> ranksOf(const plan::Transfer& transfer,
                             const std::vector<plan::Group>& groups) {
  std::vector<int64_t> ranks;
  for (int64_t group : {transfer.source.group, transfer.target.group})
    for (int64_t position = 0; position < groups[group].size(); ++position)
      ranks.push_back(groups[group].rankAt(position));
  return ranks;
}

PreparedTransfer prepareTransfer(const plan::Transfer& transfer,
                                 const std::vector<Group>& groups,
                                 int64_t rank) {
  const Group& source = groups[transfer.source.group];
  const Group& target = groups[transfer.target.group];
  const int64_t width = plan::byteWidth(transfer.source.elementType);
  PreparedTransfer prepared;
  prepared.sentBufferBytes = plan::localBytes(source, transfer.source, rank);
  prepared.receivedBufferBytes =
      plan::localBytes(target, transfer.target, rank);
  if (!source.has(rank) && !target.has(rank)) return prepared;

  const std::vector<std::vector<int64_t>> byBox =
      holders(transfer.source, source);
  for (int64_t taker = 0; taker < target.size(); ++taker) {
    const int64_t takerRank = target.rankAt(taker);
    if (takerRank != rank && !source.has(rank)) continue;
    const Box wanted = plan::localBox(target, transfer.target, takerRank);
    for (const std::vector<int64_t>& places : byBox) {
      const int64_t giver = source.rankAt(
          giverOf(places, transfer.source, source, target, taker));
      if (giver != rank && takerRank != rank) continue;
      const Box held = plan::localBox(source, transfer.source, giver);
      std::vector<RowCopy> rows =
          rowsOf(common(held, wanted), held, wanted, width);
      if (rows.empty()) continue;
      if (giver == rank) prepared.sent.push_back({takerRank, rows});
      if (takerRank == rank)
        prepared.received.push_back({giver, std::move(rows)});
    }
  }
  return prepared;
}

}  // namespace sbp::communication
