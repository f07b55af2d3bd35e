#include "runtime/tensor/Rows.h"

#include <numeric>
#include <random>

#include "gtest/gtest.h"

namespace sbp::tensor {
namespace {

/// Returns the offsets of the elements of a box, by definition.
std::vector<int> offsetsOf(const std::vector<int64_t>& shape,
                           const plan::Box& box) {
  std::vector<int> offsets = {0};
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    std::vector<int> next;
    for (int offset : offsets)
      for (int64_t i = 0; i < box[dim].size; ++i)
        next.push_back(int(offset * shape[dim] + box[dim].begin + i));
    offsets = next;
  }
  return offsets;
}

TEST(Rows, TakingAndPuttingABoxMovesItsElementsAndNoOthers) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::vector<int64_t> shape(random() % 5);
    plan::Box box;
    for (int64_t& extent : shape) {
      extent = 1 + random() % 5;
      const int64_t begin = random() % extent;
      const bool isWhole = random() % 2;
      box.push_back(isWhole ? plan::Range{0, extent}
                            : plan::Range{begin, int64_t(random()) %
                                                     (extent - begin + 1)});
    }
    std::vector<int> whole(plan::numElements(shape));
    std::iota(whole.begin(), whole.end(), 0);
    const std::vector<int> expected = offsetsOf(shape, box);

    std::vector<int> part(expected.size());
    takeBox(reinterpret_cast<const std::byte*>(whole.data()), shape, box, 4,
            reinterpret_cast<std::byte*>(part.data()));
    EXPECT_EQ(part, expected);

    std::vector<int> back(whole.size(), -1);
    std::vector<int> wanted(whole.size(), -1);
    for (int offset : expected) wanted[offset] = offset;
    putBox(reinterpret_cast<const std::byte*>(part.data()), box, 4, shape,
           reinterpret_cast<std::byte*>(back.data()));
    EXPECT_EQ(back, wanted);
  }
}

TEST(Rows, WholeInnerDimensionsFormOneRow) {
  int numRows = 0;
  forEachRow({2, 6, 5}, {{0, 2}, {2, 2}, {0, 5}},
             [&](int64_t, int64_t, int64_t count) {
               ++numRows;
               EXPECT_EQ(count, 10);
             });
  EXPECT_EQ(numRows, 2);
}

}  // namespace
}  // namespace sbp::tensor
