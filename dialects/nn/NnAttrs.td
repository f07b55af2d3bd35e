#ifndef DIALECTS_NN_NNATTRS_TD_
#define DIALECTS_NN_NNATTRS_TD_

include "dialects/nn/NnDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Nn_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Nn_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

// ---- Initial values of parameters -------------------------------------------

def Nn_Normal : Nn_Attr<"Normal", "normal"> {
  let summary = "normally distributed, mean zero";
  let description = "`#nn.normal<0.02>`: standard deviation 0.02, which is not negative.";
  let parameters = (ins APFloatParameter<"standard deviation">:$stddev);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Nn_Uniform : Nn_Attr<"Uniform", "uniform"> {
  let summary = "uniformly distributed between two bounds";
  let description = "`#nn.uniform<-0.1, 0.1>`: the upper bound, not below the lower one, is "
                    "exclusive.";
  let parameters = (ins APFloatParameter<"lower bound">:$lower,
                        APFloatParameter<"upper bound">:$upper);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Nn_Constant : Nn_Attr<"Constant", "constant"> {
  let summary = "one value everywhere";
  let description = "`#nn.constant<0.5>`.";
  let parameters = (ins APFloatParameter<"the value">:$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Nn_Zeros : Nn_Attr<"Zeros", "zeros"> {
  let summary = "zero everywhere";
}

def Nn_Ones : Nn_Attr<"Ones", "ones"> {
  let summary = "one everywhere";
}

def Nn_Initializer : AttrConstraint<
    CPred<"::llvm::isa<::sbp::nn::NormalAttr, ::sbp::nn::UniformAttr, "
          "::sbp::nn::ConstantAttr, ::sbp::nn::ZerosAttr, "
          "::sbp::nn::OnesAttr>($_self)">,
    "an initializer: #nn.normal, #nn.uniform, #nn.constant, #nn.zeros or "
    "#nn.ones">;

def Nn_InitializerAttr : Attr<Nn_Initializer.predicate, Nn_Initializer.summary> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
  let constBuilderCall = "$0";
}

// ---- Optimisers -------------------------------------------------------------

def Nn_Sgd : Nn_Attr<"Sgd", "sgd"> {
  let summary = "stochastic gradient descent, with momentum";
  let description = [{
    `#nn.sgd`, `#nn.sgd<momentum = 0.9, weight_decay = 1.0e-4>`. The semantics of
    PyTorch's SGD: g += weight_decay * w; v = momentum * v + g; w -= lr * v.
    Without momentum there is no state. Neither number is negative.
  }];
  let parameters = (ins
    DefaultValuedParameter<"::llvm::APFloat", "::llvm::APFloat(0.0)">:$momentum,
    DefaultValuedParameter<"::llvm::APFloat", "::llvm::APFloat(0.0)">:$weight_decay);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

class Nn_AdamAttr<string name, string mnemonic, string defaultDecay>
    : Nn_Attr<name, mnemonic> {
  let parameters = (ins
    DefaultValuedParameter<"::llvm::APFloat", "::llvm::APFloat(0.9)">:$beta1,
    DefaultValuedParameter<"::llvm::APFloat", "::llvm::APFloat(0.999)">:$beta2,
    DefaultValuedParameter<"::llvm::APFloat", "::llvm::APFloat(1.0e-8)">:$epsilon,
    DefaultValuedParameter<"::llvm::APFloat",
        "::llvm::APFloat(" # defaultDecay # ")">:$weight_decay);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Nn_Adam : Nn_AdamAttr<"Adam", "adam", "0.0"> {
  let summary = "Adam; weight decay is added to the gradient";
  let description = [{
    `#nn.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-8, weight_decay = 0.0>`;
    what is left out has these values. A beta is at least 0 and below 1, epsilon
    above 0, and the decay not negative.
  }];
}

def Nn_AdamW : Nn_AdamAttr<"AdamW", "adamw", "0.01"> {
  let summary = "Adam with decoupled weight decay";
  let description = [{
    `#nn.adamw<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-8, weight_decay = 0.01>`;
    what is left out has these values. A beta is at least 0 and below 1, epsilon
    above 0, and the decay not negative.
  }];
}

// ---- Kinds of reductions and comparisons ------------------------------------

def Nn_ReduceKind : I32EnumAttr<"ReduceKind", "how a reduction combines", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Mean", 3, "mean">]> {
  let cppNamespace = "::sbp::nn";
}

def Nn_Predicate : I32EnumAttr<"Predicate", "how two elements compare", [
    I32EnumAttrCase<"Equal", 0, "eq">, I32EnumAttrCase<"NotEqual", 1, "ne">,
    I32EnumAttrCase<"Less", 2, "lt">, I32EnumAttrCase<"LessEqual", 3, "le">,
    I32EnumAttrCase<"Greater", 4, "gt">,
    I32EnumAttrCase<"GreaterEqual", 5, "ge">]> {
  let cppNamespace = "::sbp::nn";
}

#endif  // DIALECTS_NN_NNATTRS_TD_
