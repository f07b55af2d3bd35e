// The `main` of every compiled program.

#include "CLI/CLI.hpp"
#include "fmt/format.h"
#include "runtime/Abi.h"
#include "runtime/plan/Plan.h"

int main(int argc, char** argv) {
  const auto plan = sbp::plan::fromJson(sbp_plan);
  CLI::App app("A program compiled by sbpc.");
  int64_t steps = 0;
  app.add_option("--steps", steps, "Steps to train");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& parseError) {
    return app.exit(parseError) == 0 ? 0 : 1;
  }
  if (!plan.ok()) {
    fmt::print(stderr, "error: {}\n", std::string(plan.status().message()));
    return 1;
  }
  fmt::print("{}: {} ranks\n", plan->model, plan->numRanks());
  return 0;
}
