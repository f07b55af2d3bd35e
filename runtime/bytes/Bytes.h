// Numbers of bytes, as people write and read them.
//
// 1 KB is 1000 bytes, as memory is sold and links are measured, and 1 KiB is
// 1024. Both are read; only the first kind is written, so that numbers can be
// compared at a glance.

#ifndef RUNTIME_BYTES_BYTES_H_
#define RUNTIME_BYTES_BYTES_H_

#include <optional>
#include <string>

namespace sbp::bytes {

/// Three digits and a unit: "19.8 KB", "512 B".
std::string toText(double bytes);

/// The same with the number itself, which can be given back to an option:
/// "19.8 KB (19840 bytes)"; "512 bytes" where that says it all.
std::string toExactText(double bytes);

/// Reads a number with or without a unit, of B, KB, MB, GB and TB, KiB, MiB,
/// GiB and TiB, in capital letters or not, with or without a space before it:
/// "16934", "1.5 GB", "80gib". Nothing if `text` is no such thing, or if so
/// many bytes are not finite as a float.
std::optional<double> parse(const std::string& text);

/// The units that are read, for messages: "B, KB, MB, ...".
std::string unitNames();

}  // namespace sbp::bytes

#endif  // RUNTIME_BYTES_BYTES_H_
