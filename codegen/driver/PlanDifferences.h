// The differences of two planned programs.

#ifndef CODEGEN_DRIVER_PLANDIFFERENCES_H_
#define CODEGEN_DRIVER_PLANDIFFERENCES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "codegen/driver/PlannedProgram.h"
#include "nlohmann/json.hpp"

namespace sbp {

/// Tensors whose placement changes in the same way.
struct PlacementChange {
  std::string layer;     // that has them; empty for parameters
  std::string from, to;  // "[S(0)]"; "-" if a program has no such tensor
  /// Names, each once; in those of parameters, "*" stands for a number.
  std::vector<std::string> names = {};
  size_t number = 0;  // of tensors
};

/// The differences between `a` and `b`, which must outlive this object.
struct PlanDifferences {
  const PlannedProgram& a;
  const PlannedProgram& b;
  bool arePipelinesAlike = true;  // groups, micro-batches, schedule, recomputed
  bool areStagesAlike = true;
  std::vector<PlacementChange> parameters = {};  // and optimiser state
  std::vector<PlacementChange> tensors = {};

  /// Whether the plans are the same; times and memory then are, too, if the
  /// machines are.
  bool areAlike() const {
    return arePipelinesAlike && areStagesAlike && parameters.empty() &&
           tensors.empty();
  }
};

/// Returns the differences.
PlanDifferences differencesOf(const PlannedProgram& a, const PlannedProgram& b);

/// Returns the differences as text. Lists all names if `isFull`.
std::string textOf(const PlanDifferences& differences, bool isFull);

/// Returns both programs and their differences, in seconds and bytes
/// (docs/plans.md).
nlohmann::ordered_json jsonOf(const PlanDifferences& differences);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_PLANDIFFERENCES_H_
