// The names of an entry's inputs and outputs, as commands and files show them.

#ifndef DIALECTS_NN_ENTRYNAMES_H_
#define DIALECTS_NN_ENTRYNAMES_H_

#include <cstddef>
#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace sbp::nn {

/// Returns the name of the argument at `position` of an entry: the `nn.input`
/// of its attributes, or else "input0", "input1", ... `attributes` may be null.
std::string inputName(mlir::DictionaryAttr attributes, size_t position);

/// Returns the name of the result at `position` of an entry: the `nn.output` of
/// its attributes, or else "output0", "output1", ... `attributes` may be null.
std::string outputName(mlir::DictionaryAttr attributes, size_t position);

/// Fails with an error at `entry` if two of its inputs have the same
/// inputName(). `attributes` has one element per argument: its attributes, or
/// null.
LogicalResult verifyInputNames(Operation* entry,
                               ArrayRef<mlir::DictionaryAttr> attributes);

/// Fails with an error at `entry` if two of its outputs have the same
/// outputName(). `attributes` has one element per result: its attributes, or
/// null.
LogicalResult verifyOutputNames(Operation* entry,
                                ArrayRef<mlir::DictionaryAttr> attributes);

}  // namespace sbp::nn

#endif  // DIALECTS_NN_ENTRYNAMES_H_
