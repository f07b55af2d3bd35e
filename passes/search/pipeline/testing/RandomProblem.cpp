#include "passes/search/pipeline/testing/RandomProblem.h"

namespace sbp::search {
namespace {

class Draws {
 public:
  explicit Draws(std::mt19937& random) : random_(random) {}

  double real(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }
  int64_t from1(int64_t most) {
    return 1 + static_cast<int64_t>(random_() % most);
  }
  template <typename Element>
  const Element& of(const std::vector<Element>& elements) {
    return elements[random_() % elements.size()];
  }

  UnitOption option(double devices, int64_t numLayouts) {
    UnitOption option;
    // Less memory is paid by time.
    const double memory = real(0.3, 1), speed = devices * real(0.5, 1) * memory;
    option.forward = real(0.5, 1) / speed;
    option.input = real(0.3, 1) / speed;
    option.weight = real(0.3, 1) / speed;
    option.once = real(0, 1);
    option.held = memory * real(0.5, 1);
    option.weights = option.held * real(0, 0.5);
    option.stash = memory * real(0, 0.3);
    option.residue = option.stash * real(0, 0.5);
    option.transient = memory * real(0, 0.5);
    option.layout = from1(numLayouts) - 1;
    return option;
  }

 private:
  std::mt19937& random_;
};

}  // namespace

JointProblem randomProblem(const RandomSize& size, std::mt19937& random) {
  Draws draws(random);
  JointProblem problem;
  const int64_t numUnits = draws.from1(size.mostUnits);
  const int64_t numKinds = draws.from1(size.mostKinds);
  for (int64_t unit = 0; unit < numUnits; ++unit)
    problem.kinds.push_back(draws.from1(numKinds) - 1);
  for (const std::string& family : size.families)
    problem.families.emplace_back().name = family;
  const int64_t numLayouts = draws.from1(size.mostLayouts);
  const bool hasDelays = draws.from1(2) == 1;
  for (int64_t i = draws.from1(size.mostCases); i > 0; --i) {
    JointCase& ofCase = problem.cases.emplace_back();
    ofCase.workers = draws.of(size.workers);
    ofCase.chunks = draws.of(size.chunks);
    ofCase.microBatches = draws.of(size.microBatches);
    // As many devices in all cases.
    const double speed = 8.0 / static_cast<double>(ofCase.workers) *
                         static_cast<double>(ofCase.microBatches);
    for (int64_t kind = 0; kind < numKinds; ++kind) {
      std::vector<UnitOption>& options = ofCase.options.emplace_back();
      for (int64_t j = draws.from1(size.mostOptions); j > 0; --j)
        options.push_back(draws.option(speed, numLayouts));
    }
    for (int64_t from = 0; from < numLayouts; ++from) {
      ofCase.move.emplace_back();
      ofCase.cut.emplace_back();
      for (int64_t to = 0; to < numLayouts; ++to) {
        ofCase.move.back().push_back(from == to ? 0
                                                : draws.real(0, 0.5) / speed);
        ofCase.cut.back().push_back(
            {draws.real(0, 0.5) / speed,
             hasDelays ? draws.real(0, 0.5) / speed : 0});
      }
    }
  }
  problem.memory = draws.real(0.5, 1.2) * static_cast<double>(numUnits);
  return problem;
}

}  // namespace sbp::search
