// Parses the options of a pass, or of a pipeline of passes, as sbp-opt gets
// them:
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

/// Parses the options of one pass or pipeline. Options must be declared before
/// parse() is called.
class PassOptionParser : public OptionDeclarer,
                         public mlir::detail::PassOptions {
 public:
  using ErrorHandler = llvm::function_ref<LogicalResult(const llvm::Twine&)>;

  void declare(DeclaredOption option) override;
  void need(const std::string& name, const std::string& other) override;
  void exclude(const std::string& name, const std::string& other) override;

  /// Parses `text` into the fields of the declared options. If there is an
  /// error, calls `handleError` with a message in the words of sbpc's command
  /// line, and returns its result.
  LogicalResult parse(StringRef text, ErrorHandler handleError);

 private:
  /// Takes the text of an option unchanged.
  struct TextParser : llvm::cl::parser<std::string> {
    using parser::parser;
    bool parse(llvm::cl::Option&, StringRef, StringRef text,
               std::string& value);

    /// Whether the option was given without a value: "mesh", not "mesh=".
    bool lacksValue = false;
  };

  /// The declared options of one name.
  struct Entry {
    /// The options of this name. All of them get the value.
    std::vector<DeclaredOption> declared;
    /// Name and description. They are kept here because `text` only refers to
    /// them.
    std::string name, description;
    std::unique_ptr<Option<std::string, TextParser>> text;

    /// Whether the option is given. An empty value may mean that it is not
    /// (DeclaredOption::mayBeEmpty).
    bool isGiven() const;

    /// Reads the value into the fields of `declared`. Returns an error message,
    /// or an empty text if there is no error.
    std::string read() const;
  };

  using NamePair = std::pair<std::string, std::string>;

  /// Whether the option `name` is given.
  bool isGiven(const std::string& name) const;

  /// Reads all options. Returns an empty text if there is no error. Otherwise
  /// returns a message about a wrong value, or about two options that need or
  /// exclude each other.
  std::string readEntries() const;

  /// Returns the names of all options.
  std::string names() const;

  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<NamePair> needs_, exclusions_;
};

}  // namespace sbp

#endif  // PASSES_OPTIONS_PASSOPTIONPARSER_H_
