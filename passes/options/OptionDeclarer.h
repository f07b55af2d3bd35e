// The interface through which a command line or a pipeline of passes gets its
// options.

#ifndef PASSES_OPTIONS_OPTIONDECLARER_H_
#define PASSES_OPTIONS_OPTIONDECLARER_H_

#include <memory>
#include <string>
#include <utility>

#include "passes/options/DeclaredOption.h"
#include "passes/options/OptionType.h"

namespace sbp {

/// A command line or a pipeline of passes, which reads the declared options.
class OptionDeclarer {
 public:
  virtual ~OptionDeclarer() = default;

  /// Adds `option`. Options of several passes may have the same name; each gets
  /// the given value.
  virtual void declare(DeclaredOption option) = 0;

  /// Makes it an error to give the option `name` without the option `other`.
  /// Both must be declared already.
  virtual void need(const std::string& name, const std::string& other) = 0;

  /// Makes it an error to give the options `name` and `other` together. Both
  /// must be declared already.
  virtual void exclude(const std::string& name, const std::string& other) = 0;

  /// Declares `option`, a member of `pass`. Its value is read into `field`.
  /// `field` must have the default value now, and outlive this object. The help
  /// lists the option under `group`.
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
