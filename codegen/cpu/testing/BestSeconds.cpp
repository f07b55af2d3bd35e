#include "codegen/cpu/testing/BestSeconds.h"

#include <time.h>

#include <algorithm>
#include <limits>

namespace sbp::cpu {
namespace {

double threadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

}  // namespace

double bestSeconds(const std::function<void()>& run) {
  constexpr double kEnough = 0.3;
  double best = std::numeric_limits<double>::infinity();
  double total = 0;
  for (int i = 0; i < 3 || (total < kEnough && i < 2000); ++i) {
    double begin = threadSeconds();
    run();
    double seconds = threadSeconds() - begin;
    best = std::min(best, seconds);
    total += seconds;
  }
  return best;
}

}  // namespace sbp::cpu
