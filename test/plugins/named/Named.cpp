// A plug-in whose dialect has no ops, and the name DIALECT.

#include "codegen/plugin/Plugin.h"
#include "mlir/IR/Dialect.h"

#define STRING(text) #text
#define NAME_OF(text) STRING(text)

namespace named {

// Several libraries have a class of this name. So do plug-ins that were copied
// from each other.
class NamedDialect : public mlir::Dialect {
 public:
  explicit NamedDialect(mlir::MLIRContext* context)
      : Dialect(getDialectNamespace(), context,
                mlir::TypeID::get<NamedDialect>()) {}

  static llvm::StringRef getDialectNamespace() { return NAME_OF(DIALECT); }
};

}  // namespace named

SBP_DIALECT_PLUGIN("named", "1", [](mlir::DialectRegistry* registry) {
  registry->insert<named::NamedDialect>();
})
