#include "codegen/driver/SignaturesReport.h"

#include <algorithm>
#include <utility>

#include "codegen/driver/Quantities.h"
#include "codegen/driver/TextTable.h"
#include "fmt/format.h"
#include "llvm/Support/Path.h"
#include "runtime/bytes/Bytes.h"

namespace sbp {
namespace {

using Json = nlohmann::ordered_json;

/// Number of tensors that are named per kind of op.
constexpr size_t kTensors = 3;

/// Returns what a list is about: "nn.gelu (8x4xf32) -> 8x4xf32 of %a,
/// m.mlir:4". Names the mesh if `withMesh`.
std::string headText(const OpSignatures& op, bool withMesh) {
  std::string text =
      op.number == 1 ? op.name : fmt::format("{} x {}", op.number, op.name);
  text += " " + op.types;
  const size_t shown = std::min(op.tensors.size(), kTensors);
  if (shown > 0)
    text += fmt::format(" of {}", fmt::join(op.tensors.begin(),
                                            op.tensors.begin() + shown, ", "));
  if (op.tensors.size() > shown)
    text += fmt::format(" and {} more", op.tensors.size() - shown);
  if (withMesh) text += " on @" + op.mesh;
  if (!op.place.empty())
    text += ", " + llvm::sys::path::filename(op.place).str();
  return text;
}

std::string chosenText(const OpSignatures& op,
                       const PricedSignature& signature) {
  if (signature.chosen == 0) return "";
  if (signature.chosen == op.number) return "chosen";
  return fmt::format("chosen for {} of {}", signature.chosen, op.number);
}

/// Returns the part of the time that the op itself communicates, if any.
std::string communicatingText(const PricedSignature& signature) {
  const double seconds = signature.price.communicating;
  return seconds == 0 ? "" : secondsText(seconds) + " of it communicating";
}

std::string listText(const OpSignatures& op, bool withMesh) {
  const bool communicates =
      std::any_of(op.signatures.begin(), op.signatures.end(),
                  [](const PricedSignature& signature) {
                    return signature.price.communicating > 0;
                  });
  TextTable table(communicates ? "><><<" : ">><<");
  for (const PricedSignature& signature : op.signatures) {
    std::vector<std::string> cells = {
        secondsText(signature.seconds()), bytes::toText(signature.price.bytes),
        signature.text, chosenText(op, signature)};
    if (communicates)
      cells.insert(cells.begin() + 1, communicatingText(signature));
    table.add(std::move(cells));
  }
  return fmt::format(
      "\n  {}{}\n{}", headText(op, withMesh),
      op.isWhole ? "" : ": the chosen one, and those that differ on one axis",
      table.text(4));
}

}  // namespace

std::string textOf(const std::vector<OpSignatures>& ops) {
  if (ops.empty()) return "";
  std::string text =
      "\nSignatures of ops, each with the time of one execution and the bytes "
      "of operands\nand results, without movements before and after it. "
      "sbp.signature pins one:\n";
  const bool withMesh = std::any_of(
      ops.begin(), ops.end(),
      [&](const OpSignatures& op) { return op.mesh != ops.front().mesh; });
  for (const OpSignatures& op : ops) text += listText(op, withMesh);
  return text;
}

Json jsonOf(const std::vector<OpSignatures>& ops) {
  Json json = Json::array();
  for (const OpSignatures& op : ops) {
    Json signatures = Json::array();
    for (const PricedSignature& signature : op.signatures)
      signatures.push_back({{"signature", signature.text},
                            {"computing", signature.price.computing},
                            {"communicating", signature.price.communicating},
                            {"bytes", signature.price.bytes},
                            {"chosen", signature.chosen}});
    json.push_back({{"op", op.name},
                    {"types", op.types},
                    {"mesh", op.mesh},
                    {"number", op.number},
                    {"tensors", op.tensors},
                    {"whole", op.isWhole},
                    {"signatures", std::move(signatures)}});
    if (!op.place.empty()) json.back()["place"] = op.place;
  }
  return json;
}

}  // namespace sbp
