// The description of a pass's option for command lines and pipelines.
//
// An option is declared once, in the .td file of its pass: its name, text,
// default and type. The command line of sbpc and the pipelines of sbp-opt
// derive from that declaration:
//
//   Options.td                    search-seconds, "Seconds after which ...", 60
//     ▼ mlir-tblgen
//   an option of the pass sbp-place, a field of PlaceOptions
//     ▼ declareOptions(PlaceOptions&, OptionDeclarer&)
//   sbpc --search-seconds 5       sbp-opt --sbp-to-placed=search-seconds=5

#ifndef PASSES_OPTIONS_DECLAREDOPTION_H_
#define PASSES_OPTIONS_DECLAREDOPTION_H_

#include <functional>
#include <memory>
#include <string>

namespace sbp {

/// The heading of the command line's help under which an option is listed.
enum class OptionGroup {
  Plan,      // the search for a plan
  Stages,    // stages, micro-batches and their schedule
  Internal,  // set by the compiler, and by pipelines: no option of commands
};

/// An option, with the functions that read its value.
struct DeclaredOption {
  /// The pass that has the option. The pass must stay alive because `read` may
  /// use it.
  std::shared_ptr<const void> owner;
  /// Name without dashes: "search-seconds".
  std::string name;
  /// Heading in the help of a command line. Pipelines have no headings.
  OptionGroup group = OptionGroup::Plan;
  /// Description in one phrase without a full stop.
  std::string text;
  /// Text that stands for the value in help: "BYTES", or the accepted names.
  std::string placeholder;
  /// Value of the option if it is not given. Empty for a flag, which is then
  /// false, and for an option whose `text` states the default.
  std::string byDefault;
  /// Whether the option may be given without a value, which then is "true".
  bool isFlag = false;
  /// Whether an empty value means that the option is not given. True for an
  /// option without a default, because MLIR prints one that is not given as
  /// "groups=".
  bool mayBeEmpty = false;
  /// Reads `value` into the field of the option. Returns an error message, or
  /// an empty text if there is no error.
  std::function<std::string(const std::string& value)> read;
};

}  // namespace sbp

#endif  // PASSES_OPTIONS_DECLAREDOPTION_H_
