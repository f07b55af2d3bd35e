#include "tools/lab/ProblemFile.h"

#include <chrono>
#include <optional>

#include "passes/search/solvers/Elimination.h"
#include "runtime/file/MappedFile.h"
#include "runtime/status/Status.h"
#include "tools/lab/ReadCfn.h"

namespace sbp::search::lab {

absl::StatusOr<Json> problemFile(const std::string& path) {
  SBP_ASSIGN_OR_RETURN(const file::MappedFile file,
                       file::MappedFile::open(path));
  absl::StatusOr<Problem> problem = readCfn(file.bytes());
  if (!problem.ok())
    return error("{} is no problem: {}", path, textOf(problem.status()));
  const auto begin = std::chrono::steady_clock::now();
  problem->roundToTicks();
  const std::optional<Solution> solution = solveByElimination(*problem);
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - begin;
  if (!solution)
    return error("{}: elimination would take tables that are too large", path);
  if (solution->cost < kInfiniteCost) {
    if (absl::Status answer = verify(*problem, *solution); !answer.ok())
      return answer;
  }
  return Json{{"variables", problem->numVariables()},
              {"tables", problem->tables().size()},
              {"cost", solution->cost},
              {"lower_bound", solution->lowerBound},
              {"search_seconds", elapsed.count()}};
}

}  // namespace sbp::search::lab
