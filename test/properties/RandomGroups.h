// A machine and groups of its ranks, as text.

#ifndef TEST_PROPERTIES_RANDOMGROUPS_H_
#define TEST_PROPERTIES_RANDOMGROUPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "test/properties/Choices.h"

namespace sbp::properties {

/// Returns the text of @machine, a machine of `numRanks` ranks.
std::string machineOf(int64_t numRanks);

/// Returns the text of @machine, a machine of `numHosts` hosts of
/// `ranksPerHost` ranks each.
std::string machineOf(int64_t numHosts, int64_t ranksPerHost);

/// Returns the text of the mesh `name`, such as "@front", of `ranks` of
/// @machine, with axes of random sizes.
std::string groupOf(const std::string& name, const std::vector<int64_t>& ranks,
                    Choices& choices);

/// Returns the text of an sbp.stages, with the group of each stage.
std::string stagesOn(const std::vector<std::string>& groups);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_RANDOMGROUPS_H_
