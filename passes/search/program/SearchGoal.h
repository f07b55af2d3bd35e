// What is searched for.

#ifndef PASSES_SEARCH_PROGRAM_SEARCHGOAL_H_
#define PASSES_SEARCH_PROGRAM_SEARCHGOAL_H_

namespace sbp {

enum class SearchGoal {
  Time,    // the fastest plan of those that fit into memory
  Memory,  // one that takes little memory, however much there is
};

}  // namespace sbp

#endif  // PASSES_SEARCH_PROGRAM_SEARCHGOAL_H_
