// A test that examines the random programs of many seeds.

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

/// The parameters of a test of random programs.
struct Trials {
  /// The Bazel label of the test, for the command that repeats a failure.
  std::string label;
  /// Generates a program from choices.
  llvm::function_ref<RandomProgram(MLIRContext*, Choices&)> program;
  RunOnRanks run;
  /// Largest number of simpler programs to examine after the first failure.
  int shrinkAttempts = 0;
  /// Registers further dialects and interfaces in addition to the project's.
  llvm::function_ref<void(mlir::DialectRegistry&)> extend = {};
  PlaceProgram place = placeAtRandom;

  /// Examines the programs of `seeds`. Fails the test for each wrong program,
  /// with its seed, the command that repeats it, and, for the first one in this
  /// process, the smallest program found that fails as well. Also fails the
  /// test if more than 1 + n / 20 of n programs are undecidable.
  void expectRight(SeedRange seeds) const;
};

/// Returns the name of a test case: "0_to_99" if it has the seeds 0 to 99.
std::string nameOfSeeds(const ::testing::TestParamInfo<SeedRange>& seeds);

/// Runs all tests, as the main function of a test with the argument
/// `--seeds=BEGIN..END`. Sets `seeds` if the argument is given. A crash prints
/// the seed of the current program. Returns the exit code.
int mainWithSeeds(int argc, char** argv, SeedRange* seeds);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_TRIALS_H_
