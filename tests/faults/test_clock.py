"""A clock that jumps, for sessions, the limit on attempts, labels and the time limits of jobs."""


def test_the_clock_jumps_by_hours_and_years(with_faults):
    with_faults("jumping.py", "clock.c")
