#include "runtime/tensor/Gather.h"

#include <algorithm>
#include <cstring>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/communication/World.h"
#include "runtime/device/testing/OnHost.h"
#include "runtime/plan/Box.h"
#include "runtime/tensor/Rows.h"

namespace sbp::tensor {
namespace {

using communication::Communicator;
using plan::Component;
using plan::ReductionKind;

constexpr Component kBroadcast{Component::Kind::kBroadcast, 0,
                               ReductionKind::kSum};

Component split(int64_t dim) {
  return {Component::Kind::kSplit, dim, ReductionKind::kSum};
}

Component partial(ReductionKind reduction) {
  return {Component::Kind::kPartial, 0, reduction};
}

constexpr int64_t kNumRanks = 6;

/// Gathers a tensor with the elements 0, 1, 2, ..., where rank r adds r to each
/// element of its box. Returns what rank 0 gets.
std::vector<int32_t> gathered(const plan::Group& mesh,
                              const plan::Tensor& tensor) {
  communication::WorldOptions options;
  options.groups = {plan::Group{{"all", kNumRanks}}, mesh};
  options.arenaBytes.assign(kNumRanks, 64);
  std::vector<int32_t> result;
  const auto status = communication::runInProcess(
      options, [&](Communicator& communicator) -> absl::Status {
        const int64_t rank = communicator.rank();
        auto whole = HostTensor::zeros(tensor.elementType, tensor.shape);
        for (size_t i = 0; i < whole.data.size() / 4; ++i)
          whole.elements<int32_t>()[i] = int32_t(i + rank);
        std::vector<std::byte> local(plan::localBytes(mesh, tensor, rank));
        if (mesh.has(rank))
          takeBox(whole.data.data(), tensor.shape,
                  plan::localBox(mesh, tensor, rank), 4, local.data());
        const auto value =
            gather(communicator, mesh, tensor, device::onHost(local));
        if (!value.ok()) return value.status();
        if (rank != 0) {
          EXPECT_TRUE(value->data.empty());
          return absl::OkStatus();
        }
        result.assign(value->elements<int32_t>(),
                      value->elements<int32_t>() + value->data.size() / 4);
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status.message();
  return result;
}

/// Returns the expected result of gathered(): for each element the reduction of
/// the terms of the ranks that own it, over the partial axes.
std::vector<int32_t> expected(const plan::Group& mesh,
                              const plan::Tensor& tensor,
                              ReductionKind reduction) {
  std::vector<int32_t> result(plan::numElements(tensor.shape));
  std::vector<bool> isSet(result.size());
  for (int64_t rank = 0; rank < kNumRanks; ++rank) {
    if (!plan::isPrincipal(mesh, tensor, rank)) continue;
    forEachRow(tensor.shape, plan::localBox(mesh, tensor, rank),
               [&](int64_t begin, int64_t, int64_t count) {
                 for (int64_t i = begin; i < begin + count; ++i) {
                   const auto term = int32_t(i + rank);
                   if (!isSet[i]) {
                     result[i] = term;
                   } else if (reduction == ReductionKind::kSum) {
                     result[i] += term;
                   } else if (reduction == ReductionKind::kMax) {
                     result[i] = std::max(result[i], term);
                   } else {
                     result[i] = std::min(result[i], term);
                   }
                   isSet[i] = true;
                 }
               });
  }
  return result;
}

TEST(Gather, TakesEachElementFromItsOwnersUnderEveryPlacement) {
  const plan::Group all = {{"a", 2}, {"b", 3}};
  plan::Group shuffled = all;
  shuffled.ranks = {3, 1, 5, 0, 4, 2};
  plan::Group some = {{"a", 2}, {"b", 2}};  // without rank 0
  some.ranks = {5, 1, 2, 3};
  for (const plan::Group& mesh : {all, shuffled, some})
    for (ReductionKind reduction :
         {ReductionKind::kSum, ReductionKind::kMax, ReductionKind::kMin}) {
      const Component components[] = {kBroadcast, split(0), split(1),
                                      partial(reduction)};
      for (const Component& first : components)
        for (const Component& second : components)
          // Extents that divide evenly, that do not, and that leave ranks
          // without elements.
          for (const std::vector<int64_t>& shape :
               {std::vector<int64_t>{6, 6}, {7, 5}, {1, 2}}) {
            const plan::Tensor tensor{
                "x", plan::ElementType::kI32, shape, {first, second}};
            EXPECT_EQ(gathered(mesh, tensor),
                      expected(mesh, tensor, reduction));
          }
    }
}

TEST(Gather, AScalarThatIsPartialIsReduced) {
  const plan::Tensor loss{"loss",
                          plan::ElementType::kI32,
                          {},
                          {partial(ReductionKind::kSum), kBroadcast}};
  EXPECT_THAT(gathered({{"a", 3}, {"b", 2}}, loss),
              testing::ElementsAre(0 + 2 + 4));
}

}  // namespace
}  // namespace sbp::tensor
