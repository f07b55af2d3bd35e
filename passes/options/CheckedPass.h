// Passes with checked options.

#ifndef PASSES_OPTIONS_CHECKEDPASS_H_
#define PASSES_OPTIONS_CHECKEDPASS_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace sbp {

/// The pass `Base`, with a single error message for a wrong option. The parser
/// of a checked option prints what is wrong (CheckedOption.h). MLIR then calls
/// the error handler with an empty message, which this class drops.
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
