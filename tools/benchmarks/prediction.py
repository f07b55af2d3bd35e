"""The quality of predictions: how far off they are, and whether they rank plans right."""

import dataclasses
import itertools

MOST_OFF = 0.15        # greatest relative error of a prediction
CLEARLY_FASTER = 1.10  # factor above which two plans must be ranked right


@dataclasses.dataclass(frozen=True)
class Prediction:
    name: str
    predicted: float  # seconds
    measured: float

    @property
    def off(self):
        """Relative error of the prediction; 0.1 means 10 % too long."""
        return self.predicted / self.measured - 1


def far_off(predictions):
    """Returns the predictions that are more than MOST_OFF off."""
    return [one for one in predictions if abs(one.off) > MOST_OFF]


def misranked(predictions):
    """Returns the pairs, faster one first, that differ clearly and were predicted in the
    other order."""
    by_time = sorted(predictions, key=lambda one: one.measured)
    return [(faster, slower) for faster, slower in itertools.combinations(by_time, 2)
            if slower.measured > CLEARLY_FASTER * faster.measured
            and slower.predicted <= faster.predicted]


def failures(predictions):
    """Returns one sentence per claim that does not hold."""
    for one in far_off(predictions):
        yield (f"{one.name}: predicted {1e3 * one.predicted:.1f} ms, measured "
               f"{1e3 * one.measured:.1f} ms, {100 * one.off:+.1f} %")
    for faster, slower in misranked(predictions):
        yield (f"{faster.name} takes {1e3 * faster.measured:.1f} ms and {slower.name} "
               f"{1e3 * slower.measured:.1f} ms, but predicted were "
               f"{1e3 * faster.predicted:.1f} and {1e3 * slower.predicted:.1f} ms")
