// The first act of a process of ours, which may have been started without
// standard input, output or error (a daemon, `<&- >&-`), or with a limit on the
// size of its files (`ulimit -f`).
//
// A descriptor that is closed goes to the next file or socket that is opened,
// and what is meant for people then goes into that. A write beyond the limit
// ends a process by a signal, without a word.

#ifndef RUNTIME_FILE_PROCESSSTART_H_
#define RUNTIME_FILE_PROCESSSTART_H_

namespace sbp::file {

/// Opens /dev/null in place of each of the descriptors 0 to 2 that is closed,
/// and has writes beyond the limit on files fail (EFBIG). Call it before
/// anything is opened.
void startProcess();

}  // namespace sbp::file

#endif  // RUNTIME_FILE_PROCESSSTART_H_
