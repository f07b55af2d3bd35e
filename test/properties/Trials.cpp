#include "test/properties/Trials.h"

#include "dialects/Dialects.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

namespace sbp::properties {
namespace {

Examination examineChoices(const Trials& trials, MLIRContext* context,
                           Choices& choices, uint64_t seed) {
  return examine(trials.program(context, choices), choices, seed, trials.run,
                 trials.place);
}

/// Returns the report on the smallest wrong program found by reducing `record`.
/// Returns "" if no smaller program was found to be wrong.
std::string smallestReport(const Trials& trials, MLIRContext* context,
                           const ChoiceRecord& record, uint64_t seed) {
  std::string report;
  shrunk(
      record,
      [&](const ChoiceRecord& smaller) {
        Choices choices(smaller);
        Examination examination =
            examineChoices(trials, context, choices, seed);
        if (examination.verdict != Verdict::Wrong) return false;
        report = "the smallest like it: " + examination.report;
        return true;
      },
      trials.shrinkAttempts);
  return report;
}

}  // namespace

void Trials::expectRight(SeedRange seeds) const {
  static bool hasShrunk = false;
  mlir::DialectRegistry registry;
  registerDialects(registry);
  if (extend) extend(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();

  uint64_t undecidable = 0;
  for (uint64_t seed = seeds.begin; seed < seeds.end; ++seed) {
    llvm::PrettyStackTraceFormat crash("the program of seed %llu",
                                       static_cast<unsigned long long>(seed));
    Choices choices(seed);
    Examination examination = examineChoices(*this, &context, choices, seed);
    if (examination.verdict == Verdict::Undecidable) ++undecidable;
    if (examination.verdict != Verdict::Wrong) continue;
    std::string report = examination.report;
    if (!hasShrunk) {
      hasShrunk = true;
      std::string smallest =
          smallestReport(*this, &context, choices.record(), seed);
      if (!smallest.empty()) report = smallest;
    }
    ADD_FAILURE() << fmt::format(
        "seed {0}; again by\n  bazel test {2} --test_arg=--seeds={0}..{1}\n{3}",
        seed, seed + 1, label, report);
  }
  EXPECT_LE(undecidable, 1 + (seeds.end - seeds.begin) / 20)
      << "programs whose value depends on rounding";
}

std::string nameOfSeeds(const testing::TestParamInfo<SeedRange>& seeds) {
  return fmt::format("{}_to_{}", seeds.param.begin, seeds.param.end - 1);
}

int mainWithSeeds(int argc, char** argv, SeedRange* seeds) {
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  llvm::EnablePrettyStackTrace();
  *seeds = seedsFrom(argc, argv, *seeds);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

}  // namespace sbp::properties
