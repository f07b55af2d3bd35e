#include "dialects/text/People.h"

#include "dialects/text/PrintableStream.h"

namespace sbp {

llvm::raw_ostream& peopleOut() {
  static PrintableStream stream(llvm::outs());
  return stream;
}

llvm::raw_ostream& peopleErr() {
  static PrintableStream stream(llvm::errs());
  return stream;
}

}  // namespace sbp
