// Takes the declarations of options: a command line, or a pipeline of passes.

#ifndef PASSES_OPTIONS_OPTIONDECLARER_H_
#define PASSES_OPTIONS_OPTIONDECLARER_H_

#include <memory>
#include <utility>

#include "passes/options/DeclaredOption.h"
#include "passes/options/OptionType.h"

namespace sbp {

/// The receiver of declared options.
class OptionDeclarer {
 public:
  virtual ~OptionDeclarer() = default;

  /// Takes `option`. Where several passes have an option of one name, each gets
  /// the value that is given.
  virtual void declare(DeclaredOption option) = 0;

  /// Declares `option`, a member of `pass`, for `field`, the member of the same
  /// name of the pass's options, which has its default. The help lists it in
  /// `group`.
  template <typename Pass, typename Option, typename Field>
  void add(const std::shared_ptr<Pass>& pass, Option& option, Field& field,
           OptionGroup group = OptionGroup::Plan) {
    DeclaredOption declared;
    declared.group = group;
    declared.owner = pass;
    declared.name = option.ArgStr.str();
    declared.text = option.HelpStr.str();
    OptionType<Field>::describe(option, field, declared);
    declare(std::move(declared));
  }
};

}  // namespace sbp

#endif  // PASSES_OPTIONS_OPTIONDECLARER_H_
