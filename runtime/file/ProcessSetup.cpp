#include "runtime/file/ProcessSetup.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <initializer_list>

namespace sbp::file {

void setUpProcess() {
  signal(SIGXFSZ, SIG_IGN);
  for (int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open() returns the lowest free descriptor, which is `number`.
    if (fcntl(number, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) return;
  }
}

}  // namespace sbp::file
