#include "passes/schedule/families/Family.h"

#include <algorithm>

#include "fmt/ranges.h"
#include "passes/schedule/families/Generators.h"
#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

std::vector<Family> allFamilies() {
  std::vector<Family> all;
  auto add = [&](std::string_view name, std::string_view summary,
                 std::string_view conditions,
                 absl::StatusOr<Table> (*make)(const Shape&)) -> Family& {
    Family& family = all.emplace_back();
    family.name = name;
    family.summary = summary;
    family.conditions = conditions;
    family.make = make;
    return family;
  };
  add("gpipe", "all forwards, then all backwards", "", makeGPipe);
  add("1f1b", "one forward, one backward (DAPPLE)", "",
      makeOneForwardOneBackward);
  add("eager-1f1b", "1f1b with twice as many forwards first, to hide latency",
      "", makeEagerOneForwardOneBackward);
  add("list", "list scheduling, backwards first; stages may be on any workers",
      "", makeList);
  add("interleaved", "1f1b with several chunks of the model per worker",
      "N a multiple of D, V >= 2", makeInterleaved)
      .hasChunks = true;
  add("zb-h1", "backwards in halves, with the memory of 1f1b", "",
      makeZeroBubbleH1);
  add("zb-h2", "backwards in halves, without bubbles inside", "N >= 2D-1",
      makeZeroBubbleH2);
  add("zb-v", "backwards in halves, the ends of the pipe on one worker",
      "N >= 2D-1", makeZeroBubbleV);
  add("dualpipe", "two opposite pipes, backwards partly in halves",
      "D and N even, N >= 2D", makeDualPipe);
  add("dualpipe-v", "dualpipe folded: one copy of the weights", "N >= 2D",
      makeDualPipeV);
  add("gems", "two opposite pipes that alternate, for the least memory", "",
      makeGems);
  Family& chimera =
      add("chimera", "pairs of opposite pipes that fill each other's bubbles",
          "D even, f divides D/2, N even for doubling", makeChimera);
  chimera.hasPairs = true;
  chimera.variants = {"direct", "doubling", "halving"};
  add("pipedream", "1f1b without a flush, an update per micro-batch", "",
      makePipeDream);
  add("pipedream-2bw", "1f1b without a flush, weights one update old", "N >= D",
      makePipeDream2bw);
  return all;
}

absl::Status checkOptions(const Family& family, const Shape& shape) {
  if (shape.depth < 1 || shape.microBatches < 1)
    return error(
        "{} stages and {} micro-batches are given; 1 or more of each "
        "are needed",
        shape.depth, shape.microBatches);
  if (shape.chunks && !family.hasChunks)
    return error("{} has no chunks; {} are given", family.name, *shape.chunks);
  if (shape.pairs && !family.hasPairs)
    return error("{} has no pairs of pipes; {} are given", family.name,
                 *shape.pairs);
  if (shape.variant && family.variants.empty())
    return error("{} has no variants; '{}' is given", family.name,
                 *shape.variant);
  if (shape.variant && std::find(family.variants.begin(), family.variants.end(),
                                 *shape.variant) == family.variants.end())
    return error("{} has no variant '{}'; there are {}", family.name,
                 *shape.variant, fmt::join(family.variants, ", "));
  // Families may have two stages per worker, or halves of micro-batches.
  const int64_t ofStage = 2 * std::max<int64_t>(1, shape.chunks.value_or(1));
  const auto stages =
      std::max<int64_t>(shape.depth, shape.workerOfStage.size());
  if (shape.microBatches > kMaxStageParts / ofStage / stages)
    return error(
        "{} stages and {} micro-batches are too many; their product "
        "may be {}",
        stages, shape.microBatches, kMaxStageParts / ofStage);
  return absl::OkStatus();
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family>* const all =
      new std::vector<Family>(allFamilies());
  return *all;
}

absl::StatusOr<const Family*> familyNamed(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Family& family : families()) {
    if (family.name == name) return &family;
    names.push_back(family.name);
  }
  return error("there is no family '{}'; there are {}", name,
               fmt::join(names, ", "));
}

absl::StatusOr<Table> tableOf(std::string_view name, const Shape& shape) {
  SBP_ASSIGN_OR_RETURN(const Family* family, familyNamed(name));
  SBP_RETURN_IF_ERROR(checkOptions(*family, shape));
  return family->make(shape);
}

}  // namespace sbp::schedule
