// Numbers of bytes as text for people.
//
// 1 KB is 1000 bytes and 1 KiB is 1024 bytes. parse() accepts both. Output has
// only units that are powers of 1000, so that all its numbers can be compared.

#ifndef RUNTIME_BYTES_BYTES_H_
#define RUNTIME_BYTES_BYTES_H_

#include <optional>
#include <string>

namespace sbp::bytes {

/// Returns `bytes` with at most three significant digits and a unit: "19.8 KB",
/// "512 B", "80 GB". The largest unit is TB.
std::string toText(double bytes);

/// Returns the text of toText(), followed by the exact number, which users can
/// copy to an option: "19.8 KB (19840 bytes)". Below 1000 bytes the text is the
/// number alone: "512 bytes".
std::string toExactText(double bytes);

/// Parses a number with an optional unit: B, KB, MB, GB, TB, KiB, MiB, GiB or
/// TiB, in any case, with or without a space before it. Examples: "16934", "1.5
/// GB", "80gib", "-1KB". Returns nullopt if `text` has another form, or if the
/// number of bytes is too large for a 32-bit float.
std::optional<double> parse(const std::string& text);

/// Returns the names of all units that parse() accepts, for messages: "B, KB,
/// MB, ...".
std::string unitNames();

}  // namespace sbp::bytes

#endif  // RUNTIME_BYTES_BYTES_H_
