// The command line of sbp-lab.

#ifndef PASSES_SEARCH_LAB_LABMAIN_H_
#define PASSES_SEARCH_LAB_LABMAIN_H_

namespace sbp::search::lab {

/// Runs sbp-lab; returns its exit status.
int labMain(int argc, char** argv);

}  // namespace sbp::search::lab

#endif  // PASSES_SEARCH_LAB_LABMAIN_H_
