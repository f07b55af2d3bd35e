// Text with mistakes in it, as people and broken tools make them.

#ifndef TEST_PROPERTIES_MUTATEDTEXT_H_
#define TEST_PROPERTIES_MUTATEDTEXT_H_

#include <string>

#include "llvm/ADT/StringRef.h"
#include "test/properties/Choices.h"

namespace sbp::properties {

/// `text` with a few of its words and signs left out, doubled, exchanged,
/// replaced by others of the text, and with other numbers.
std::string mutated(llvm::StringRef text, Choices& choices);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_MUTATEDTEXT_H_
