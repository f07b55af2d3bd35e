// The goal of a search for a plan.

#ifndef PASSES_SEARCH_PROGRAM_SEARCHGOAL_H_
#define PASSES_SEARCH_PROGRAM_SEARCHGOAL_H_

namespace sbp {

enum class SearchGoal {
  Time,    // the fastest plan of those that fit
  Memory,  // a plan with little memory, whatever the limit
};

}  // namespace sbp

#endif  // PASSES_SEARCH_PROGRAM_SEARCHGOAL_H_
