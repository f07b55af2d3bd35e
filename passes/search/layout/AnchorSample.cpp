#include "passes/search/layout/AnchorSample.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace sbp::search {
namespace {

/// Number of sampled layouts, which are evenly spread.
constexpr size_t kSampled = 16;

/// Sampled layouts of one end of a block, with the costs of the branch and of
/// the skip from all layouts of the other end.
class Sample {
 public:
  /// `outside` has the cost beyond the other end per layout; never for layouts
  /// with rows. `anchors` is read by each next(), since it may grow.
  Sample(Values outside, const Rows::Distances& anchors)
      : outside_(std::move(outside)), anchors_(&anchors) {}

  /// Adds `layout`; the value that is carried there is at most `known`.
  void add(Layout layout, Ticks known, Values branch, const Values& skip) {
    for (size_t x = 0; x < branch.size(); ++x) {
      branch[x] += outside_[x];
      known = std::min(known, branch[x] + skip[x]);
    }
    layouts_.push_back({layout, known, std::move(branch)});
  }

  /// Finds the sampled layout whose bound is too low by the most. Returns the
  /// layout from which this bound comes; nullopt if no bound is too low.
  /// Considers all anchors at once, whereas values are carried with one anchor
  /// at a time and may be lower. So each anchor that is found is new.
  std::optional<Layout> next() const {
    std::optional<Layout> anchor;
    Ticks mostMissing = 0;
    for (const Sampled& to : layouts_) {
      Ticks least = to.known;
      Layout from = 0;
      for (size_t x = 0; x < to.beforeSkip.size(); ++x) {
        // If the cost without the skip is not too low, neither is it with the
        // skip.
        if (to.beforeSkip[x] >= least) continue;
        Ticks seeming = to.beforeSkip[x] + leastSkip(x, to.layout);
        if (seeming >= least) continue;
        least = seeming;
        from = static_cast<Layout>(x);
      }
      // A layout that cannot be reached has no bound that is too low.
      if (!(to.known - least > mostMissing)) continue;
      mostMissing = to.known - least;
      anchor = from;
    }
    return anchor;
  }

 private:
  struct Sampled {
    Layout layout;
    Ticks known;        // the value carried there
    Values beforeSkip;  // cost from each layout, without the skip
  };
  Ticks leastSkip(size_t from, Layout to) const {
    Ticks least = 0;
    for (const auto& distances : *anchors_)
      least = std::max(least, (*distances)[to] - (*distances)[from]);
    return least;
  }

  Values outside_;
  const Rows::Distances* anchors_;
  std::vector<Sampled> layouts_;
};

/// Adds up to `most` anchors that the sample finds, one by one.
void addEach(const Sample& sample, size_t most,
             const std::function<void(Layout)>& add) {
  for (size_t i = 0; i < most; ++i) {
    std::optional<Layout> anchor = sample.next();
    if (!anchor) return;
    add(*anchor);
  }
}

/// Calls `look` for layouts for which `matters` is true, evenly spread.
void forSampled(size_t numLayouts, const std::function<bool(Layout)>& matters,
                const std::function<void(Layout)>& look) {
  auto end = static_cast<Layout>(numLayouts);
  Layout next = 0;
  for (size_t i = 0; i < kSampled; ++i) {
    next = std::max(
        next, static_cast<Layout>(numLayouts * (2 * i + 1) / (2 * kSampled)));
    while (next < end && !matters(next)) ++next;
    if (next < end) look(next++);
  }
}

}  // namespace

void addAnchorsAhead(const PricedChain& priced, int64_t block,
                     const Values& come, size_t most, Rows& rows) {
  const Walk& walk = priced.block(block);
  if (!walk.block().hasSkip) return;
  Values outside = come;
  for (const auto& [from, unused] : rows.ofBlock(block)) outside[from] = kNever;
  Sample sample(std::move(outside), rows.fromAnchors(block));
  const Values& addition = priced.addition();
  forSampled(
      come.size(), [&](Layout to) { return addition[to] < kNever; },
      [&](Layout to) {
        Ticks known = kNever;
        for (const auto& [from, row] : rows.ofBlock(block))
          known = std::min(known, come[from] + row[to] - addition[to]);
        sample.add(to, known, walk.retreat(onlyAt(to, come.size())),
                   priced.skipTo(to));
      });
  addEach(sample, most, [&](Layout from) { rows.addAnchorFrom(block, from); });
}

void addAnchorsBack(const PricedChain& priced, int64_t block,
                    const Values& rest, size_t most, Rows& rows) {
  const Walk& walk = priced.block(block);
  if (!walk.block().hasSkip) return;
  const Values& addition = priced.addition();
  Values outside = rest;
  for (size_t y = 0; y < outside.size(); ++y) outside[y] += addition[y];
  Sample sample(std::move(outside), rows.toAnchors(block));
  forSampled(
      rest.size(),
      [&](Layout from) {
        return addition[from] < kNever && rows.ofBlock(block).count(from) == 0;
      },
      [&](Layout from) {
        sample.add(from, kNever, walk.advance(onlyAt(from, rest.size())),
                   priced.skipFrom(from));
      });
  addEach(sample, most, [&](Layout to) { rows.addAnchorTo(block, to); });
}

}  // namespace sbp::search
