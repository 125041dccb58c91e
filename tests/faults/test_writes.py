"""Every single write of a labelling session and of a scoring run fails once, for real."""


def test_no_label_is_lost_or_doubled(with_faults):
    sessions, refused = map(int, with_faults("labelling.py", "writes.c").stdout.split())
    assert sessions > 20
    assert refused > 20


def test_a_scoring_run_resumes_to_the_same_result(with_faults):
    runs, failed = map(int, with_faults("scoring.py", "writes.c").stdout.split())
    assert runs > 20
    assert failed > 20
