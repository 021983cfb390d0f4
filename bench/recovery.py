"""When a measure is again what it was."""
import statistics

ANSWERS = 10  # in a row


def back_after(baseline, answers):
    """The time of the first of ten answers (time, value) in a row whose median nine in ten of the baseline's values stay
    under; None if there are none."""
    limit = statistics.quantiles(baseline, n=10)[-1]
    for i in range(len(answers) - ANSWERS + 1):
        if statistics.median(value for _, value in answers[i:i + ANSWERS]) <= limit:
            return round(answers[i][0], 3)
    return None
