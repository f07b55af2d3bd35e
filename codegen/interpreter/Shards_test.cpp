// Tests cutting and assembling under every placement.

#include "codegen/interpreter/Shards.h"

#include "codegen/interpreter/testing/Programs.h"
#include "gtest/gtest.h"

namespace sbp::interpreter {
namespace {

using testing::HasSubstr;

/// Returns every placement of a matrix on `numAxes` axes, where Partial means
/// `reduction`.
std::vector<Placement> placementsOf(size_t numAxes, Reduction reduction) {
  std::vector<Placement> placements = {{}};
  for (size_t axis = 0; axis < numAxes; ++axis) {
    std::vector<Placement> longer;
    for (const Placement& placement : placements)
      for (Component component :
           {Component::broadcast(), Component::split(0), Component::split(1),
            Component::partial(reduction)}) {
        longer.push_back(placement);
        longer.back().push_back(component);
      }
    placements = longer;
  }
  return placements;
}

Mesh meshOf(ArrayRef<int64_t> sizes) {
  Mesh mesh;
  for (int64_t size : sizes)
    mesh.axes.push_back({"axis" + std::to_string(mesh.axes.size()), size});
  return mesh;
}

class ShardsTest : public testing::Test {
 protected:
  /// Returns [[-3, -2, ...], ...].
  Tensor counting(ArrayRef<int64_t> shape, Type elementType) {
    auto type = RankedTensorType::get(shape, elementType);
    return buildByElement(elementType, [&](auto zero) {
      std::vector<decltype(zero)> elements;
      for (int64_t i = 0; i < type.getNumElements(); ++i)
        elements.push_back(i - 3);
      return Tensor(type, elements);
    });
  }

  FailureOr<Tensor> assemble(ArrayRef<Tensor> locals, const Tensor& like,
                             ArrayRef<Component> placement, const Mesh& mesh) {
    return assembled(locals, like.type(), placement, mesh, [&] {
      return mlir::emitError(mlir::UnknownLoc::get(context_.get()));
    });
  }

  TestContext context_;
  mlir::Builder builder_{context_.get()};
};

TEST_F(ShardsTest, WhatIsCutAssemblesToItself) {
  const Type elementTypes[] = {builder_.getF32Type(), builder_.getI32Type(),
                               builder_.getI1Type()};
  const std::vector<int64_t> meshes[] = {{3}, {2, 3}, {2, 2, 2}};
  const std::vector<int64_t> shapes[] = {{7, 5}, {1, 2}};
  int64_t numCases = 0;
  for (Type elementType : elementTypes)
    for (const std::vector<int64_t>& sizes : meshes)
      for (const std::vector<int64_t>& shape : shapes)
        for (Reduction reduction :
             {Reduction::Sum, Reduction::Max, Reduction::Min})
          for (const Placement& placement :
               placementsOf(sizes.size(), reduction)) {
            Mesh mesh = meshOf(sizes);
            Tensor whole = counting(shape, elementType);
            auto locals = cut(whole, placement, mesh, CountedRandom(1, "t"));
            auto again = assemble(locals, whole, placement, mesh);
            ASSERT_TRUE(succeeded(again)) << stringOf(placement);
            EXPECT_THAT(*again, IsCloseTo(whole, 0)) << stringOf(placement);
            ++numCases;
          }
  EXPECT_EQ(numCases, 3 * 2 * 3 * (4 + 16 + 64));
}

TEST_F(ShardsTest, TermsOfASumHaveBothSigns) {
  Tensor whole =
      Tensor::splat(RankedTensorType::get({100}, builder_.getF32Type()), 1.5);
  auto locals = cut(whole, {Component::partial(Reduction::Sum)}, meshOf({3}),
                    CountedRandom(1, "t"));
  for (const Tensor& local : locals) {
    EXPECT_TRUE(llvm::any_of(local.floats(), [](double x) { return x < 0; }));
    EXPECT_TRUE(llvm::any_of(local.floats(), [](double x) { return x > 0; }));
  }
}

TEST_F(ShardsTest, EveryRankHasTheMaximumSomewhere) {
  Tensor whole =
      Tensor::splat(RankedTensorType::get({100}, builder_.getF32Type()), 1.5);
  auto locals = cut(whole, {Component::partial(Reduction::Max)}, meshOf({3}),
                    CountedRandom(1, "t"));
  for (const Tensor& local : locals) {
    EXPECT_TRUE(llvm::is_contained(local.floats(), 1.5));
    EXPECT_TRUE(llvm::any_of(local.floats(), [](double x) { return x < 1.5; }));
  }
}

TEST_F(ShardsTest, CopiesThatDifferAreADiagnostic) {
  Program handler(context_, "");
  Type f32 = builder_.getF32Type();
  Tensor one = Tensor::splat(RankedTensorType::get({2}, f32), 1);
  Tensor two = Tensor::splat(RankedTensorType::get({2}, f32), 2);
  EXPECT_TRUE(
      failed(assemble({one, two}, one, {Component::broadcast()}, meshOf({2}))));
  EXPECT_THAT(handler.error(),
              HasSubstr("copies along mesh axis 'axis0' of a tensor placed [B] "
                        "differ, first at element 0: 1"));
}

TEST_F(ShardsTest, PartsOfAnotherShapeAreADiagnostic) {
  Program handler(context_, "");
  Tensor whole = counting({3}, builder_.getF32Type());
  Tensor local = counting({2}, builder_.getF32Type());
  EXPECT_TRUE(failed(
      assemble({local, local}, whole, {Component::split(0)}, meshOf({2}))));
  EXPECT_THAT(handler.error(),
              HasSubstr("rank 0 holds a 'tensor<2xf32>'; its part of "
                        "'tensor<3xf32>' placed [S(0)] is a 'tensor<1xf32>'"));
}

}  // namespace
}  // namespace sbp::interpreter
