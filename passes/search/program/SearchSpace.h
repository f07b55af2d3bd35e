// Which plans are searched.

#ifndef PASSES_SEARCH_PROGRAM_SEARCHSPACE_H_
#define PASSES_SEARCH_PROGRAM_SEARCHSPACE_H_

namespace sbp {

enum class SearchSpace {
  Full,     // all plans
  AutoDdl,  // those of AutoDdlSpace.h
};

}  // namespace sbp

#endif  // PASSES_SEARCH_PROGRAM_SEARCHSPACE_H_
