// The options of a pass, or of a pipeline of passes, as sbp-opt reads them:
//
//   --sbp-to-placed="mesh=nodes search-seconds=5"

#ifndef PASSES_OPTIONS_PASSOPTIONPARSER_H_
#define PASSES_OPTIONS_PASSOPTIONPARSER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "mlir/Pass/PassOptions.h"
#include "passes/options/DeclaredOption.h"
#include "passes/options/OptionDeclarer.h"

namespace sbp {

/// Parses the options of one pass or pipeline, which are declared first.
class PassOptionParser : public OptionDeclarer,
                         public mlir::detail::PassOptions {
 public:
  using ErrorHandler = llvm::function_ref<LogicalResult(const llvm::Twine&)>;

  void declare(DeclaredOption option) override;
  void need(const std::string& name, const std::string& other) override;
  void exclude(const std::string& name, const std::string& other) override;

  /// Parses `text` into the fields of the declared options. If the text is
  /// wrong, returns the result of `handleError` for a message that says why, in
  /// the words of sbpc's command line.
  LogicalResult parse(StringRef text, ErrorHandler handleError);

 private:
  /// Reads the text of an option as it is.
  struct TextParser : llvm::cl::parser<std::string> {
    using parser::parser;
    bool parse(llvm::cl::Option&, StringRef, StringRef text,
               std::string& value);

    /// Whether the option was given without a value: "mesh", not "mesh=".
    bool lacksValue = false;
  };

  /// The declared options of one name.
  struct Entry {
    /// The options. Each of them gets the value.
    std::vector<DeclaredOption> declared;
    /// Name and description, to which `text` refers.
    std::string name, description;
    std::unique_ptr<Option<std::string, TextParser>> text;

    /// Whether the text has the option with a value other than that of an
    /// option that is not given.
    bool isGiven() const;

    /// Reads the value into the fields of the options. Returns an error
    /// message, or an empty text if there is no error.
    std::string read() const;
  };

  using NamePair = std::pair<std::string, std::string>;

  /// Whether the option `name` is given.
  bool isGiven(const std::string& name) const;

  /// Returns an error message about an option or about two that do not fit, or
  /// an empty text if there is no error.
  std::string readEntries() const;

  /// Returns the names of all options.
  std::string names() const;

  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<NamePair> needs_, exclusions_;
};

}  // namespace sbp

#endif  // PASSES_OPTIONS_PASSOPTIONPARSER_H_
