// Attributes of ops in braces, as attr-dict has them, with the shortest text of
// numbers:
//
//   nn.sgd %w, %g, %lr {weight_decay = 0.1 : f64} : ...
//
// attr-dict prints six digits of a number, or more digits than it takes to tell
// it from other numbers: 1.000000e-01, 0.99899999999999999.

#ifndef DIALECTS_SUPPORT_ATTRIBUTETEXT_TD_
#define DIALECTS_SUPPORT_ATTRIBUTETEXT_TD_

// The directive that an assembly format has in place of attr-dict if the op has
// numbers among its attributes. `printed` names the attributes that the format
// has elsewhere. The C++ file with the generated definitions includes
// dialects/support/AttributeText.h.
class Sbp_Attributes<list<string> printed = []> {
  string format =
      "`` custom<Attributes>(attr-dict, \"getOperationName()\", \"{"
      # !interleave(!foreach(name, printed, "\\\"" # name # "\\\""), ", ")
      # "}\")";
}

#endif  // DIALECTS_SUPPORT_ATTRIBUTETEXT_TD_
