#include "passes/search/pipeline/testing/InstanceFile.h"

#include <utility>

#include "runtime/json/Cursor.h"
#include "runtime/status/Status.h"

namespace sbp::search {
namespace {

using json::Cursor;

UnitOption readOption(const Cursor& option) {
  UnitOption result;
  result.forward = option["forward"].number();
  result.input = option["backward"].number();
  result.once = option["once"].number();
  result.held = option["static"].number();
  result.stash = option["stash"].number();
  result.transient = option["transient"].number();
  result.layout = option["layout"].integer();
  return result;
}

JointCase readCase(const Cursor& ofCase) {
  JointCase result;
  result.workers = ofCase["stages"].integer();
  result.microBatches = ofCase["micro_batches"].integer();
  result.options = ofCase["options"].list(
      [](const Cursor& options) { return options.list(readOption); });
  result.move = ofCase["move"].list([](const Cursor& row) {
    return row.list([](const Cursor& entry) { return entry.number(); });
  });
  result.cut = ofCase["cut"].list([](const Cursor& row) {
    return row.list(
        [](const Cursor& entry) { return CutTime{entry.number(), 0}; });
  });
  return result;
}

SolvedInstance readInstance(const Cursor& instance) {
  SolvedInstance result;
  JointProblem& problem = result.problem;
  for (int64_t unit = 0; unit < instance["units"].integer(); ++unit)
    problem.kinds.push_back(unit);
  problem.memory = instance["memory"].number();
  problem.cases = instance["cases"].list(readCase);
  problem.families.emplace_back().name = "1f1b";
  if (instance["answer"].has("seconds"))
    result.seconds = instance["answer"]["seconds"].number();
  return result;
}

}  // namespace

absl::StatusOr<std::vector<SolvedInstance>> readInstances(
    std::string_view json) {
  SBP_ASSIGN_OR_RETURN(const json::Value value, json::parse(json));
  absl::Status status;
  std::vector<SolvedInstance> instances =
      Cursor(value, status).list(readInstance);
  SBP_RETURN_IF_ERROR(status);
  return instances;
}

}  // namespace sbp::search
