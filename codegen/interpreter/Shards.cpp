#include "codegen/interpreter/Shards.h"

#include <limits>
#include <utility>

#include "codegen/interpreter/Monoid.h"

namespace sbp::interpreter {
namespace {

/// Returns a random number that is not negative, for a member and an element.
using Draw = llvm::function_ref<int64_t(int64_t member, int64_t element)>;

/// Returns the terms of a sum: small integers, and the remainder as the last
/// term.
template <typename Element>
std::vector<std::vector<Element>> termsOfSum(ArrayRef<Element> values,
                                             int64_t numMembers, Draw draw) {
  std::vector<std::vector<Element>> terms(numMembers);
  for (auto [index, value] : llvm::enumerate(values)) {
    Element missing = value;
    for (int64_t member = 0; member + 1 < numMembers; ++member) {
      auto term = static_cast<Element>(draw(member, index) % 9 - 4);
      terms[member].push_back(term);
      missing = combine(Reduction::Sum, missing, -term);
    }
    terms.back().push_back(missing);
  }
  return terms;
}

/// Returns an element that does not change `value` in a maximum or minimum:
/// `value` itself, a smaller or larger one, or the neutral element.
template <typename Element>
Element absorbed(Element value, Reduction reduction, Type elementType,
                 int64_t draw) {
  auto neutral = neutralElement<Element>(reduction, elementType);
  int64_t away = draw % 4;
  if (away == 3 || elementType.isInteger(1)) return neutral;
  auto step = static_cast<Element>(reduction == Reduction::Max ? -away : away);
  Element term = combine(Reduction::Sum, value, step);
  // Integers may have wrapped around, or left the range of their type.
  bool isBeyond = combine(reduction, term, value) == value;
  bool isInRange = combine(reduction, term, neutral) == term;
  return isBeyond && isInRange ? term : neutral;
}

/// Returns the terms of a maximum or minimum: one member has the value.
template <typename Element>
std::vector<std::vector<Element>> termsOfExtreme(ArrayRef<Element> values,
                                                 Reduction reduction,
                                                 Type elementType,
                                                 int64_t numMembers,
                                                 Draw draw) {
  std::vector<std::vector<Element>> terms(numMembers);
  for (auto [index, value] : llvm::enumerate(values)) {
    int64_t owner = draw(/*member=*/0, index) / 4 % numMembers;
    for (int64_t member = 0; member < numMembers; ++member)
      terms[member].push_back(
          member == owner
              ? value
              : absorbed(value, reduction, elementType, draw(member, index)));
  }
  return terms;
}

/// Returns random terms of `whole`, one per member.
std::vector<Tensor> termsOf(const Tensor& whole, Reduction reduction,
                            int64_t numMembers, Draw draw) {
  std::vector<Tensor> tensors;
  auto build = [&](auto zero) {
    using Element = decltype(zero);
    ArrayRef<Element> values = whole.elements<Element>();
    auto terms = reduction == Reduction::Sum
                     ? termsOfSum(values, numMembers, draw)
                     : termsOfExtreme(values, reduction, whole.elementType(),
                                      numMembers, draw);
    for (std::vector<Element>& term : terms)
      tensors.push_back(Tensor(whole.type(), std::move(term)));
  };
  if (whole.isFloat())
    build(double{});
  else
    build(int64_t{});
  return tensors;
}

/// Appends the local tensors of `part`, which has been cut along the axes
/// before `axis`.
void cutFrom(size_t axis, const Tensor& part, ArrayRef<Component> placement,
             const Mesh& mesh, const CountedRandom& random,
             std::vector<Tensor>& locals) {
  if (axis == placement.size()) {
    locals.push_back(part);
    return;
  }
  const Component& component = placement[axis];
  int64_t size = mesh.axes[axis].size;
  std::vector<Tensor> pieces(size, part);
  if (component.isSplit()) {
    int64_t dim = component.dim();
    for (int64_t member = 0; member < size; ++member)
      pieces[member] = part.part(dim, partOf(part.shape()[dim], size, member));
  }
  if (component.isPartial()) {
    // The draws do not depend on coordinates along other axes, so copies along
    // those are equal.
    auto draw = [&](int64_t member, int64_t element) -> int64_t {
      uint64_t stream = static_cast<uint64_t>(axis) * size + member;
      return random.bits((stream << 32) + element) >> 1;
    };
    pieces = termsOf(part, component.reduction(), size, draw);
  }
  for (const Tensor& piece : pieces)
    cutFrom(axis + 1, piece, placement, mesh, random, locals);
}

/// Describes the first element in which two tensors of one type differ.
void describeDifference(const Tensor& a, const Tensor& b,
                        mlir::InFlightDiagnostic& diagnostic) {
  for (int64_t index = 0; index < a.numElements(); ++index) {
    if (a.asDouble(index) == b.asDouble(index)) continue;
    diagnostic << ", first at element " << index << ": " << a.asDouble(index)
               << " and " << b.asDouble(index);
    return;
  }
}

}  // namespace

std::vector<Tensor> cut(const Tensor& whole, ArrayRef<Component> placement,
                        const Mesh& mesh, const CountedRandom& random) {
  std::vector<Tensor> locals;
  cutFrom(0, whole, placement, mesh, random, locals);
  return locals;
}

FailureOr<Tensor> assembled(
    ArrayRef<Tensor> locals, RankedTensorType type,
    ArrayRef<Component> placement, const Mesh& mesh,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) {
  for (auto [position, local] : llvm::enumerate(locals)) {
    auto expected =
        RankedTensorType::get(localShape(type.getShape(), placement, mesh,
                                         mesh.coordinatesOf(position)),
                              type.getElementType());
    if (local.type() != expected)
      return emitError() << "rank " << mesh.rankAt(position) << " holds a "
                         << local.type() << "; its part of " << type
                         << " placed " << stringOf(placement) << " is a "
                         << expected;
  }

  // Joins along the innermost axis first, because parts along it were cut from
  // parts along outer axes.
  std::vector<Tensor> parts(locals);
  for (size_t axis = placement.size(); axis-- > 0;) {
    const Component& component = placement[axis];
    size_t size = mesh.axes[axis].size;
    std::vector<Tensor> larger;
    for (size_t first = 0; first < parts.size(); first += size) {
      ArrayRef<Tensor> members = ArrayRef<Tensor>(parts).slice(first, size);
      if (component.isSplit()) {
        larger.push_back(joined(members, component.dim()));
      } else if (component.isPartial()) {
        larger.push_back(reduced(component.reduction(), members));
      } else {
        for (const Tensor& member : members) {
          if (member.isIdenticalTo(members.front())) continue;
          mlir::InFlightDiagnostic diagnostic =
              emitError() << "copies along mesh axis '" << mesh.axes[axis].name
                          << "' of a tensor placed " << stringOf(placement)
                          << " differ";
          describeDifference(members.front(), member, diagnostic);
          return diagnostic;
        }
        larger.push_back(members.front());
      }
    }
    parts = std::move(larger);
  }
  return parts.front();
}

Tensor reduced(Reduction reduction, ArrayRef<Tensor> terms) {
  const Tensor& first = terms.front();
  return buildByElement(first.elementType(), [&](auto zero) {
    using Element = decltype(zero);
    std::vector<Element> elements(first.elements<Element>());
    for (const Tensor& term : terms.drop_front())
      for (auto [element, other] :
           llvm::zip(elements, term.elements<Element>()))
        element = combine(reduction, element, other);
    return Tensor(first.type(), std::move(elements));
  });
}

Tensor neutral(Reduction reduction, RankedTensorType type) {
  return buildByElement(type.getElementType(), [&](auto zero) {
    using Element = decltype(zero);
    return Tensor(
        type, std::vector<Element>(
                  type.getNumElements(),
                  neutralElement<Element>(reduction, type.getElementType())));
  });
}

}  // namespace sbp::interpreter
