// A machine and groups of its ranks, as text.

#ifndef TEST_PROPERTIES_RANDOMGROUPS_H_
#define TEST_PROPERTIES_RANDOMGROUPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "test/properties/Choices.h"

namespace sbp::properties {

/// @machine, of so many ranks.
std::string machineOf(int64_t numRanks);

/// The mesh `name`, of `ranks` of @machine, with axes of any sizes.
std::string groupOf(const std::string& name, const std::vector<int64_t>& ranks,
                    Choices& choices);

/// For each stage the group on which it runs.
std::string stagesOn(const std::vector<std::string>& groups);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_RANDOMGROUPS_H_
