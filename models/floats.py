"""Text of floats for MLIR, which needs a point in them; Python often prints none."""


def literal(number, digits=6):
    """Returns `number` as text with a limited number of digits: 0.02, 1.0, 1.0e-05."""
    mantissa, *exponent = f"{number:.{digits}g}".split("e")
    if "." not in mantissa:
        mantissa += ".0"
    return "e".join([mantissa, *exponent])
