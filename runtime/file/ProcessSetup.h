// Set-up of a process that may have been started without standard input, output
// or error (as a daemon, or by `<&- >&-`), or with a limit on file sizes
// (`ulimit -f`).
//
// Without this set-up, the next file or socket that is opened would get the
// number of a closed descriptor, and messages for users would be written into
// that file. A write beyond the limit would end the process by a signal,
// without a message.

#ifndef RUNTIME_FILE_PROCESSSETUP_H_
#define RUNTIME_FILE_PROCESSSETUP_H_

namespace sbp::file {

/// Opens /dev/null for each of the descriptors 0 to 2 that is closed, and makes
/// writes beyond the file size limit fail (EFBIG). Must be called before
/// anything is opened.
void setUpProcess();

}  // namespace sbp::file

#endif  // RUNTIME_FILE_PROCESSSETUP_H_
