"""The permutation test against cases counted by hand."""

import pytest

from rarewords.evaluation.permutation import MOST_SEEDS, least_p, permutation_p


def test_by_hand():
    """1, 2 against 3, 6: means differ by 3; of the six ways {1,2}, {3,6} and their mirror do, {1,3} differ by 2."""
    assert permutation_p([1, 2], [3, 6]) == pytest.approx(2 / 6)
    assert permutation_p([3, 6], [1, 2]) == pytest.approx(2 / 6)
    assert permutation_p([1, 3], [2, 6]) == pytest.approx(4 / 6)


def test_three_each_by_hand():
    """1, 2, 6 against 3, 4, 5: sums 9 and 12. Of the 20 sums of three of 1 to 6, 7 are at most 9 and 7 at least 12."""
    assert permutation_p([1, 2, 6], [3, 4, 5]) == pytest.approx(14 / 20)


def test_of_unequal_numbers():
    """5 against 1, 2: means differ by 3.5, more than those of 1 against 2, 5 (2.5) and of 2 against 1, 5 (1)."""
    assert permutation_p([5], [1, 2]) == pytest.approx(1 / 3)


def test_equal_scores_and_rounded_sums_are_ties():
    assert permutation_p([5.0, 5.0, 5.0], [5.0, 5.0, 5.0]) == 1
    assert permutation_p([0.1, 0.2, 0.3], [0.3, 0.2, 0.1]) == 1


def test_the_least_p():
    assert [round(least_p(seeds), 4) for seeds in (2, 3, 4)] == [0.3333, 0.1, 0.0286]
    assert permutation_p([1, 2, 3, 4], [5, 6, 7, 8]) == pytest.approx(least_p(4))
    assert permutation_p(range(MOST_SEEDS), range(50, 50 + MOST_SEEDS)) == pytest.approx(least_p(MOST_SEEDS))
