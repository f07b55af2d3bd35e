#include "runtime/cuda/RowTable.h"

#include <cstddef>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/communication/RowCopy.h"
#include "runtime/cuda/RowKernels.h"

namespace sbp::cuda {
namespace {

using communication::RowCopy;
using ::testing::ElementsAre;

RowJob jobOf(const RowCopy& copy) {
  return {copy.shape, {0, 1, copy.destination}, {{0, 0, copy.source}}};
}

/// Does the jobs of `table`, which copy elements of `width` bytes between the
/// buffers of one owner, as the functions on a GPU do.
void copyBy(const RowTable& table, int64_t width,
            const std::vector<std::byte*>& buffers) {
  const std::vector<int64_t>& numbers = table.numbers;
  ASSERT_EQ(numbers[1], 1) << "sources";
  const int64_t jobNumbers = kJobHeader + 2 * kPlaceNumbers;
  for (int64_t job = 0; job < numbers[0]; ++job) {
    const int64_t* const at = numbers.data() + kTableHeader + job * jobNumbers;
    const auto addressOf = [&](int64_t place, int64_t i, int64_t j, int64_t k) {
      const int64_t* const its = at + kJobHeader + place * kPlaceNumbers;
      return buffers[its[1]] + its[2] + i * its[3] + j * its[4] + k * width;
    };
    for (int64_t i = 0; i < at[0]; ++i)
      for (int64_t j = 0; j < at[1]; ++j)
        for (int64_t k = 0; k < at[2]; ++k)
          std::memcpy(addressOf(0, i, j, k), addressOf(1, i, j, k), width);
  }
}

TEST(RowTable, CopiesByTheWidestElementsThatServe) {
  RowCopy wide, narrow, odd;
  wide.shape.rowBytes = 64;
  narrow.shape.rowBytes = 64;
  narrow.source.offset = 8;
  odd.shape.counts = {3, 1};
  odd.shape.rowBytes = 6;
  odd.source.strides = {10, 0};
  const std::vector<RowTable> tables =
      copyTables({jobOf(wide), jobOf(odd), jobOf(narrow), jobOf(wide)});
  std::vector<std::string> functions;
  std::vector<int64_t> numJobs;
  for (const RowTable& table : tables) {
    functions.push_back(table.function);
    numJobs.push_back(table.numbers[0]);
  }
  EXPECT_THAT(functions, ElementsAre("copy_rows_of_16", "copy_rows_of_4",
                                     "copy_rows_of_2"));
  EXPECT_THAT(numJobs, ElementsAre(2, 1, 1));
  EXPECT_EQ(tables[0].mostElements, 4);
  EXPECT_EQ(tables[0].numPlaces, 4);
}

// A stride that no loop uses does not count.
TEST(RowTable, IgnoresStridesOfOneRow) {
  RowCopy copy;
  copy.shape.rowBytes = 16;
  copy.source.strides = {1, 1};
  EXPECT_EQ(copyTables({jobOf(copy)}).front().function, "copy_rows_of_16");
}

TEST(RowTable, DoesWhatCopyRowsDoes) {
  std::mt19937_64 random(1);
  const auto below = [&](uint64_t end) {
    return static_cast<int64_t>(random() % end);
  };
  for (int run = 0; run < 500; ++run) {
    const int64_t elementBytes = int64_t{1} << below(4);
    const std::vector<int64_t> shape = {1 + below(4), 1 + below(4),
                                        1 + below(4)};
    std::vector<int64_t> box = shape, begin(3, 0);
    const int64_t dim = below(3);
    begin[dim] = below(shape[dim]);
    box[dim] = 1 + below(shape[dim] - begin[dim]);
    const RowCopy copy =
        communication::boxCopy(box, shape, begin, box, {0, 0, 0}, elementBytes);
    std::vector<std::byte> source(512), ours(512), expected(512);
    for (std::byte& byte : source) byte = static_cast<std::byte>(random());
    communication::copyRows(copy, source.data(), expected.data());
    for (const RowTable& table : copyTables({jobOf(copy)}))
      for (int64_t width : kCopyWidths)
        if (table.function == copyFunction(width))
          copyBy(table, width, {source.data(), ours.data()});
    ASSERT_EQ(ours, expected) << run;
  }
}

}  // namespace
}  // namespace sbp::cuda
