// A test that examines the programs of many seeds.

#ifndef TEST_PROPERTIES_TRIALS_H_
#define TEST_PROPERTIES_TRIALS_H_

#include <string>

#include "dialects/support/LLVM.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "test/properties/Choices.h"
#include "test/properties/Examination.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/SeedRange.h"

namespace sbp::properties {

struct Trials {
  /// The Bazel label of the test, for who wants to repeat one.
  std::string label;
  /// The program of some choices.
  llvm::function_ref<RandomProgram(MLIRContext*, Choices&)> program;
  RunOnRanks run;
  /// How many simpler programs to examine when one is wrong.
  int shrinkAttempts = 0;
  /// What the context knows beyond the dialects of the project.
  llvm::function_ref<void(mlir::DialectRegistry&)> extend = {};
  PlaceProgram place = placeAtRandom;

  /// Examines the programs of `seeds`. The test fails for a wrong one, with its
  /// seed, the command that repeats it, and for the first in this process the
  /// smallest program like it that was found; and when many are undecidable.
  void expectRight(SeedRange seeds) const;
};

/// "0_to_99", the name of the case that has the seeds 0 to 99.
std::string nameOfSeeds(const ::testing::TestParamInfo<SeedRange>& seeds);

/// The main of a test that takes `--seeds=BEGIN..END`: sets `seeds`, runs all
/// tests, and sees that a crash prints what was being done.
int mainWithSeeds(int argc, char** argv, SeedRange* seeds);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_TRIALS_H_
