// Prints the work of joint searches for a GPT-3 on large machines.
//
//   joint-scale [FAMILY...]

#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "passes/search/pipeline/SearchJointPlan.h"
#include "passes/search/pipeline/testing/GptProblem.h"

namespace sbp::search {
namespace {

void report(const char* name, const GptSize& size) {
  const JointProblem problem = gptProblem(size);
  const absl::Status status = problem.check();
  if (!status.ok()) {
    std::printf("%s\n", std::string(status.message()).c_str());
    return;
  }
  const std::clock_t start = std::clock();
  const JointAnswer answer = searchJointPlan(problem);
  const double seconds =
      static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%-24s %5zu cases %7.3f CPU s", name, problem.cases.size(),
              seconds);
  const SearchWork& work = answer.work;
  std::printf("  labels %ld prices %ld fronts %ld nodes %ld tables %ld\n",
              long(work.labels), long(work.prices), long(work.fronts),
              long(work.nodes), long(work.tables));
  if (!answer.plan) return;
  const JointCase& ofCase = problem.cases[answer.plan->chosenCase];
  std::printf(
      "  %.4f s a step, gap %.3f %%, %s D %ld V %ld N %ld group %s, ends",
      answer.cost.seconds, 100 * answer.gap(),
      problem.families[answer.plan->family].name.c_str(), long(ofCase.workers),
      long(ofCase.chunks), long(ofCase.microBatches), ofCase.shape.c_str());
  for (int64_t end : answer.plan->ends) std::printf(" %ld", long(end));
  if (answer.boundHolder) {
    const CaseBound& holder = answer.cases[*answer.boundHolder];
    const JointCase& other = problem.cases[holder.ofCase];
    std::printf("; bound held by %s D %ld V %ld N %ld group %s",
                problem.families[holder.family].name.c_str(),
                long(other.workers), long(other.chunks),
                long(other.microBatches), other.shape.c_str());
  }
  std::printf("\n");
  std::fflush(stdout);
}

void run(const std::vector<std::string>& families) {
  constexpr GptLevel kNode = {64, 9.6e-6, 8 / 200e9};
  constexpr GptLevel kGpu = {8, 3.4e-6, 1 / 235e9};
  constexpr GptLevel kPod = {8, 20e-6, 16 / 200e9};
  const auto level = [](GptLevel of, int64_t count) {
    of.count = count;
    return of;
  };
  GptSize size;
  if (!families.empty()) size.families = families;
  report("64 x 8", size);
  size.levels = {level(kNode, 512), kGpu};
  report("512 x 8", size);
  size.levels = {kPod, kNode, kGpu};
  report("8 x 64 x 8", size);
  size.levels = {level(kPod, 16), level(kNode, 256), level(kGpu, 16)};
  size.batch = 49152;
  report("16 x 256 x 16", size);

  size = GptSize();
  if (!families.empty()) size.families = families;
  size.memory = 36e9;
  size.layers = 28;
  size.width = 4096;
  size.batch = 64;
  size.levels = {kGpu};
  report("8, 28 layers", size);
  for (int64_t layers : {12, 96, 960}) {
    GptSize deep;
    if (!families.empty()) deep.families = families;
    deep.layers = layers;
    deep.partOfLayer = 96.0 / static_cast<double>(layers);
    deep.levels = {level(kNode, 8), kGpu};
    report(("64 devices, " + std::to_string(layers) + " layers").c_str(), deep);
  }
}

}  // namespace
}  // namespace sbp::search

int main(int argc, char** argv) {
  sbp::search::run({argv + 1, argv + argc});
  return 0;
}
