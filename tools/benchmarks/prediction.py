"""How well seconds were predicted: how far off, and whether in the right order."""

import dataclasses
import itertools

MOST_OFF = 0.15        # of a prediction
CLEARLY_FASTER = 1.10  # plans that differ by more must be ranked right


@dataclasses.dataclass(frozen=True)
class Prediction:
    name: str
    predicted: float  # seconds
    measured: float

    @property
    def off(self):
        """0.1: predicted 10 % too long."""
        return self.predicted / self.measured - 1


def far_off(predictions):
    """Those that are more than MOST_OFF off."""
    return [one for one in predictions if abs(one.off) > MOST_OFF]


def misranked(predictions):
    """Pairs, faster first, that differ clearly and were predicted the other way."""
    by_time = sorted(predictions, key=lambda one: one.measured)
    return [(faster, slower) for faster, slower in itertools.combinations(by_time, 2)
            if slower.measured > CLEARLY_FASTER * faster.measured
            and slower.predicted <= faster.predicted]


def failures(predictions):
    """A sentence for each claim that does not hold."""
    for one in far_off(predictions):
        yield (f"{one.name}: predicted {1e3 * one.predicted:.1f} ms, measured "
               f"{1e3 * one.measured:.1f} ms, {100 * one.off:+.1f} %")
    for faster, slower in misranked(predictions):
        yield (f"{faster.name} takes {1e3 * faster.measured:.1f} ms and {slower.name} "
               f"{1e3 * slower.measured:.1f} ms, but predicted were "
               f"{1e3 * faster.predicted:.1f} and {1e3 * slower.predicted:.1f} ms")
