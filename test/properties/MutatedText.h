// Text with random mistakes, like those of people and of broken tools.

#ifndef TEST_PROPERTIES_MUTATEDTEXT_H_
#define TEST_PROPERTIES_MUTATEDTEXT_H_

#include <string>

#include "llvm/ADT/StringRef.h"
#include "test/properties/Choices.h"

namespace sbp::properties {

/// Returns `text` with a few changes: words and signs that are removed,
/// doubled, swapped, or replaced by others of the text, and other numbers.
std::string mutated(llvm::StringRef text, Choices& choices);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_MUTATEDTEXT_H_
