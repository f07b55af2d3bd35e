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
  let summary = "initial values with a normal distribution of mean 0";
  let description = [{
    `#nn.normal<0.02>`: standard deviation 0.02.

    **Constraints**
    - (C1) The standard deviation is finite and at least 0.
  }];
  let parameters = (ins APFloatParameter<"standard deviation">:$stddev);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Nn_Uniform : Nn_Attr<"Uniform", "uniform"> {
  let summary = "initial values with a uniform distribution";
  let description = [{
    `#nn.uniform<-0.1, 0.1>`: from the lower bound, inclusive, to the upper bound,
    exclusive.

    **Constraints**
    - (C1) Both bounds are finite, and lower bound <= upper bound.
  }];
  let parameters = (ins APFloatParameter<"lower bound">:$lower,
                        APFloatParameter<"upper bound">:$upper);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Nn_Constant : Nn_Attr<"Constant", "constant"> {
  let summary = "the same initial value for every element";
  let description = [{
    `#nn.constant<0.5>`: every element begins as 0.5.

    **Constraints**
    - (C1) The value is finite.
  }];
  let parameters = (ins APFloatParameter<"the value">:$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Nn_Zeros : Nn_Attr<"Zeros", "zeros"> {
  let summary = "initial value 0 for every element";
}

def Nn_Ones : Nn_Attr<"Ones", "ones"> {
  let summary = "initial value 1 for every element";
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
  let summary = "stochastic gradient descent, optionally with momentum";
  let description = [{
    `#nn.sgd`, `#nn.sgd<momentum = 0.9, weight_decay = 1.0e-4>`. The semantics of
    PyTorch's SGD, for a parameter w with gradient g, velocity v and learning rate lr:

        g = g + weight_decay * w
        v = momentum * v + g
        w = w - lr * v

    Both numbers default to 0. Without momentum there is no velocity.

    **Constraints**
    - (C1) `momentum` and `weight_decay` are finite and at least 0.
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
  let summary = "Adam, with weight decay added to the gradient";
  let description = [{
    `#nn.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-8, weight_decay = 0.0>`;
    these are the defaults. `nn.adam` has the formula.

    **Constraints**
    - (C1) `beta1` and `beta2` are at least 0 and below 1.
    - (C2) `epsilon` is finite and above 0.
    - (C3) `weight_decay` is finite and at least 0.
  }];
}

def Nn_AdamW : Nn_AdamAttr<"AdamW", "adamw", "0.01"> {
  let summary = "AdamW: Adam with decoupled weight decay";
  let description = [{
    `#nn.adamw<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-8, weight_decay = 0.01>`;
    these are the defaults. `nn.adam` has the formula.

    **Constraints**
    - (C1) `beta1` and `beta2` are at least 0 and below 1.
    - (C2) `epsilon` is finite and above 0.
    - (C3) `weight_decay` is finite and at least 0.
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
