#include "runtime/data/Feed.h"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/data/Npy.h"
#include "runtime/device/LocalTensor.h"
#include "runtime/device/testing/OnHost.h"
#include "runtime/file/OutputFile.h"
#include "runtime/math/BFloat16.h"
#include "runtime/tensor/HostTensor.h"
#include "runtime/tensor/Rows.h"

namespace sbp::data {
namespace {

using plan::Component;
using plan::ElementType;
using plan::Entry;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

Component split(int64_t dim) {
  return {Component::Kind::kSplit, dim, plan::ReductionKind::kSum};
}

/// Writes a file of `numSamples` rows of two elements, which count up.
std::string writeSamples(const std::string& name, int64_t numSamples) {
  const std::string path = testing::TempDir() + name;
  auto tensor = tensor::HostTensor::zeros(ElementType::kF32, {numSamples, 2});
  std::iota(tensor.elements<float>(), tensor.elements<float>() + numSamples * 2,
            0);
  EXPECT_TRUE(writeNpy(path, tensor).ok());
  return path;
}

std::string writeText(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + name;
  auto file = file::OutputFile::create(path);
  EXPECT_TRUE(file.ok() && file->write(text).ok() && file->commit().ok());
  return path;
}

Entry entryOf(std::vector<plan::Tensor> inputs) {
  return {"train_step", std::move(inputs), {}};
}

/// Returns batch `step` of the only input on rank `rank`.
std::vector<float> batchOf(const Entry& entry, const FeedOptions& options,
                           const plan::Group& mesh, int64_t rank,
                           int64_t step) {
  const auto feed = Feed::open(entry, options, {mesh}, rank);
  EXPECT_TRUE(feed.ok()) << feed.status().message();
  std::vector<float> values(plan::localBytes(mesh, entry.inputs[0], rank) / 4);
  EXPECT_TRUE(feed->load(step, {device::onHost(values)}).ok());
  return values;
}

TEST(Feed, EachEpochHasEverySampleOnce) {
  const Entry entry = entryOf({{"x", ElementType::kF32, {4, 2}, {}}});
  FeedOptions options;
  options.files = {{"x", writeSamples("epoch.npy", 12)}};
  options.seed = 9;
  std::vector<std::vector<float>> epochs;
  for (int epoch = 0; epoch < 2; ++epoch) {
    std::vector<float> firsts;
    for (int step = 0; step < 3; ++step) {
      const auto batch = batchOf(entry, options, {}, 0, 3 * epoch + step);
      for (size_t row = 0; row < 4; ++row) {
        EXPECT_EQ(batch[2 * row + 1], batch[2 * row] + 1);
        firsts.push_back(batch[2 * row]);
      }
    }
    EXPECT_EQ(std::set<float>(firsts.begin(), firsts.end()).size(), 12u);
    epochs.push_back(firsts);
  }
  EXPECT_NE(epochs[0], epochs[1]);
}

TEST(Feed, GoesOnAtASampleWhateverTheBatchWas) {
  const Entry entry = entryOf({{"x", ElementType::kF32, {2, 2}, {}}});
  FeedOptions options;
  options.files = {{"x", writeSamples("goes_on.npy", 12)}};
  auto feed = Feed::open(entry, options, {{}}, 0);
  ASSERT_TRUE(feed.ok());
  // Two steps of batch size 3 have read 6 samples, as many as three steps of 2.
  feed->continueAt(2, 6);
  EXPECT_EQ(feed->positionOf(4), 10);
  std::vector<float> values(4);
  EXPECT_TRUE(feed->load(2, {device::onHost(values)}).ok());
  EXPECT_EQ(values, batchOf(entry, options, {}, 0, 3));
}

TEST(Feed, RanksGetTheirBoxesOfOneBatch) {
  FeedOptions options;
  options.files = {{"x", writeSamples("ranks.npy", 10)}};
  const Entry whole = entryOf({{"x", ElementType::kF32, {5, 2}, {}}});
  const Entry spread =
      entryOf({{"x", ElementType::kF32, {5, 2}, {split(0), split(1)}}});
  const plan::Group mesh = {{"data", 2}, {"model", 2}};
  for (int64_t step : {0, 1, 7}) {
    std::vector<float> assembled(10);
    for (int64_t rank = 0; rank < 4; ++rank) {
      const auto part = batchOf(spread, options, mesh, rank, step);
      tensor::putBox(reinterpret_cast<const std::byte*>(part.data()),
                     plan::localBox(mesh, spread.inputs[0], rank), 4, {5, 2},
                     reinterpret_cast<std::byte*>(assembled.data()));
    }
    EXPECT_EQ(assembled, batchOf(whole, options, {}, 0, step));
  }
}

TEST(Feed, SequentialOrderIsTheOrderOfTheFile) {
  const Entry entry = entryOf({{"x", ElementType::kF32, {2, 2}, {}}});
  FeedOptions options;
  options.files = {{"x", writeSamples("sequential.npy", 5)}};
  options.order = Order::Kind::kSequential;
  EXPECT_THAT(batchOf(entry, options, {}, 0, 1), ElementsAre(4, 5, 6, 7));
  const auto feed = Feed::open(entry, options, {{}}, 0);
  EXPECT_EQ(feed->numBatches(), 2);
  EXPECT_EQ(feed->numLeftOver(), 1);
}

TEST(Feed, TargetsOfATextAreTheNextTokens) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += char(i);
  FeedOptions options;
  options.textPath = writeText("text", text);
  const auto check = [&](const Entry& entry, size_t tokensAt) {
    const auto feed = Feed::open(entry, options, {{}}, 0);
    ASSERT_TRUE(feed.ok()) << feed.status().message();
    EXPECT_EQ(feed->numTokens(), 12);
    std::set<int64_t> begins;
    for (int64_t step = 0; step < 40; ++step) {
      int64_t tokens[12], targets[12];
      const device::LocalTensor buffers[] = {device::onHost(tokens),
                                             device::onHost(targets)};
      EXPECT_TRUE(
          feed->load(step, {buffers[tokensAt], buffers[1 - tokensAt]}).ok());
      for (int i = 0; i < 12; ++i) {
        EXPECT_EQ(targets[i], tokens[i] + 1);
        if (i % 4 != 0) EXPECT_EQ(tokens[i], tokens[i - 1] + 1);
      }
      for (int i = 0; i < 12; i += 4) begins.insert(tokens[i] % 4);
    }
    // Windows begin at different offsets in different epochs.
    EXPECT_GT(begins.size(), 1u);
  };
  const auto input = [](const char* name) {
    return plan::Tensor{name, ElementType::kI64, {3, 4}, {}};
  };
  check(entryOf({input("tokens"), input("targets")}), 0);
  check(entryOf({input("targets"), input("tokens")}), 1);
  check(entryOf({input("a"), input("b")}), 0);
}

TEST(Feed, AScalarIsTheSameInEveryBatch) {
  const std::string path = testing::TempDir() + "scalar.npy";
  auto scalar = tensor::HostTensor::zeros(ElementType::kF32, {});
  scalar.elements<float>()[0] = 2.5;
  ASSERT_TRUE(writeNpy(path, scalar).ok());
  const Entry entry = entryOf({{"s", ElementType::kF32, {}, {}}});
  FeedOptions options;
  options.files = {{"s", path}};
  EXPECT_THAT(batchOf(entry, options, {}, 0, 3), ElementsAre(2.5f));
}

TEST(Feed, RoundsTheF32OfAFileForAnInputOfBf16) {
  const std::string path = testing::TempDir() + "floats.npy";
  auto floats = tensor::HostTensor::zeros(ElementType::kF32, {4, 2});
  for (int64_t i = 0; i < 8; ++i)
    floats.elements<float>()[i] = 1.0f / static_cast<float>(3 + i);
  ASSERT_TRUE(writeNpy(path, floats).ok());
  const Entry entry = entryOf({{"x", ElementType::kBF16, {2, 2}, {}}});
  FeedOptions options;
  options.files = {{"x", path}};
  options.order = Order::Kind::kSequential;
  const auto feed = Feed::open(entry, options, {{}}, 0);
  ASSERT_TRUE(feed.ok()) << feed.status().message();
  std::vector<math::BFloat16> batch(4);
  EXPECT_TRUE(feed->load(1, {device::onHost(batch)}).ok());
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(float{batch[i]},
              float{math::BFloat16(floats.elements<float>()[4 + i])});
}

/// Writes a file of 2 x 3 integers per sample, all 64 except `value` at
/// `element`.
template <typename T>
std::string writeIntegers(const std::string& name, ElementType type,
                          int64_t numSamples, int64_t element, T value) {
  auto tensor = tensor::HostTensor::zeros(type, {numSamples, 2, 3});
  std::fill_n(tensor.elements<T>(), numSamples * 6, T{64});
  tensor.elements<T>()[element] = value;
  const std::string path = testing::TempDir() + name;
  EXPECT_TRUE(writeNpy(path, tensor).ok());
  return path;
}

TEST(Feed, AnIntegerThatChoosesNothingIsFoundByThePartThatHasIt) {
  const auto errorOf = [](ElementType type, const std::string& path,
                          int64_t part) {
    const Entry entry = entryOf({{"i", type, {2, 2, 3}, {}, /*below=*/65}});
    FeedOptions options;
    options.files = {{"i", path}};
    const auto feed = Feed::open(entry, options, {{}}, 0);
    EXPECT_TRUE(feed.ok()) << feed.status().message();
    return std::string(feed->check(0, 100, part, 4).message());
  };
  // Sample 5 of 8 is in the third of four shares.
  for (const int64_t value : {int64_t{65}, int64_t{-1}, int64_t{1} << 40}) {
    const std::string path =
        writeIntegers("i8.npy", ElementType::kI64, 8, 34, value);
    for (int64_t part : {0, 1, 3})
      EXPECT_EQ(errorOf(ElementType::kI64, path, part), "");
    EXPECT_THAT(errorOf(ElementType::kI64, path, 2),
                EndsWith(fmt::format("i8.npy: sample 5 has {} at [1, 1], but "
                                     "input \"i\" takes integers from 0 to 64",
                                     value)));
  }
  for (const int32_t value : {65, -1})
    EXPECT_THAT(
        errorOf(ElementType::kI32,
                writeIntegers("i4.npy", ElementType::kI32, 8, 47, value), 3),
        HasSubstr(fmt::format("sample 7 has {} at [1, 2]", value)));
}

TEST(Feed, OnlySamplesThatTheRunReadsAreLookedAt) {
  const Entry entry =
      entryOf({{"i", ElementType::kI32, {2, 2, 3}, {}, /*below=*/65}});
  FeedOptions options;
  options.files = {
      {"i", writeIntegers("read.npy", ElementType::kI32, 9, 24, 99)}};
  for (auto order : {Order::Kind::kSequential, Order::Kind::kShuffled}) {
    options.order = order;
    const auto feed = Feed::open(entry, options, {{}}, 0);
    ASSERT_TRUE(feed.ok());
    for (int64_t step = 0; step < 20; ++step) {
      int32_t batch[12];
      EXPECT_TRUE(feed->load(step, {device::onHost(batch)}).ok());
      const bool isRead = std::find(batch, batch + 12, 99) != batch + 12;
      EXPECT_EQ(feed->check(step, step + 1, 0, 1).ok(), !isRead) << step;
    }
    EXPECT_FALSE(feed->check(0, 5, 0, 1).ok());
  }
}

TEST(Feed, TakesFiniteNumbersOnly) {
  auto samples = tensor::HostTensor::zeros(ElementType::kF32, {9, 2, 3});
  samples.elements<float>()[4 * 6 + 5] = std::numeric_limits<float>::infinity();
  const std::string path = ::testing::TempDir() + "infinite.npy";
  ASSERT_TRUE(writeNpy(path, samples).ok());
  FeedOptions options;
  options.files = {{"x", path}};
  options.order = Order::Kind::kSequential;
  const Entry entry = entryOf({{"x", ElementType::kF32, {2, 2, 3}, {}}});
  const auto feed = Feed::open(entry, options, {{}}, 0);
  ASSERT_TRUE(feed.ok()) << feed.status();
  EXPECT_TRUE(feed->check(0, 2, 0, 1).ok());
  EXPECT_EQ(feed->check(0, 3, 0, 1).message(),
            path +
                ": sample 4 has inf at [1, 2], but input \"x\" takes finite "
                "numbers");
}

TEST(Feed, ATextHasNoByteThatChoosesNothing) {
  const auto errorOf = [](int64_t below) {
    FeedOptions options;
    options.textPath = writeText("bytes", "aaaaaaaaaz\xc3");
    const Entry entry =
        entryOf({{"tokens", ElementType::kI32, {1, 4}, {}, below}});
    return std::string(Feed::open(entry, options, {{}}, 0).status().message());
  };
  EXPECT_EQ(errorOf(196), "");
  EXPECT_THAT(errorOf(195),
              EndsWith("bytes: byte 10 is 195, but input "
                       "\"tokens\" takes integers from 0 to 194"));
  EXPECT_THAT(errorOf(122), HasSubstr("byte 9 is 122"));
}

/// Writes a .npy file of `numbers` with the given header fields.
template <typename T>
std::string writeNumbers(const std::string& name, const std::string& descr,
                         const std::string& isFortranOrder,
                         const std::string& shape, std::vector<T> numbers) {
  const std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}\n",
                  descr, isFortranOrder, shape);
  std::string bytes = "\x93NUMPY";
  bytes += {1, 0, char(dictionary.size()), 0};
  bytes += dictionary;
  bytes.append(reinterpret_cast<const char*>(numbers.data()),
               numbers.size() * sizeof(T));
  return writeText(name, bytes);
}

/// Opens a feed of the input "x" of `type` and `shape` in the order of the
/// file.
absl::StatusOr<Feed> feedOf(ElementType type, std::vector<int64_t> shape,
                            const std::string& path,
                            std::vector<Component> placement = {},
                            const plan::Group& mesh = {}, int64_t rank = 0) {
  FeedOptions options;
  options.files = {{"x", path}};
  options.order = Order::Kind::kSequential;
  return Feed::open(entryOf({{"x", type, std::move(shape), placement}}),
                    options, {mesh}, rank);
}

TEST(Feed, NumbersOfOtherWidthsAreConvertedAndSaidOnce) {
  const auto feed =
      feedOf(ElementType::kI64, {2, 2},
             writeNumbers<uint16_t>("u2.npy", "<u2", "False", "(3, 2)",
                                    {1, 2, 3, 50256, 5, 65535}));
  ASSERT_TRUE(feed.ok()) << feed.status();
  int64_t batch[4];
  EXPECT_TRUE(feed->load(0, {device::onHost(batch)}).ok());
  EXPECT_THAT(batch, ElementsAre(1, 2, 3, 50256));
  EXPECT_THAT(feed->notes(),
              ElementsAre(EndsWith("u2.npy: u16 is read as i64")));
  const auto halves =
      feedOf(ElementType::kF32, {1, 2},
             writeNumbers<uint16_t>("f2.npy", "<f2", "False", "(1, 2)",
                                    {0x3c00, 0xc100}));
  ASSERT_TRUE(halves.ok()) << halves.status();
  float floats[2];
  EXPECT_TRUE(halves->load(0, {device::onHost(floats)}).ok());
  EXPECT_THAT(floats, ElementsAre(1.0f, -2.5f));
}

TEST(Feed, NumbersThatTheTypeOfTheInputHasNotAreRefused) {
  const auto errorOf = [](ElementType type, const std::string& path) {
    const auto feed = feedOf(type, {1, 2}, path);
    EXPECT_TRUE(feed.ok()) << feed.status();
    return std::string(feed->check(0, 2, 0, 1).message());
  };
  EXPECT_THAT(
      errorOf(ElementType::kI32,
              writeNumbers<int64_t>("wide.npy", "<i8", "False", "(2, 2)",
                                    {1, 2, 3, int64_t{1} << 31})),
      EndsWith("wide.npy: sample 1 has 2147483648 at [1], but input "
               "\"x\" takes integers from -2147483648 to 2147483647"));
  EXPECT_THAT(errorOf(ElementType::kF32,
                      writeNumbers<double>("large.npy", "<f8", "False",
                                           "(2, 2)", {1, 1e300, 3, 4})),
              HasSubstr("sample 0 has inf at [1], but input \"x\" takes finite "
                        "numbers"));
  EXPECT_EQ(errorOf(ElementType::kI32,
                    writeNumbers<int64_t>("fits.npy", "<i8", "False", "(2, 2)",
                                          {-1, 2, 3, 4})),
            "");
}

TEST(Feed, RanksGetTheirBoxesOfAFileInFortranOrder) {
  // Element [i, j, k] of 3 samples of 2 x 4 is 100 i + 10 j + k.
  std::vector<int32_t> numbers;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 3; ++i) numbers.push_back(100 * i + 10 * j + k);
  const std::string path =
      writeNumbers("fortran.npy", "<i4", "True", "(3, 2, 4)", numbers);
  const auto whole = feedOf(ElementType::kI64, {3, 2, 4}, path);
  ASSERT_TRUE(whole.ok()) << whole.status();
  int64_t all[24];
  EXPECT_TRUE(whole->load(0, {device::onHost(all)}).ok());
  for (int i = 0; i < 24; ++i)
    EXPECT_EQ(all[i], 100 * (i / 8) + 10 * (i / 4 % 2) + i % 4);
  EXPECT_THAT(whole->notes(),
              ElementsAre(HasSubstr("i32 is read as i64, and it is in Fortran "
                                    "order")));
  // The last rank of 2 x 2 has the last two columns of the second rows.
  const auto part = feedOf(ElementType::kI32, {3, 2, 4}, path,
                           {split(1), split(2)}, {{"a", 2}, {"b", 2}}, 3);
  ASSERT_TRUE(part.ok()) << part.status();
  int32_t box[6];
  EXPECT_TRUE(part->load(0, {device::onHost(box)}).ok());
  EXPECT_THAT(box, ElementsAre(12, 13, 112, 113, 212, 213));
}

TEST(Feed, TokenIdsAreReadAsNanoGptWritesThem) {
  std::vector<uint16_t> ids;
  for (int i = 0; i < 200; ++i) ids.push_back(50000 + i);
  const std::string bytes(reinterpret_cast<const char*>(ids.data()), 400);
  const auto tokensOf = [](const FeedOptions& options, int64_t below) {
    const Entry entry =
        entryOf({{"tokens", ElementType::kI32, {3, 4}, {}, below},
                 {"targets", ElementType::kI64, {3, 4}, {}, below}});
    return Feed::open(entry, options, {{}}, 0);
  };
  FeedOptions options;
  options.tokensPath = writeText("train.bin", bytes);
  const auto check = [&](const absl::StatusOr<Feed>& feed) {
    ASSERT_TRUE(feed.ok()) << feed.status();
    EXPECT_EQ(feed->numTokens(), 12);
    EXPECT_TRUE(feed->check(0, 100, 0, 1).ok());
    for (int64_t step = 0; step < 40; ++step) {
      int32_t tokens[12];
      int64_t targets[12];
      EXPECT_TRUE(
          feed->load(step, {device::onHost(tokens), device::onHost(targets)})
              .ok());
      for (int i = 0; i < 12; ++i) {
        EXPECT_GE(tokens[i], 50000);
        EXPECT_EQ(targets[i], tokens[i] + 1);
      }
    }
  };
  check(tokensOf(options, 50257));
  EXPECT_EQ(tokensOf(options, 50257)->files().at("tokens").readAs, "u16");
  EXPECT_TRUE(tokensOf(options, 50257)->notes().empty());
  // The last token ids are beyond the model's vocabulary.
  EXPECT_THAT(
      std::string(tokensOf(options, 50190)->check(0, 100, 0, 1).message()),
      EndsWith("train.bin: token 190 is 50190, but input \"tokens\" takes "
               "integers from 0 to 50189"));
  // Four bytes each, and as .npy, whose header gives the type.
  options.tokensPath = writeNumbers("ids.npy", "<u2", "False", "(200,)", ids);
  options.tokenType = tensor::StoredType::kU32;
  check(tokensOf(options, 50257));
  const std::vector<uint32_t> wide(ids.begin(), ids.end());
  options.tokensPath = writeText(
      "wide.bin", std::string(reinterpret_cast<const char*>(wide.data()), 800));
  check(tokensOf(options, 50257));
  // --data refuses files of token ids, with a hint.
  for (const char* name : {"train.bin", "ids.npy"})
    EXPECT_THAT(
        std::string(feedOf(ElementType::kI32, {3, 4}, testing::TempDir() + name)
                        .status()
                        .message()),
        HasSubstr("--tokens"));
  options.tokensPath = writeText("half.bin", "abcde");
  EXPECT_THAT(std::string(tokensOf(options, 50257).status().message()),
              EndsWith("half.bin has 5 bytes, which are no whole number of "
                       "tokens of u32"));
}

TEST(Feed, NotesThatATextFeedsFewOfManyTokens) {
  FeedOptions options;
  options.textPath = writeText("few", "a text");
  const auto notesOf = [&](int64_t below) {
    const Entry entry =
        entryOf({{"tokens", ElementType::kI32, {1, 4}, {}, below},
                 {"targets", ElementType::kI32, {1, 4}, {}, below}});
    return Feed::open(entry, options, {{}}, 0)->notes();
  };
  EXPECT_THAT(notesOf(50257),
              ElementsAre(HasSubstr("few: a text feeds 0..255 of 50257 to")));
  EXPECT_TRUE(notesOf(256).empty());
}

TEST(Feed, NotesThatTokenIdsSeemToBeWider) {
  const auto notesOf = [](const std::vector<uint16_t>& numbers) {
    FeedOptions options;
    options.tokensPath = writeText(
        "ids.bin", std::string(reinterpret_cast<const char*>(numbers.data()),
                               2 * numbers.size()));
    const Entry entry =
        entryOf({{"tokens", ElementType::kI32, {1, 4}, {}, 50257},
                 {"targets", ElementType::kI32, {1, 4}, {}, 50257}});
    return Feed::open(entry, options, {{}}, 0)->notes();
  };
  EXPECT_THAT(notesOf({7, 0, 318, 0, 50256, 0, 1, 0}),
              ElementsAre(HasSubstr("ids.bin: read as uint16, every second")));
  EXPECT_TRUE(notesOf({7, 0, 318, 5, 50256, 0, 1, 0}).empty());
  EXPECT_TRUE(notesOf({0, 0, 0, 0, 0, 0, 0, 0}).empty());
}

TEST(Feed, AFileThatBecomesShorterIsFound) {
  const std::string path = writeSamples("cut.npy", 5000);
  const auto feed = feedOf(ElementType::kF32, {4, 2}, path);
  ASSERT_TRUE(feed.ok() && feed->checkWhole().ok());
  ASSERT_EQ(truncate(path.c_str(), 1000), 0);
  std::vector<float> batch(8);
  EXPECT_TRUE(feed->load(1000, {device::onHost(batch)}).ok());
  EXPECT_THAT(std::string(feed->checkWhole().message()),
              HasSubstr("cut.npy: it had "));
  EXPECT_FALSE(feed->check(0, 1, 0, 1).ok());
}

TEST(Feed, ErrorsNameBothFacts) {
  const plan::Tensor x{"x", ElementType::kF32, {4, 2}, {}};
  const plan::Tensor y{"y", ElementType::kF32, {4, 2}, {}};
  const std::string ten = writeSamples("ten.npy", 10);
  const std::string three = writeSamples("three.npy", 3);
  const auto errorOf = [](const Entry& entry, std::vector<NamedPath> files,
                          const std::string& text = "") {
    FeedOptions options;
    options.files = std::move(files);
    options.textPath = text;
    options.inputsWithoutData = {"lr"};
    return std::string(Feed::open(entry, options, {{}}, 0).status().message());
  };
  EXPECT_EQ(errorOf(entryOf({x, {"lr", ElementType::kF32, {}, {}}}), {}),
            "input \"x\" (4x2xf32) of entry \"train_step\" has no data: --data "
            "x=FILE");
  EXPECT_EQ(
      errorOf(entryOf({x, y}), {{"z", ten}}),
      "there is data for \"z\", but the inputs of entry \"train_step\" are: "
      "\"x\", \"y\"");
  EXPECT_THAT(errorOf(entryOf({x}), {{"x", ten}, {"x", three}}),
              HasSubstr("input \"x\" has two files"));
  EXPECT_THAT(
      errorOf(entryOf({{"x", ElementType::kI32, {4, 2}, {}}}), {{"x", ten}}),
      HasSubstr("ten.npy holds 10x2xf32, but input \"x\" takes 4x2xi32"));
  EXPECT_THAT(
      errorOf(entryOf({{"x", ElementType::kF32, {4, 3}, {}}}), {{"x", ten}}),
      HasSubstr("ten.npy holds 10x2xf32, but input \"x\" takes 4x3xf32"));
  EXPECT_THAT(errorOf(entryOf({x}), {{"x", three}}),
              HasSubstr("three.npy has 3 samples; a batch takes 4"));
  EXPECT_THAT(errorOf(entryOf({x, y}), {{"x", ten}, {"y", three}}),
              HasSubstr("ten.npy has 10 samples, "));
  EXPECT_THAT(errorOf(entryOf({x, {"y", ElementType::kF32, {5, 2}, {}}}),
                      {{"x", ten}, {"y", ten}}),
              HasSubstr("\"x\" takes 4 samples per batch, input \"y\" 5"));
  EXPECT_THAT(errorOf(entryOf({x}), {}, ten),
              HasSubstr("has no input of integers of shape [batch, length]"));
  EXPECT_THAT(errorOf(entryOf({{"tokens", ElementType::kI32, {1, 8}, {}}}), {},
                      writeText("short", "12345678")),
              HasSubstr("short has 8 bytes; a window of 8 tokens and the token "
                        "after it need 9"));
}

}  // namespace
}  // namespace sbp::data
