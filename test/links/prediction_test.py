#!/usr/bin/python3
"""A prediction is wrong if it is more than 15 % off, or if it ranks two plans wrongly that
differ by more than 10 %.
"""

import unittest

from prediction import Prediction, failures, far_off, misranked


class PredictionTest(unittest.TestCase):
    def test_within_15_percent_is_not_far_off(self):
        self.assertEqual(far_off([Prediction("long", 1.149, 1.0),
                                  Prediction("short", 0.851, 1.0)]), [])

    def test_beyond_15_percent_is_far_off_either_way(self):
        wrong = [Prediction("long", 1.151, 1.0), Prediction("short", 0.849, 1.0)]
        self.assertEqual(far_off(wrong), wrong)

    def test_clearly_different_plans_must_be_in_order(self):
        slow, fast = Prediction("slow", 1.0, 1.11), Prediction("fast", 1.05, 1.0)
        self.assertEqual(misranked([slow, fast]), [(fast, slow)])
        self.assertEqual(len(list(failures([slow, fast]))), 1)

    def test_plans_that_hardly_differ_may_be_in_any_order(self):
        self.assertEqual(misranked([Prediction("slow", 1.0, 1.09),
                                    Prediction("fast", 1.05, 1.0)]), [])

    def test_right_predictions_have_no_failure(self):
        self.assertEqual(list(failures([Prediction("slow", 2.1, 2.0),
                                        Prediction("fast", 1.1, 1.0)])), [])


if __name__ == "__main__":
    unittest.main()
