#include "passes/schedule/lab/Synthesis.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "passes/schedule/Dependencies.h"
#include "runtime/status/Status.h"

namespace sbp::schedule::lab {
namespace {

/// Returns `values`, one for all or one for each, as a list of `number` values.
absl::StatusOr<std::vector<double>> spread(const std::vector<double>& values,
                                           int64_t number,
                                           std::string_view option,
                                           std::string_view noun) {
  if (values.size() == 1) return std::vector<double>(number, values.front());
  if (static_cast<int64_t>(values.size()) != number)
    return error(
        "{} has {} values for {} {}; one for all, or one for each, is needed",
        option, values.size(), number, noun);
  return values;
}

}  // namespace

absl::StatusOr<Synthesis> synthesise(const SynthesisRequest& request,
                                     const Table& table,
                                     const Durations& durations) {
  Synthesis synthesis;
  OrderProblem& problem = synthesis.problem;
  problem.table = table;
  problem.durations = durations;
  SBP_ASSIGN_OR_RETURN(
      const std::vector<double> stash,
      spread(request.stash, table.numStages, "--stash", "stages"));
  SBP_ASSIGN_OR_RETURN(
      const std::vector<double> residue,
      spread(request.residue, table.numStages, "--residue", "stages"));
  for (int64_t stage = 0; stage < table.numStages; ++stage)
    problem.memory.push_back({stash[stage], residue[stage]});
  const std::vector<double> peaks = problem.peaksOf(table);
  const std::vector<double> most = {
      *std::max_element(peaks.begin(), peaks.end())};
  SBP_ASSIGN_OR_RETURN(problem.room,
                       spread(request.cap.empty() ? most : request.cap,
                              table.numWorkers(), "--cap", "workers"));
  SBP_RETURN_IF_ERROR(problem.check());
  synthesis.before = simulate(Dependencies(table), durations).makespan;
  synthesis.found = synthesiseOrder(problem, request.tuning);
  if (!synthesis.found.order)
    return error(
        "no order of these tasks was found that keeps within the cap; the "
        "given order keeps {:.10g}, and the cap is {:.10g}",
        fmt::join(peaks, ", "), fmt::join(problem.room, ", "));
  return synthesis;
}

std::string linesOf(const Synthesis& synthesis) {
  const SynthesisedOrder& found = synthesis.found;
  const std::vector<double> peaks =
      synthesis.problem.peaksOf(synthesis.problem.table);
  bool fits = true;
  for (size_t worker = 0; worker < peaks.size(); ++worker)
    fits &= peaks[worker] <= synthesis.problem.roomOf(worker);
  std::string text =
      fmt::format("{:<18} {:.10g} (the given order takes {:.10g}{})\n", "order",
                  found.cost.makespan, synthesis.before,
                  fits ? "" : ", and keeps more than the cap");
  text +=
      fmt::format("{:<18} {:.10g}, gap {:.3g} %, {}\n", "bound of orders",
                  found.bound, 100 * found.gap(),
                  found.isProven() ? "proven: none is faster" : "not proven");
  text += fmt::format("{:<18} {:.10g} of {:.10g}\n", "memory kept",
                      fmt::join(found.cost.peaks, ", "),
                      fmt::join(synthesis.problem.room, ", "));
  text += fmt::format("{:<18} {} lists timed, {} states searched\n", "work",
                      found.evaluations, found.states);
  return text;
}

nlohmann::ordered_json jsonOf(const Synthesis& synthesis) {
  const SynthesisedOrder& found = synthesis.found;
  return {{"makespan_before", synthesis.before},
          {"makespan", found.cost.makespan},
          {"bound", found.bound},
          {"gap", found.gap()},
          {"is_proven", found.isProven()},
          {"cap", synthesis.problem.room},
          {"kept", found.cost.peaks},
          {"lists_timed", found.evaluations},
          {"states_searched", found.states}};
}

}  // namespace sbp::schedule::lab
