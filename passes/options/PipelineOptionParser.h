// The options of a pipeline of passes as sbp-opt reads them:
//
//   --sbp-to-placed="mesh=@nodes search-seconds=5"

#ifndef PASSES_OPTIONS_PIPELINEOPTIONPARSER_H_
#define PASSES_OPTIONS_PIPELINEOPTIONPARSER_H_

#include <memory>
#include <string>
#include <vector>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "mlir/Pass/PassOptions.h"
#include "passes/options/DeclaredOption.h"
#include "passes/options/OptionDeclarer.h"

namespace sbp {

/// Parses the options of one pipeline, which are declared first.
class PipelineOptionParser : public OptionDeclarer,
                             public mlir::detail::PassOptions {
 public:
  using ErrorHandler = llvm::function_ref<LogicalResult(const llvm::Twine&)>;

  void declare(DeclaredOption option) override;

  /// Parses `text` into the fields of the declared options. If an option does
  /// not exist, or a value is wrong, returns the result of `handleError` for a
  /// message that says so.
  LogicalResult parse(StringRef text, ErrorHandler handleError);

 private:
  /// Returns the names of all options.
  std::string names() const;

  struct Entry {
    /// The options of this name. Each of them gets the value.
    std::vector<DeclaredOption> declared;
    /// Name and description, to which `text` refers.
    std::string name, description;
    std::unique_ptr<Option<std::string>> text;
  };
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace sbp

#endif  // PASSES_OPTIONS_PIPELINEOPTIONPARSER_H_
