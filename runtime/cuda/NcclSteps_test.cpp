// The steps of a collective, run for all members with a simulated NCCL, give
// the results of the oracle.

#include "runtime/cuda/NcclSteps.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/communication/Collective.h"
#include "runtime/communication/Reduction.h"
#include "runtime/communication/RowCopy.h"
#include "runtime/communication/testing/CollectiveOracle.h"
#include "runtime/cuda/RowMover.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {
namespace {

using communication::WholeCollective;
using Bytes = std::vector<std::byte>;

/// A member of a collective of one tensor, with its memory.
struct Member {
  Member(const WholeCollective& whole, const plan::Group& group, int64_t rank)
      : collective(communication::prepareCollective(
            {communication::localTask(whole, group.axes, rank)}, group, rank)),
        steps(ncclStepsOf(collective)),
        in(communication::makeInput(task(), rank)),
        out(collective.tensors.front().outBytes, std::byte{0x5a}),
        aside(steps.asideBytes, std::byte{0x7b}) {}

  const plan::CollectiveTask& task() const {
    return collective.tensors.front().task;
  }

  /// Returns memory; an operand and a result in place are the same.
  Bytes& memory(NcclPiece::Memory kind) {
    if (kind == NcclPiece::Memory::kAside) return aside;
    const bool isInPlace =
        task().kind == plan::CollectiveTask::Kind::kAllReduce &&
        task().in == task().out;
    return kind == NcclPiece::Memory::kIn || isInPlace ? in : out;
  }
  std::byte* at(const NcclPiece& piece, int64_t bytes) {
    Bytes& all = memory(piece.memory);
    EXPECT_LE(piece.offset + bytes, static_cast<int64_t>(all.size()));
    return all.data() + piece.offset;
  }

  void runJobs(const std::vector<RowJob>& jobs) {
    const auto bufferOf = [&](const RowPlace& place) -> Bytes& {
      if (place.owner == RowMover::kAside) return aside;
      return memory(place.slot == RowMover::inOf(0) ? NcclPiece::Memory::kIn
                                                    : NcclPiece::Memory::kOut);
    };
    for (const RowJob& job : jobs) {
      communication::RowCopy copy = {job.shape, job.sources.front().rows,
                                     job.target.rows};
      communication::copyRows(copy, bufferOf(job.sources.front()).data(),
                              bufferOf(job.target).data());
    }
  }

  void fillIdentity() {
    if (collective.tensors.front().fillsIdentity)
      communication::fillIdentity(task().elementType, task().reduction,
                                  static_cast<int64_t>(out.size()), out.data());
  }

  communication::PreparedCollective collective;
  NcclSteps steps;
  Bytes in, out, aside;
};

int64_t widthOf(NcclType type) {
  switch (type) {
    case NcclType::kInt8:
    case NcclType::kUint8:
      return 1;
    case NcclType::kBFloat16:
      return 2;
    case NcclType::kInt32:
    case NcclType::kFloat32:
      return 4;
    case NcclType::kInt64:
      return 8;
  }
  return 0;
}

/// Runs call number `index` of each of `members`, all of one collective kind.
void runTogether(std::vector<Member*> members, size_t index) {
  const NcclCall first = members.front()->steps.calls[index];
  const int64_t bytes = first.count * widthOf(first.type);
  const auto numMembers = static_cast<int64_t>(members.size());
  const bool isScatter = first.kind == NcclCall::Kind::kReduceScatter;
  std::vector<Bytes> given;
  for (Member* member : members) {
    const NcclCall& call = member->steps.calls[index];
    ASSERT_EQ(call.kind, first.kind);
    ASSERT_EQ(call.count, first.count);
    const int64_t size = isScatter ? numMembers * bytes : bytes;
    const std::byte* const begin = member->at(call.source, size);
    given.emplace_back(begin, begin + size);
  }
  for (int64_t me = 0; me < numMembers; ++me) {
    Member& member = *members[me];
    const NcclCall& call = member.steps.calls[index];
    if (call.kind == NcclCall::Kind::kAllGather) {
      std::byte* to = member.at(call.target, numMembers * bytes);
      for (const Bytes& piece : given)
        to = std::copy(piece.begin(), piece.end(), to);
      continue;
    }
    std::vector<const std::byte*> sources;
    for (const Bytes& all : given)
      sources.push_back(all.data() + (isScatter ? me * bytes : 0));
    communication::reduceRow(member.task().elementType, member.task().reduction,
                             sources.data(), numMembers, bytes,
                             member.at(call.target, bytes));
  }
}

/// Delivers the messages from `sender`, at `from`, to `receiver`, at `to`, in
/// their order.
void deliver(Member& sender, int from, Member& receiver, int to) {
  std::vector<NcclCall> sends, receives;
  for (const NcclCall& call : sender.steps.calls)
    if (call.kind == NcclCall::Kind::kSend && call.peer == to)
      sends.push_back(call);
  for (const NcclCall& call : receiver.steps.calls)
    if (call.kind == NcclCall::Kind::kReceive && call.peer == from)
      receives.push_back(call);
  ASSERT_EQ(sends.size(), receives.size());
  for (size_t i = 0; i < sends.size(); ++i) {
    const int64_t bytes = sends[i].count;
    ASSERT_EQ(bytes, receives[i].count);
    std::memcpy(receiver.at(receives[i].target, bytes),
                sender.at(sends[i].source, bytes), bytes);
  }
}

/// Runs the steps of all ranks that are members with rank `rank`.
void runMembers(std::vector<Member>& ranks, size_t rank) {
  std::vector<Member*> members;
  for (int64_t member : ranks[rank].collective.members)
    members.push_back(&ranks[member]);
  for (Member* member : members) member->runJobs(member->steps.before);
  const std::vector<NcclCall>& calls = members.front()->steps.calls;
  const bool areMessages =
      std::any_of(members.begin(), members.end(), [](const Member* member) {
        return !member->steps.calls.empty() &&
               member->steps.calls.front().kind >= NcclCall::Kind::kSend;
      });
  if (areMessages) {
    for (size_t from = 0; from < members.size(); ++from)
      for (size_t to = 0; to < members.size(); ++to)
        deliver(*members[from], static_cast<int>(from), *members[to],
                static_cast<int>(to));
  } else {
    for (size_t index = 0; index < calls.size(); ++index)
      runTogether(members, index);
  }
  for (Member* member : members) member->runJobs(member->steps.after);
}

void expectRight(const WholeCollective& whole, const plan::Group& group) {
  std::vector<Member> ranks;
  for (int64_t rank = 0; rank < group.size(); ++rank) {
    ranks.emplace_back(whole, group, rank);
    ranks.back().fillIdentity();
  }
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    if (ranks[rank].collective.me == 0) runMembers(ranks, rank);
  for (int64_t rank = 0; rank < group.size(); ++rank)
    ASSERT_EQ(ranks[rank].memory(NcclPiece::Memory::kOut),
              communication::expectedOutput(whole, group.axes, rank))
        << "rank " << rank << ", " << communication::describe(whole);
}

TEST(NcclSteps, GiveTheResultsOfEveryKind) {
  for (const std::vector<plan::Axis>& axes : {std::vector<plan::Axis>{{"a", 3}},
                                              {{"a", 2}, {"b", 3}},
                                              {{"a", 1}, {"b", 4}}}) {
    const plan::Group group(axes);
    for (const WholeCollective& whole : communication::everyKind(axes))
      if (!plan::isLocal(whole.kind)) expectRight(whole, group);
  }
}

TEST(NcclSteps, NeedNoCopiesForEvenPartsOfTheFirstDimension) {
  const plan::Group group({{"a", 4}});
  using Kind = plan::CollectiveTask::Kind;
  for (Kind kind : {Kind::kAllReduce, Kind::kAllGather, Kind::kReduceScatter}) {
    WholeCollective whole;
    whole.kind = kind;
    whole.axes = {0};
    whole.shape = {8, 5};
    const Member member(whole, group, 1);
    EXPECT_EQ(member.steps.calls.size(), 1u);
    EXPECT_TRUE(member.steps.before.empty() && member.steps.after.empty());
    EXPECT_EQ(member.steps.asideBytes, 0);
  }
}

}  // namespace
}  // namespace sbp::cuda
