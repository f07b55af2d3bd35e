#include "codegen/cpu/contraction/BuildContraction.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "codegen/cpu/KernelFunction.h"
#include "codegen/cpu/LoadedKernels.h"
#include "codegen/cpu/Target.h"
#include "codegen/cpu/contraction/Blocking.h"
#include "codegen/kernels/AlignedBuffer.h"
#include "codegen/kernels/Contraction.h"
#include "codegen/kernels/KernelBuilder.h"
#include "gtest/gtest.h"
#include "mlir/InitAllDialects.h"

namespace sbp::cpu {
namespace {

/// An equation with the extent of each index: {"ik,kj->ij", {{'i', 3}, ...}}.
struct Problem {
  std::string equation;
  std::map<char, int64_t> extents;

  std::string left() const { return equation.substr(0, equation.find(',')); }
  std::string right() const {
    size_t comma = equation.find(',');
    return equation.substr(comma + 1, equation.find("->") - comma - 1);
  }
  std::string result() const {
    return equation.substr(equation.find("->") + 2);
  }

  std::vector<int64_t> shape(const std::string& indices) const {
    std::vector<int64_t> shape;
    for (char index : indices) shape.push_back(extents.at(index));
    return shape;
  }
  int64_t numElements(const std::string& indices) const {
    int64_t product = 1;
    for (int64_t extent : shape(indices)) product *= extent;
    return product;
  }
  int64_t offset(const std::string& indices,
                 const std::map<char, int64_t>& at) const {
    int64_t offset = 0;
    for (char index : indices)
      offset = offset * extents.at(index) + at.at(index);
    return offset;
  }
};

std::ostream& operator<<(std::ostream& stream, const Problem& problem) {
  stream << problem.equation;
  for (auto [index, extent] : problem.extents)
    stream << " " << index << "=" << extent;
  return stream;
}

/// Returns the result of the equation, computed index by index.
std::vector<float> contract(const Problem& problem, const float* left,
                            const float* right) {
  std::vector<float> result(problem.numElements(problem.result()), 0.0f);
  std::map<char, int64_t> at;
  for (auto [index, extent] : problem.extents) {
    if (extent == 0) return result;
    at[index] = 0;
  }
  while (true) {
    result[problem.offset(problem.result(), at)] +=
        left[problem.offset(problem.left(), at)] *
        right[problem.offset(problem.right(), at)];
    auto digit = at.begin();
    while (digit != at.end() &&
           ++digit->second == problem.extents.at(digit->first))
      (digit++)->second = 0;
    if (digit == at.end()) return result;
  }
}

class BuildContractionTest : public testing::Test {
 protected:
  BuildContractionTest() {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  Target target(llvm::StringRef name) {
    return *lookUpTarget(name, [this] {
      return mlir::emitError(mlir::UnknownLoc::get(&context));
    });
  }

  /// Returns small multiples of 1/8, so that every sum is exact in any order.
  AlignedBuffer<float> randomBuffer(int64_t size) {
    AlignedBuffer<float> buffer(size);
    std::uniform_int_distribution<int> eighths(-16, 16);
    for (float& x : buffer) x = eighths(random) / 8.0f;
    return buffer;
  }

  void expectCorrect(const Problem& problem, const Target& target,
                     std::optional<Blocking> forced = std::nullopt,
                     int numTimes = 1) {
    Contraction contraction =
        contractionOf(problem.equation, problem.shape(problem.left()),
                      problem.shape(problem.right()));
    Blocking blocking =
        forced ? *forced : chooseBlocking(contraction, target, sizeof(float));
    AlignedBuffer<float> left =
        randomBuffer(problem.numElements(problem.left()));
    AlignedBuffer<float> right =
        randomBuffer(problem.numElements(problem.right()));
    AlignedBuffer<float> result(problem.numElements(problem.result()));
    AlignedBuffer<float> scratch(blocking.scratchElements());

    auto loc = mlir::UnknownLoc::get(&context);
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
    mlir::Type f32 = mlir::Float32Type::get(&context);
    addKernelFunction(
        *module, loc, "contract",
        {{f32, left.size()},
         {f32, right.size()},
         {f32, result.size()},
         {f32, scratch.size()}},
        [&](KernelBuilder& builder, llvm::ArrayRef<ElementRef> buffers) {
          for (int time = 0; time < numTimes; ++time)
            buildContraction(
                builder, contraction, blocking, buffers[0], buffers[1],
                buffers[2], buffers[3],
                mlir::arith::ConstantIntOp::create(builder, time == 0, 1));
        });
    auto kernels = LoadedKernels::compile(*module, target);
    ASSERT_TRUE(kernels) << problem;
    (*kernels)["contract"](
        {left.data(), right.data(), result.data(), scratch.data()});

    std::vector<float> expected = contract(problem, left.data(), right.data());
    for (int64_t i = 0; i < result.size(); ++i)
      ASSERT_EQ(result[i], numTimes * expected[i])
          << problem << ", element " << i;
    EXPECT_TRUE(result.guardsAreIntact()) << problem;
    EXPECT_TRUE(scratch.guardsAreIntact()) << problem;
  }

  mlir::MLIRContext context;
  std::mt19937 random{1};
};

TEST_F(BuildContractionTest, EveryTranspositionAndRemainder) {
  for (const char* cpu : {"host", "x86-64-v3", "x86-64-v2"}) {
    Target cpuTarget = target(cpu);
    for (const char* equation :
         {"ik,kj->ij", "ik,jk->ij", "ki,kj->ij", "ki,jk->ij", "ik,kj->ji"})
      for (int64_t m : {1, 7, 33})
        for (int64_t n : {1, 5, 71})
          for (int64_t k : {1, 40})
            expectCorrect({equation, {{'i', m}, {'j', n}, {'k', k}}},
                          cpuTarget);
  }
}

TEST_F(BuildContractionTest, SmallCachesCutRowsAndDepthIntoBlocks) {
  for (const char* cpu : {"host", "x86-64-v3"}) {
    Target small = target(cpu);
    small.firstCacheBytes = 8 << 10;
    small.secondCacheBytes = 64 << 10;
    for (const char* equation : {"ik,kj->ij", "ik,jk->ij", "ki,kj->ij"})
      expectCorrect({equation, {{'i', 203}, {'j', 75}, {'k', 150}}}, small);
  }
}

TEST_F(BuildContractionTest, AnyBlockingIsCorrect) {
  Problem problem{"bik,bkj->bij", {{'b', 2}, {'i', 21}, {'j', 70}, {'k', 50}}};
  Contraction contraction = contractionOf(
      problem.equation, problem.shape("bik"), problem.shape("bkj"));
  Target host = target("host");
  for (int64_t mBlock : {8, 24})
    for (int64_t nBlock : {32, 96})
      for (int64_t kBlock : {16, 48})
        for (bool packsA : {false, true})
          for (bool packsB : {false, true}) {
            Blocking blocking = chooseBlocking(contraction, host, 4);
            blocking.tile = {/*rows=*/8, /*vectors=*/2, /*lanes=*/16};
            blocking.mBlock = mBlock;
            blocking.nBlock = nBlock;
            blocking.kBlock = kBlock;
            blocking.packsA = packsA;
            blocking.packsB = packsB;
            expectCorrect(problem, host, blocking);
          }
}

TEST_F(BuildContractionTest, IndicesInAnyOrderAndNumber) {
  Target host = target("host");
  std::map<char, int64_t> extents = {{'a', 3}, {'b', 2}, {'c', 19},
                                     {'d', 6}, {'e', 4}, {'f', 5}};
  for (const char* equation : {
           "abc,cd->abd",      // linear layer
           "abc,abd->cd",      // its weight gradient: two summed indices merge
           "acbd,aebd->abce",  // attention scores, heads inside
           "abce,aebd->acbd",  // attention values
           "abcd,bdce->ae",    // three summed indices, in different orders
           "abc,dbe->adce",    // summed in the middle
           "acd,abd->cab",     // a batch index in the middle of the result
           "abc,dc->bda",      // result in another order than either operand
           "acb,cdb->adb",     // batch innermost: no operand is contiguous
           "ab,ab->ab",        // nothing summed
           "a,b->ab",          // outer product
           "ab,ab->",          // everything summed
           "ab,cd->ad",        // summed indices of one operand alone
           "aab,bc->ac",       // a diagonal
           "abc,cab->b",       // one index left
       }) {
    Problem problem{equation, {}};
    for (char index : std::string(equation))
      if (extents.count(index)) problem.extents[index] = extents[index];
    expectCorrect(problem, host);
  }
}

TEST_F(BuildContractionTest, SegmentsOfASumArePackedEndToEnd) {
  Problem problem{"bhtk,hkd->btd",
                  {{'b', 2}, {'h', 7}, {'t', 30}, {'k', 40}, {'d', 150}}};
  Contraction contraction = contractionOf(
      problem.equation, problem.shape("bhtk"), problem.shape("hkd"));
  EXPECT_EQ(contraction.segments.extent, 7);
  for (const char* cpu : {"host", "x86-64-v3"}) {
    EXPECT_GT(chooseBlocking(contraction, target(cpu), 4).segmentBlock, 1);
    expectCorrect(problem, target(cpu));
  }
}

TEST_F(BuildContractionTest, LaterTermsAddToWhatIsThere) {
  Target host = target("host");
  for (auto [m, n, k] : {std::tuple<int, int, int>{21, 70, 50},  // tiles
                         {1, 70, 50},                            // dot products
                         {21, 70, 1}})                           // plain loops
    for (const char* equation : {"ik,jk->ij", "ik,kj->ij", "ki,jk->ji"})
      expectCorrect({equation, {{'i', m}, {'j', n}, {'k', k}}}, host,
                    std::nullopt, /*numTimes=*/2);
}

TEST_F(BuildContractionTest, EmptyOperandsGiveZerosOrNothing) {
  Target host = target("host");
  for (char empty : {'i', 'j', 'k', 'b'}) {
    Problem problem{"bik,bkj->bij", {{'b', 2}, {'i', 9}, {'j', 20}, {'k', 17}}};
    problem.extents[empty] = 0;
    expectCorrect(problem, host);
  }
}

TEST_F(BuildContractionTest, RandomProblemsAreCorrect) {
  Target targets[] = {target("host"), target("x86-64-v3")};
  for (int trial = 0; trial < 60; ++trial) {
    // Each index is in a random set of operands, and each operand has its
    // indices in random order.
    std::string operands[3];
    Problem problem;
    int numIndices = std::uniform_int_distribution<int>(1, 5)(random);
    for (int i = 0; i < numIndices; ++i) {
      char index = 'a' + i;
      int members = std::uniform_int_distribution<int>(1, 7)(random);
      if (members == 4) members = 6;  // 4: in the result only
      for (int operand = 0; operand < 3; ++operand)
        if (members >> operand & 1) operands[operand] += index;
      problem.extents[index] =
          std::uniform_int_distribution<int>(1, 18)(random);
    }
    for (std::string& operand : operands)
      std::shuffle(operand.begin(), operand.end(), random);
    problem.equation = operands[0] + "," + operands[1] + "->" + operands[2];
    expectCorrect(problem, targets[trial % 2]);

    // Packs the same problem in small blocks, which chooseBlocking would not do
    // for such extents.
    Contraction contraction =
        contractionOf(problem.equation, problem.shape(problem.left()),
                      problem.shape(problem.right()));
    Blocking blocking = chooseBlocking(contraction, targets[trial % 2], 4);
    if (blocking.form != Blocking::Form::kTiled) continue;
    blocking.packsA = blocking.packsB = true;
    blocking.mBlock = 2 * blocking.tile.rows;
    blocking.nBlock = blocking.tile.columns();
    blocking.kBlock = contraction.k.extent;
    blocking.segmentBlock = std::uniform_int_distribution<int>(1, 4)(random);
    expectCorrect(problem, targets[trial % 2], blocking);
  }
}

}  // namespace
}  // namespace sbp::cpu
