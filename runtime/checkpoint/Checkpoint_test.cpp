#include "runtime/checkpoint/Checkpoint.h"

#include <cmath>
#include <random>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/TensorFiles.h"
#include "runtime/communication/World.h"
#include "runtime/device/LocalTensor.h"
#include "runtime/device/testing/OnHost.h"
#include "runtime/file/OutputFile.h"
#include "runtime/initialize/Initialize.h"
#include "runtime/plan/Box.h"

namespace sbp::checkpoint {
namespace {

using communication::Communicator;
using plan::Component;
using plan::ElementType;
using plan::Plan;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Component split(int64_t dim) {
  return {Component::Kind::kSplit, dim, plan::ReductionKind::kSum};
}

constexpr Component kBroadcast{Component::Kind::kBroadcast, 0,
                               plan::ReductionKind::kSum};

plan::Parameter parameterOf(const char* name, std::vector<int64_t> shape,
                            std::vector<Component> placement, bool isState) {
  return {{name, ElementType::kF32, std::move(shape), std::move(placement)},
          {plan::Initializer::Kind::kNormal, 0, 1},
          isState};
}

/// Returns a plan with the same parameters on a mesh of `axes`, placed by
/// `first` and `second`.
Plan planOf(std::vector<plan::Axis> axes, std::vector<Component> first,
            std::vector<Component> second) {
  Plan plan;
  plan.groups = {plan::Group(std::move(axes))};
  plan.parameters = {parameterOf("w", {7, 5}, first, false),
                     parameterOf("b", {5}, second, false),
                     parameterOf("w.momentum", {7, 5}, first, true)};
  plan.parameters[1].tensor.elementType = ElementType::kBF16;
  return plan;
}

Plan onOne() { return planOf({}, {}, {}); }

Plan onSix() {
  return planOf({{"a", 2}, {"b", 3}}, {split(1), split(0)},
                {kBroadcast, split(0)});
}

/// The boxes of one rank.
struct Boxes {
  std::vector<std::vector<std::byte>> memory;
  std::vector<device::LocalTensor> parts;

  Boxes(const Plan& plan, int64_t rank) {
    for (const plan::Parameter& parameter : plan.parameters)
      memory.emplace_back(
          plan::localBytes(plan.groups[0], parameter.tensor, rank));
    for (auto& bytes : memory) parts.push_back(device::onHost(bytes));
  }

  static Boxes initialized(const Plan& plan, int64_t rank) {
    Boxes boxes(plan, rank);
    for (size_t i = 0; i < plan.parameters.size(); ++i)
      initialize(
          plan.parameters[i],
          plan::localBox(plan.groups[0], plan.parameters[i].tensor, rank), 1,
          boxes.memory[i].data());
    return boxes;
  }
};

std::string saveFrom(const Plan& plan, const std::string& name) {
  const std::string path = testing::TempDir() + name;
  communication::WorldOptions options;
  options.groups = plan.groups;
  options.arenaBytes.assign(plan.numRanks(), 64);
  const auto status =
      communication::runInProcess(options, [&](Communicator& communicator) {
        const Boxes boxes = Boxes::initialized(plan, communicator.rank());
        RunRecord record;
        record.step = 17;
        return save(path, plan, boxes.parts, record, communicator);
      });
  EXPECT_TRUE(status.ok()) << status.message();
  return path;
}

std::string contents(const std::string& path) {
  const auto file = file::MappedFile::open(path);
  EXPECT_TRUE(file.ok());
  return std::string(file->bytes());
}

TEST(Checkpoint, IsNotWrittenWithOptimiserStateThatIsNotFinite) {
  const std::string path = testing::TempDir() + "infinite.safetensors";
  Plan plan = onOne();
  plan.parameters[2].initializer.first = INFINITY;  // the mean
  communication::WorldOptions options;
  options.arenaBytes = {64};
  const auto status =
      communication::runInProcess(options, [&](Communicator& communicator) {
        const Boxes boxes = Boxes::initialized(plan, 0);
        return save(path, plan, boxes.parts, RunRecord(), communicator);
      });
  EXPECT_EQ(status.message(),
            path +
                " is not written: optimiser state \"w.momentum\" has inf at "
                "[0, 0]");
  EXPECT_FALSE(file::MappedFile::open(path).ok());
}

TEST(Checkpoint, DoesNotDependOnThePlacementThatWroteIt) {
  EXPECT_EQ(contents(saveFrom(onOne(), "one.safetensors")),
            contents(saveFrom(onSix(), "six.safetensors")));
}

TEST(Checkpoint, EveryPlacementReadsIt) {
  const std::string path = saveFrom(onOne(), "any.safetensors");
  const Plan plan = onSix();
  for (int64_t rank = 0; rank < 6; ++rank) {
    Boxes boxes(plan, rank);
    const auto file = Checkpoint::open(path);
    ASSERT_TRUE(file.ok()) << file.status().message();
    const absl::Status loaded = file->load(plan, rank, boxes.parts);
    ASSERT_TRUE(loaded.ok()) << loaded.message();
    EXPECT_EQ(file->record().step, 17);
    EXPECT_EQ(boxes.memory, Boxes::initialized(plan, rank).memory);
  }
}

std::string loadError(const std::string& path, const Plan& plan) {
  Boxes boxes(plan, 0);
  const auto before = boxes.memory;
  const auto file = Checkpoint::open(path);
  const absl::Status loaded =
      file.ok() ? file->load(plan, 0, boxes.parts) : file.status();
  const bool isRangeError =
      std::string(loaded.message()).find(", which does not fit i32") !=
      std::string::npos;
  if (!loaded.ok() && !isRangeError) EXPECT_EQ(boxes.memory, before);
  return std::string(loaded.message());
}

TEST(Checkpoint, NamesShapesAndTypesMustBeThePlans) {
  const std::string path = saveFrom(onOne(), "base.safetensors");
  Plan plan = onOne();
  plan.parameters.push_back(parameterOf("v", {3}, {}, false));
  EXPECT_THAT(loadError(path, plan),
              HasSubstr("has no tensor \"v\" (3xf32), which the program has"));
  plan = onOne();
  plan.parameters.erase(plan.parameters.begin() + 1);
  EXPECT_THAT(loadError(path, plan),
              HasSubstr("a tensor \"b\" (5xbf16), which the program lacks"));
  plan = onOne();
  plan.parameters[0].tensor.shape = {5, 7};
  EXPECT_THAT(loadError(path, plan), HasSubstr("\"w\" is 7x5xf32 in "));
  plan = onOne();
  plan.parameters[1].tensor.elementType = ElementType::kI32;
  EXPECT_THAT(loadError(path, plan), HasSubstr("but 5xi32 in the program"));
}

TEST(Checkpoint, WhatIsMissingOrTooManyMayBeAllowed) {
  const std::string path = saveFrom(onOne(), "anyway.safetensors");
  const auto file = Checkpoint::open(path);
  Plan plan = onOne();
  plan.parameters.push_back(parameterOf("v", {3}, {}, false));
  plan.parameters.erase(plan.parameters.begin() + 1);
  Boxes boxes = Boxes::initialized(plan, 0);
  const auto load = [&](bool missing, bool extra) {
    return file->load(plan, 0, boxes.parts, {missing, extra});
  };
  EXPECT_THAT(std::string(load(false, true).message()),
              HasSubstr("has no tensor \"v\""));
  EXPECT_THAT(std::string(load(true, false).message()),
              HasSubstr("has a tensor \"b\""));
  EXPECT_TRUE(load(true, true).ok());
  EXPECT_EQ(boxes.memory, Boxes::initialized(plan, 0).memory);
  EXPECT_THAT(file->notes(plan),
              ElementsAre(HasSubstr("which are initialized: v"),
                          HasSubstr("which are ignored: b")));
}

/// Writes a safetensors file with the tensor `name` of two numbers of `dtype`,
/// whose bytes are `bytes`.
std::string writePair(const std::string& file, const std::string& name,
                      const std::string& dtype, const std::string& bytes) {
  const std::string header = fmt::format(
      R"({{"{}":{{"dtype":"{}","shape":[2],"data_offsets":[0,{}]}}}})", name,
      dtype, bytes.size());
  std::string length(8, '\0');
  length[0] = char(header.size());
  const std::string path = testing::TempDir() + file;
  auto out = file::OutputFile::create(path);
  EXPECT_TRUE(out.ok() && out->write(length + header + bytes).ok() &&
              out->commit().ok());
  return path;
}

/// Returns parameter `index`, two f32, as loaded from `path`.
std::vector<float> loadedPair(const std::string& path, const Plan& plan,
                              size_t index = 0) {
  Boxes boxes(plan, 0);
  const auto file = Checkpoint::open(path);
  EXPECT_TRUE(file.ok()) << file.status();
  const absl::Status loaded = file->load(plan, 0, boxes.parts);
  EXPECT_TRUE(loaded.ok()) << loaded;
  const auto* numbers = reinterpret_cast<float*>(boxes.memory[index].data());
  return {numbers, numbers + 2};
}

Plan ofPairs(std::vector<const char*> names) {
  Plan plan;
  plan.groups = {plan::Group()};
  for (const char* name : names)
    plan.parameters.push_back(parameterOf(name, {2}, {}, false));
  return plan;
}

TEST(Checkpoint, WeightsOfOtherPrecisionBecomeThePlans) {
  const std::string f16("\x00\x3c\x00\xc1", 4), bf16("\x80\x3f\x20\xc0", 4);
  const double doubles[] = {1, -2.5};
  const std::string f64(reinterpret_cast<const char*>(doubles), 16);
  for (const auto& [dtype, bytes] :
       {std::pair("F16", f16), {"BF16", bf16}, {"F64", f64}}) {
    const std::string path = writePair("pair.safetensors", "w", dtype, bytes);
    EXPECT_THAT(loadedPair(path, ofPairs({"w"})), ElementsAre(1, -2.5));
    EXPECT_EQ(Checkpoint::open(path)->notes(ofPairs({"w"})).size(), 1);
  }
  Plan integers = ofPairs({"w"});
  integers.parameters[0].tensor.elementType = ElementType::kI32;
  EXPECT_THAT(loadError(writePair("f.safetensors", "w", "F16", f16), integers),
              HasSubstr("\"w\" is 2xf16 in"));
  EXPECT_THAT(loadError(writePair("i.safetensors", "w", "I64",
                                  std::string(15, '\0') + '\1'),
                        integers),
              HasSubstr("\"w\" has 72057594037927936 in"));
}

TEST(Checkpoint, AnIndexOfSeveralFilesIsLoaded) {
  const std::string first("\x00\x00\x80\x3f\x00\x00\x00\x40", 8);
  writePair("m-1-of-2.safetensors", "a", "F32", first);
  writePair("m-2-of-2.safetensors", "b", "F16",
            std::string("\x00\x3c\x00\xc1", 4));
  const auto index = [](const std::string& text) {
    const std::string path = testing::TempDir() + "m.safetensors.index.json";
    auto out = file::OutputFile::create(path);
    EXPECT_TRUE(out.ok() && out->write(text).ok() && out->commit().ok());
    return path;
  };
  const std::string path = index(
      R"({"metadata": {"total_size": 12}, "weight_map":
          {"b": "m-2-of-2.safetensors", "a": "m-1-of-2.safetensors"}})");
  EXPECT_THAT(*TensorFiles::filesOf(path),
              ElementsAre(path, testing::TempDir() + "m-1-of-2.safetensors",
                          testing::TempDir() + "m-2-of-2.safetensors"));
  const Plan plan = ofPairs({"a", "b"});
  EXPECT_THAT(loadedPair(path, plan, 0), ElementsAre(1, 2));
  EXPECT_THAT(loadedPair(path, plan, 1), ElementsAre(1, -2.5));
  EXPECT_THAT(
      loadError(index(R"({"weight_map": {"c": "m-1-of-2.safetensors"}})"),
                plan),
      HasSubstr("says that \"c\" is in"));
  EXPECT_THAT(loadError(index(R"({"weight_map": {"a": "absent"}})"), plan),
              HasSubstr("absent: No such file"));
  EXPECT_THAT(loadError(index(R"({"weights": {}})"), plan),
              HasSubstr("no index of safetensors files: has no field "
                        "\"weight_map\""));
}

TEST(Checkpoint, OptimiserStateMayBeAbsentOnEitherSideAsAWhole) {
  Plan inference = onOne();
  inference.parameters.pop_back();
  const std::string trained = saveFrom(onOne(), "trained.safetensors");
  EXPECT_EQ(loadError(trained, inference), "");
  const std::string weights = saveFrom(inference, "weights.safetensors");
  EXPECT_EQ(loadError(weights, onOne()), "");
  Plan more = onOne();
  more.parameters.push_back(parameterOf("b.momentum", {5}, {}, true));
  EXPECT_THAT(loadError(trained, more),
              HasSubstr("has optimiser state \"w.momentum\", but not "
                        "\"b.momentum\""));
}

TEST(Checkpoint, StateIsForeignIfNoneOfItIsThePlans) {
  const auto file = Checkpoint::open(saveFrom(onOne(), "state.safetensors"));
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->foreignState(onOne()), "");
  Plan other = onOne();
  other.parameters[2].tensor.name = "w.first_moment";
  EXPECT_EQ(file->foreignState(other), "w.momentum");
}

/// Returns the error for a file of 24 bytes of data whose tensors a, b and c,
/// of two f32 each, are at `a`, `b` and `c`.
std::string errorOfPlaces(const std::string& a, const std::string& b,
                          const std::string& c) {
  std::string header;
  for (const auto& [name, place] : {std::pair("a", a), {"b", b}, {"c", c}})
    header +=
        fmt::format(R"({}"{}":{{"dtype":"F32","shape":[2],"data_offsets":{}}})",
                    header.empty() ? "{" : ",", name, place);
  header += "}";
  const std::string path = testing::TempDir() + "places.safetensors";
  auto file = file::OutputFile::create(path);
  EXPECT_TRUE(file.ok() &&
              file->write(char(header.size()) + std::string(7, '\0') + header +
                          std::string(24, '?'))
                  .ok() &&
              file->commit().ok());
  return std::string(SafetensorsReader::open(path).status().message());
}

TEST(Checkpoint, EachByteBelongsToOneTensor) {
  EXPECT_EQ(errorOfPlaces("[16,24]", "[0,8]", "[8,16]"), "");
  EXPECT_THAT(errorOfPlaces("[0,8]", "[16,24]", "[0,8]"),
              HasSubstr(": tensors \"a\" at bytes [0, 8) and \"c\" at bytes "
                        "[0, 8) overlap"));
  EXPECT_THAT(errorOfPlaces("[12,20]", "[8,16]", "[0,8]"),
              HasSubstr(": tensors \"b\" at bytes [8, 16) and \"a\" at bytes "
                        "[12, 20) overlap"));
  EXPECT_THAT(errorOfPlaces("[0,8]", "[16,24]", "[16,24]"),
              HasSubstr(": bytes [8, 16) of its data belong to no tensor"));
}

TEST(Checkpoint, BytesBehindTheTensorsAreRefused) {
  const std::string bytes = contents(saveFrom(onOne(), "exact.safetensors"));
  const std::string path = testing::TempDir() + "longer.safetensors";
  auto file = file::OutputFile::create(path);
  ASSERT_TRUE(file.ok() && file->write(bytes + "?").ok() &&
              file->commit().ok());
  EXPECT_THAT(loadError(path, onOne()),
              HasSubstr("bytes [290, 291) of its data belong to no tensor"));
}

TEST(Checkpoint, MutatedFilesAreReadOrRejectedButNeverCrash) {
  const std::string original = contents(saveFrom(onOne(), "m.safetensors"));
  const std::string path = testing::TempDir() + "mutated.safetensors";
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = original;
    for (int edits = 1 + random() % 3; edits > 0; --edits)
      bytes[random() % 400] =
          random() % 2 ? original[random() % 400] : char(random() % 256);
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    auto file = file::OutputFile::create(path);
    ASSERT_TRUE(file.ok() && file->write(bytes).ok() && file->commit().ok());
    loadError(path, onOne());
  }
}

}  // namespace
}  // namespace sbp::checkpoint
