"""What a worker loads before its first task, so that nobody waits for it later."""


def warm() -> None:
    """Load the encoder and the parser by using them once."""
    from commonground.web.tasks.compare import finder

    finder(None, 1).find(["Rain fell on Monday.", "On Monday it rained."])
