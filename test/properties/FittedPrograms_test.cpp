// Tests that the compiler's statements about memory are true for the memory
// that plans allocate.
//
//   bazel test //test/properties:FittedPrograms_test
//   ... --test_arg=--seeds=1000..1100                       other programs
//
// Random programs on random machines are compiled for less memory than any plan
// needs. The error names the bytes that suffice: with that limit a plan is
// found, and none of its ranks allocates more. The error also names a lower
// bound: in every plan, with any limit or none, some rank allocates at least as
// much.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>

#include "codegen/driver/Compile.h"
#include "dialects/Dialects.h"
#include "dialects/support/LLVM.h"
#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinTypes.h"
#include "runtime/plan/Plan.h"
#include "test/properties/Choices.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/SeedRange.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 2;
SeedRange seeds{0, 16};

/// The result of compiling: the bytes of the largest arena, or those that the
/// error names.
struct Compiled {
  std::optional<int64_t> allocated;
  std::optional<int64_t> enough, bound;  // in the error
  std::string said;
};

std::optional<int64_t> bytesAfter(const std::string& text,
                                  const std::string& words) {
  std::smatch match;
  std::regex exact(words + " (?:[0-9.]+ [KMGT]B \\()?([0-9]+) bytes");
  if (!std::regex_search(text, match, exact)) return std::nullopt;
  return std::stoll(match[1]);
}

/// Compiles the model at `path` for devices with `memoryBytes` of memory, or
/// without limit if that is 0.
Compiled compileWithin(const std::filesystem::path& path, double memoryBytes) {
  CompileOptions options;
  options.source.path = path.string();
  options.output.emit = Emit::Plan;
  options.output.path = path.string() + ".plan";
  options.pipeline.place.memory = memoryBytes;
  Compiled compiled;
  testing::internal::CaptureStderr();
  bool isCompiled = mlir::succeeded(compile(options));
  compiled.said = testing::internal::GetCapturedStderr();
  if (!isCompiled) {
    compiled.enough = bytesAfter(compiled.said, "the smallest found takes");
    compiled.bound = bytesAfter(compiled.said, "takes less than");
    return compiled;
  }
  std::stringstream text;
  text << std::ifstream(options.output.path).rdbuf();
  absl::StatusOr<plan::Plan> read = plan::fromJson(text.str());
  if (!read.ok()) return compiled;
  int64_t most = 0;
  for (const plan::Program& program : read->programs)
    for (const plan::EntryProgram& entry : program.entries)
      most = std::max(most, entry.arenaBytes);
  compiled.allocated = most;
  return compiled;
}

std::filesystem::path writeProgram(uint64_t seed, Choices& choices) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  RandomProgram program =
      randomProgram(&context, mlir::Float32Type::get(&context), choices);
  addRandomMesh(*program.module, choices);
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) /
                               ("program" + std::to_string(seed) + ".mlir");
  std::string text;
  llvm::raw_string_ostream stream(text);
  program.module->print(stream);
  std::ofstream(path) << text;
  return path;
}

class FittedPrograms : public testing::TestWithParam<SeedRange> {};

TEST_P(FittedPrograms, TakeWhatIsSaidOfThem) {
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Choices choices(seed);
    std::filesystem::path path = writeProgram(seed, choices);
    Compiled refused = compileWithin(path, 1);
    ASSERT_TRUE(refused.enough) << refused.said;
    const auto enough = static_cast<double>(*refused.enough);

    Compiled named = compileWithin(path, enough);
    ASSERT_TRUE(named.allocated) << enough << " bytes: " << named.said;
    EXPECT_LE(*named.allocated, *refused.enough);

    Compiled free = compileWithin(path, 0);
    ASSERT_TRUE(free.allocated) << free.said;
    if (refused.bound) {
      EXPECT_LE(*refused.bound, *named.allocated);
      EXPECT_LE(*refused.bound, *free.allocated);
    }

    // With a limit near the sufficient one, either result is right.
    double limit = enough * static_cast<double>(choices.between(70, 130)) / 100;
    Compiled limited = compileWithin(path, limit);
    if (limited.allocated) {
      EXPECT_LE(static_cast<double>(*limited.allocated), limit);
      EXPECT_LE(refused.bound.value_or(0), *limited.allocated);
    } else {
      EXPECT_LT(limit, enough);
      EXPECT_EQ(limited.enough, refused.enough) << limited.said;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FittedPrograms,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
