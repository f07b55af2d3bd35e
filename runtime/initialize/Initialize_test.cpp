#include "runtime/initialize/Initialize.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/tensor/Rows.h"

namespace sbp {
namespace {

using plan::Component;
using plan::ElementType;
using plan::Initializer;
using ::testing::Each;
using ::testing::Ge;
using ::testing::Lt;

Component split(int64_t dim) {
  return {Component::Kind::kSplit, dim, plan::ReductionKind::kSum};
}

std::vector<float> valuesOf(const plan::Parameter& parameter,
                            const plan::Box& box, uint64_t seed) {
  std::vector<float> values(plan::numElements(plan::shapeOf(box)));
  initialize(parameter, box, seed, reinterpret_cast<std::byte*>(values.data()));
  return values;
}

plan::Parameter normalParameter(std::string name) {
  return {{name, ElementType::kF32, {7, 5}, {split(1), split(0)}},
          {Initializer::Kind::kNormal, 1, 0.5},
          false};
}

TEST(Initialize, EveryPlacementStartsFromTheSameValues) {
  const plan::Parameter parameter = normalParameter("w");
  const plan::Group mesh = {{"a", 2}, {"b", 3}};
  const std::vector<float> whole = valuesOf(parameter, {{0, 7}, {0, 5}}, 3);
  std::vector<float> assembled(35);
  for (int64_t rank = 0; rank < 6; ++rank) {
    const plan::Box box = plan::localBox(mesh, parameter.tensor, rank);
    const std::vector<float> part = valuesOf(parameter, box, 3);
    tensor::putBox(reinterpret_cast<const std::byte*>(part.data()), box, 4,
                   parameter.tensor.shape,
                   reinterpret_cast<std::byte*>(assembled.data()));
  }
  EXPECT_EQ(assembled, whole);
}

TEST(Initialize, SeedAndNameChangeTheValues) {
  const plan::Box box = {{0, 7}, {0, 5}};
  const std::vector<float> values = valuesOf(normalParameter("w"), box, 3);
  EXPECT_NE(values, valuesOf(normalParameter("w"), box, 4));
  EXPECT_NE(values, valuesOf(normalParameter("v"), box, 3));
}

TEST(Initialize, KindsGiveWhatTheyPromise) {
  plan::Parameter parameter = normalParameter("w");
  const plan::Box box = {{0, 7}, {0, 5}};
  parameter.initializer = {Initializer::Kind::kConstant, 2.5, 0};
  EXPECT_THAT(valuesOf(parameter, box, 0), Each(2.5f));
  parameter.initializer = {Initializer::Kind::kUniform, -2, -1};
  EXPECT_THAT(valuesOf(parameter, box, 0), Each(Ge(-2.0f)));
  EXPECT_THAT(valuesOf(parameter, box, 0), Each(Lt(-1.0f)));
}

TEST(Initialize, IntegersAndTruthValuesAreRounded) {
  int64_t integer = -1;
  plan::Parameter parameter{{"n", ElementType::kI64, {}, {}},
                            {Initializer::Kind::kConstant, 3, 0},
                            false};
  initialize(parameter, {}, 0, reinterpret_cast<std::byte*>(&integer));
  EXPECT_EQ(integer, 3);
  unsigned char truth = 7;
  parameter.tensor.elementType = ElementType::kI1;
  initialize(parameter, {}, 0, reinterpret_cast<std::byte*>(&truth));
  EXPECT_EQ(truth, 1);
}

}  // namespace
}  // namespace sbp
