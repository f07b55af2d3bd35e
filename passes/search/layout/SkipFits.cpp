#include "passes/search/layout/SkipFits.h"

#include <algorithm>
#include <map>

namespace sbp::search {

SkipFits::SkipFits(const PricedChain& priced, const ColourCodes& codes,
                   const FewMoves& ahead, const FewMoves& back,
                   Surroundings around)
    : priced_(&priced),
      around_(around),
      ahead_(priced, codes, ahead),
      back_(priced, codes, back) {}

void SkipFits::between(const Few& starts, const Few& ends, Ticks limit) {
  starts_ = &starts;
  limit_ = limit;
  std::map<Layout, End> byLayout;
  for (const Few::Entry& end : ends.all()) {
    End& to = byLayout[end.plain];
    to.to = end.plain;
    to.coloured.push_back(&end);
  }
  ends_.clear();
  for (auto& [to, end] : byLayout) ends_.push_back(std::move(end));
  joinEnds();
}

bool SkipFits::takeSkip(Ticks limit) {
  if (!isSkipTrue_) {
    passed_.clear();
    numStarts_ = 0;
    skipLimit_ = -kNever;
  }
  limit = std::max(limit, skipLimit_);
  // New starts may lead to known layouts, but not for a lower cost within the
  // limit up to which all starts were known.
  bool isMore = starts_->all().size() > numStarts_;
  Ticks before = isMore ? std::min(skipLimit_, startLimit_) : skipLimit_;
  ColouredReach reach{
      &around_.ofSkip, limit, kMostColoured, {before, passed_.all().size()}};
  for (const Few::Entry& start : starts_->all()) {
    Ticks paid = start.paid + around_.come[start.plain];
    if (paid + around_.ofSkip[start.plain] <= limit)
      passed_.lower(start.code, start.plain, paid, paid);
  }
  if (!ahead_.relax(priced_->skipTariff(), reach, Phase::MakeTerms, passed_))
    return false;
  isSkipTrue_ = true;
  numStarts_ = starts_->all().size();
  startLimit_ = limit_;
  skipLimit_ = limit;
  numPassedBack_ = 0;
  joinEnds();
  return true;
}

void SkipFits::joinEnds() {
  for (End& end : ends_) {
    end.joint = kNever;
    for (const Few::Entry* coloured : end.coloured)
      if (const Few::Entry* passed = passed_.find(coloured->code))
        end.joint = std::min(end.joint, passed->paid + coloured->paid +
                                            priced_->addition()[end.to]);
  }
}

bool SkipFits::takeSkipBack(Ticks limit, End& end) {
  Ticks most = limit - around_.rest[end.to];
  // A start that fits is known, but perhaps not the cheapest one. Costs before
  // the block rise in small steps, so look farther each time.
  Ticks known = startOf(end).second;
  Ticks upTo = known < kNever        ? known + (known - end.joint)
               : end.upTo == -kNever ? end.joint
                                     : most;
  end.upTo = std::min(upTo, most);
  Few passed;
  for (const Few::Entry* coloured : end.coloured) {
    Ticks paid = coloured->paid + priced_->addition()[end.to];
    passed.lower(coloured->code, coloured->plain, paid, paid);
  }
  ColouredReach reach{&around_.toSkip, end.upTo, kMostColoured};
  if (!back_.relax(priced_->skipTariff(), reach, Phase::MakeTerms, passed))
    return false;
  numPassedBack_ += passed.all().size();
  std::map<Layout, Ticks> starts;
  for (const Few::Entry& start : starts_->all())
    if (const Few::Entry* skip = passed.find(start.code)) {
      Ticks paid = start.paid + skip->paid;
      auto [fit, isNew] = starts.try_emplace(start.plain, paid);
      fit->second = std::min(fit->second, paid);
    }
  end.starts.assign(starts.begin(), starts.end());
  return true;
}

std::pair<Layout, Ticks> SkipFits::startOf(const End& end) const {
  std::pair<Layout, Ticks> cheapest{0, kNever};
  for (auto [from, paid] : end.starts) {
    Ticks cost = around_.come[from] + paid;
    if (cost < cheapest.second) cheapest = {from, cost};
  }
  return cheapest;
}

std::optional<SkipFits::Fit> SkipFits::cheapest(Ticks limit) {
  bool isKnown = limit <= skipLimit_ && starts_->all().size() == numStarts_;
  if (!isKnown && !takeSkip(limit)) return std::nullopt;
  while (true) {
    End* next = nullptr;
    Ticks cost = kNever;
    for (End& end : ends_) {
      Ticks least = end.least() + around_.rest[end.to];
      if (least < cost) {
        next = &end;
        cost = least;
      }
    }
    if (!next || cost > limit) return Fit();
    auto [from, paid] = startOf(*next);
    if (paid <= next->upTo && paid <= next->least())
      return Fit{from, next->to, cost};
    // Costs are integers.
    Ticks found = std::min(paid, next->upTo + 1);
    if (found > next->least()) {
      next->found = found;
      continue;
    }
    if (!isSkipTrue_ && numPassedBack_ > passed_.all().size()) {
      if (!takeSkip(limit)) return std::nullopt;
    } else if (!takeSkipBack(limit, *next)) {
      return std::nullopt;
    }
  }
}

}  // namespace sbp::search
