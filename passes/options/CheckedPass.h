// Passes with checked options.

#ifndef PASSES_OPTIONS_CHECKEDPASS_H_
#define PASSES_OPTIONS_CHECKEDPASS_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "passes/options/PassOptionParser.h"

namespace sbp {

/// The pass `Pass` with the base class `Base`, which mlir-tblgen writes. A text
/// of options is checked first, with the error messages of sbpc's options, and
/// then read by MLIR. `Pass` declares all of its options:
///
///   static void declare(Options& options, OptionDeclarer& to);
template <typename Pass, typename Base, typename Options>
class CheckedPass : public Base {
 public:
  using Base::Base;

  LogicalResult initializeOptions(
      StringRef text,
      llvm::function_ref<LogicalResult(const llvm::Twine&)> handleError)
      override {
    Options options;
    PassOptionParser parser;
    Pass::declare(options, parser);
    if (failed(parser.parse(text, handleError))) return failure();
    return Base::initializeOptions(text, handleError);
  }
};

}  // namespace sbp

#endif  // PASSES_OPTIONS_CHECKEDPASS_H_
