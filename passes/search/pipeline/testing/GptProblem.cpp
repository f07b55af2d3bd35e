#include "passes/search/pipeline/testing/GptProblem.h"

#include <algorithm>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sbp::search {
namespace {

constexpr double kBytesPerNumber = 2;  // bf16

/// A group of devices: what a pipeline leaves of each level.
struct Group {
  const GptSize& size;
  std::vector<int64_t> counts;  // by level, outermost first
  int64_t texts;                // per micro-batch

  int64_t numDevices() const {
    int64_t devices = 1;
    for (int64_t count : counts) devices *= count;
    return devices;
  }

  /// Returns the seconds in which a ring moves `bytes` past each of its
  /// devices. The ring has `degree` devices that are `stride` devices apart.
  double ring(int64_t degree, int64_t stride, double bytes) const {
    if (degree <= 1) return 0;
    // The outermost level that the ring crosses is the slowest.
    int64_t devices = 1;
    size_t level = counts.size();
    while (devices < degree * stride && level > 0) devices *= counts[--level];
    const GptLevel& slowest = size.levels[level];
    const auto steps = static_cast<double>(degree - 1);
    return steps * slowest.alpha +
           steps / static_cast<double>(degree) * bytes * slowest.beta;
  }
};

/// The extents of a unit. `width` numbers per token enter and leave it.
struct UnitSize {
  double parameters = 0, flopsPerToken = 0;  // forward
  double saved = 0;  // numbers saved per token, apart from those of `width`
  double numReductions = 0;  // over tensor parallel devices, forward
  double kept = 1;  // part of a tensor of `width` that is saved in any case
};

UnitOption optionOf(const Group& group, const UnitSize& unit, int64_t degree,
                    bool isSharded, bool isRecomputed) {
  const GptSize& size = group.size;
  const auto devices = static_cast<double>(group.numDevices());
  const auto tensor = static_cast<double>(degree);
  const double data = devices / tensor;
  const double tokens = static_cast<double>(group.texts * size.sequence);
  const double width = static_cast<double>(size.width);
  const double activations = tokens / data * width * kBytesPerNumber;
  const double weights = unit.parameters / tensor * kBytesPerNumber;
  const auto dataDegree = static_cast<int64_t>(data);

  UnitOption option;
  const double compute = unit.flopsPerToken * tokens / devices / size.rate;
  const double reduce =
      2 * unit.numReductions * group.ring(degree, 1, activations);
  option.forward = compute + reduce;
  option.input = compute + reduce + (isRecomputed ? compute + reduce : 0);
  option.weight = compute;
  const double gather = group.ring(dataDegree, degree, weights);
  if (isSharded) {
    option.forward += gather;
    option.input += 2 * gather;  // gathers weights, scatters gradients
  } else {
    option.once = 2 * gather;
  }
  // Adam in f32 reads and writes its state.
  option.once += unit.parameters / devices * 16 / 1.5e12;
  const double state = unit.parameters / tensor * 12 / data;
  option.held = state + 2 * weights / (isSharded ? data : 1);
  option.weights = weights / (isSharded ? data : 1);
  const double saved = unit.kept * activations +
                       tokens / data * unit.saved / tensor * kBytesPerNumber;
  option.stash = isRecomputed ? unit.kept * activations : saved;
  option.residue = unit.kept * activations;
  option.transient =
      2 * activations + (isRecomputed ? saved : 0) + (isSharded ? weights : 0);
  for (int64_t power = 1; power < degree; power *= 2) ++option.layout;
  return option;
}

/// Returns the options of a unit: at least one text per data parallel device.
std::vector<UnitOption> optionsOf(const Group& group, const UnitSize& unit) {
  std::vector<UnitOption> options;
  for (int64_t degree = 1; degree <= std::min<int64_t>(64, group.numDevices());
       degree *= 2) {
    if (group.numDevices() % degree) break;
    if (group.texts % (group.numDevices() / degree)) continue;
    for (bool isSharded : {false, true})
      for (bool isRecomputed : {false, true})
        options.push_back(
            optionOf(group, unit, degree, isSharded, isRecomputed));
  }
  return options;
}

/// Adds the case in which the pipeline has `depths[level]` of each level.
void addCase(const GptSize& size, const std::vector<int64_t>& depths,
             int64_t microBatches, int64_t chunks, JointProblem& problem) {
  Group group = {size, {}, size.batch / microBatches};
  JointCase ofCase;
  double slowest = 0, alpha = 0;
  for (size_t level = size.levels.size(); level-- > 0;) {
    ofCase.workers *= depths[level];
    group.counts.insert(group.counts.begin(),
                        size.levels[level].count / depths[level]);
    if (depths[level] == 1) continue;
    slowest = size.levels[level].beta;
    alpha = size.levels[level].alpha;
  }
  ofCase.shape = fmt::format("{}", fmt::join(group.counts, "x"));
  ofCase.chunks = chunks;
  ofCase.microBatches = microBatches;

  const auto width = static_cast<double>(size.width);
  const auto sequence = static_cast<double>(size.sequence);
  const auto vocabulary = static_cast<double>(size.vocabulary);
  const UnitSize embedding = {vocabulary * width, 0, 0, 1};
  const double part = size.partOfLayer;
  const UnitSize layer = {part * 12 * width * width,
                          part * (24 * width * width + 4 * sequence * width),
                          part * 16 * width, part * 2, part};
  const UnitSize head = {vocabulary * width, 2 * vocabulary * width, vocabulary,
                         1};
  for (const UnitSize& unit : {embedding, layer, head}) {
    ofCase.options.push_back(optionsOf(group, unit));
    if (ofCase.options.back().empty()) return;
  }
  const double bytes = static_cast<double>(group.texts) * sequence * width *
                       kBytesPerNumber /
                       static_cast<double>(group.numDevices());
  for (int64_t from = 0; from < 7; ++from) {
    ofCase.move.emplace_back();
    ofCase.cut.emplace_back();
    for (int64_t to = 0; to < 7; ++to) {
      // Each device gets what it lacks of the other layout.
      const auto larger = static_cast<double>(int64_t(1) << std::max(from, to));
      const double move =
          from == to
              ? 0
              : group.ring(int64_t(1) << std::max(from, to), 1, bytes * larger);
      ofCase.move.back().push_back(move);
      ofCase.cut.back().push_back({move, alpha + bytes * slowest});
    }
  }
  problem.cases.push_back(std::move(ofCase));
}

void addCases(const GptSize& size, std::vector<int64_t> depths,
              JointProblem& problem) {
  if (depths.size() < size.levels.size()) {
    const int64_t count = size.levels[depths.size()].count;
    for (int64_t depth = 1; depth <= count; depth *= 2) {
      if (count % depth) break;
      depths.push_back(depth);
      addCases(size, depths, problem);
      depths.pop_back();
    }
    return;
  }
  int64_t workers = 1;
  for (int64_t depth : depths) workers *= depth;
  if (workers > problem.numUnits()) return;
  for (int64_t n = 1; n <= size.batch; n *= 2) {
    if (size.batch % n) break;
    bool hasOneStage = false, hasTwoStages = false;
    for (const std::string& family : size.families)
      (family == "zb-v" || family == "dualpipe-v" || family == "interleaved"
           ? hasTwoStages
           : hasOneStage) = true;
    if (hasOneStage) addCase(size, depths, n, 1, problem);
    if (hasTwoStages && workers > 1) addCase(size, depths, n, 2, problem);
  }
}

}  // namespace

JointProblem gptProblem(const GptSize& size) {
  JointProblem problem;
  problem.memory = size.memory;
  problem.kinds.assign(size.layers + 2, 1);
  problem.kinds.front() = 0;
  problem.kinds.back() = 2;
  for (const std::string& family : size.families)
    problem.families.emplace_back().name = family;
  addCases(size, {}, problem);
  return problem;
}

}  // namespace sbp::search
