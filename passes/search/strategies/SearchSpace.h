// The set of plans that are searched.

#ifndef PASSES_SEARCH_STRATEGIES_SEARCHSPACE_H_
#define PASSES_SEARCH_STRATEGIES_SEARCHSPACE_H_

namespace sbp {

enum class SearchSpace {
  Full,     // all plans
  AutoDdl,  // the plans of AutoDdlSpace.h
};

}  // namespace sbp

#endif  // PASSES_SEARCH_STRATEGIES_SEARCHSPACE_H_
