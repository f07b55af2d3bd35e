"""Floats as IR has them: with a point, which Python leaves out where it can."""


def literal(number, digits=6):
    """0.02, 1.0, 1.0e-05: `number`, to so many digits."""
    mantissa, *exponent = f"{number:.{digits}g}".split("e")
    if "." not in mantissa:
        mantissa += ".0"
    return "e".join([mantissa, *exponent])
