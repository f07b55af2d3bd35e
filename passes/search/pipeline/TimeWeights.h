// A weighted sum of the times of a unit or stage.

#ifndef PASSES_SEARCH_PIPELINE_TIMEWEIGHTS_H_
#define PASSES_SEARCH_PIPELINE_TIMEWEIGHTS_H_

namespace sbp::search {

/// The weights of a stage's times in a price.
struct TimeWeights {
  double forward = 0, input = 0, weight = 0, once = 0;

  /// Returns the weight of a transfer that occurs in both directions.
  double bothWays() const { return forward + input; }
  template <typename Times>
  double of(const Times& times) const {
    return forward * times.forward + input * times.input +
           weight * times.weight + once * times.once;
  }
  bool operator==(const TimeWeights& other) const {
    return forward == other.forward && input == other.input &&
           weight == other.weight && once == other.once;
  }
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_TIMEWEIGHTS_H_
