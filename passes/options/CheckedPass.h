// Passes with checked options.

#ifndef PASSES_OPTIONS_CHECKEDPASS_H_
#define PASSES_OPTIONS_CHECKEDPASS_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace sbp {

/// The pass `Base`, which says once what is wrong with an option: the parser of
/// the option does, and MLIR would follow it by an error without words.
template <typename Base>
class CheckedPass : public Base {
 public:
  using Base::Base;

  LogicalResult initializeOptions(
      StringRef options,
      llvm::function_ref<LogicalResult(const llvm::Twine&)> errorHandler)
      override {
    return Base::initializeOptions(options, [&](const llvm::Twine& message) {
      return message.str().empty() ? LogicalResult(failure())
                                   : errorHandler(message);
    });
  }
};

}  // namespace sbp

#endif  // PASSES_OPTIONS_CHECKEDPASS_H_
