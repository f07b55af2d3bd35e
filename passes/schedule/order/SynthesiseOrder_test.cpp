#include "passes/schedule/order/SynthesiseOrder.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "gtest/gtest.h"
#include "passes/schedule/families/Family.h"
#include "passes/schedule/order/OrderBounds.h"

namespace sbp::schedule {
namespace {

TEST(SynthesiseOrder, Bench) {
  const char* states = getenv("STATES");
  const char* evals = getenv("EVALS");
  for (auto [d, n, cap] : std::vector<std::array<int64_t, 3>>{
           {4,8,3},{6, 12, 7}}) {
    Shape shape;
    shape.depth = d;
    shape.microBatches = n;
    OrderProblem p;
    p.table = *tableOf("chimera", shape);
    p.durations.stages.assign(d, {});
    p.memory.assign(d, {});
    p.room.assign(d, cap);
    auto st = p.check();
    ASSERT_TRUE(st.ok()) << st.message();
    SynthesisTuning tuning;
    if (states) tuning.maxStates = atoll(states);
    if (evals) tuning.annealing.evaluations = atoll(evals);
    auto t0 = std::chrono::steady_clock::now();
    auto b = orderBoundsOf(TaskGraph(p));
    SynthesisedOrder a = synthesiseOrder(p, tuning);
    double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    printf("%ld %ld %ld: %g bound %g (%g %g %g) %s evals %ld states %ld %.2fs\n", d, n, cap,
           a.order ? a.cost.makespan : -1, a.bound, b.path, b.worker, b.area, a.isProven() ? "proven" : "",
           a.evaluations, a.states, s);
    fflush(stdout);
  }
}

}  // namespace
}  // namespace sbp::schedule
