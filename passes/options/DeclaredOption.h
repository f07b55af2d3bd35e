// An option of a pass, as command lines and pipelines read it.
//
// An option is declared once, in the .td of the passes that have it: name,
// text, default, and what values it takes. The command line of sbpc and the
// pipelines of sbp-opt get it from there:
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
  Plan,    // the search for a plan
  Stages,  // stages, micro-batches and their schedule
};

/// An option, with the functions that read its value.
struct DeclaredOption {
  /// The pass that has the option, kept as long as `read` may ask it.
  std::shared_ptr<const void> owner;
  /// Name without dashes: "search-seconds".
  std::string name;
  /// The group of the help of a command line; pipelines have no groups.
  OptionGroup group = OptionGroup::Plan;
  /// Description in one phrase without a full stop.
  std::string text;
  /// Text that stands for the value in help: "BYTES", or the accepted names.
  std::string placeholder;
  /// The value that it has if it is not given; empty if `text` says that.
  std::string byDefault;
  /// Whether it is given without a value, and is true then.
  bool isFlag = false;
  /// Whether a value stands for an option that is not given, as 0 does where a
  /// pipeline is printed; null if none does.
  std::function<bool(const std::string& value)> isNotGiven;
  /// Reads a value into the field that the option stands for. Returns what is
  /// wrong with it, or an empty text.
  std::function<std::string(const std::string& value)> read;
};

}  // namespace sbp

#endif  // PASSES_OPTIONS_DECLAREDOPTION_H_
