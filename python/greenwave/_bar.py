"""The progress of a solve: a bar of tqdm where it is installed, else a line for each stage."""

import sys


class Bar:
    """Called with the stage, how much of it is done and how much there is of it."""

    def __init__(self):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._tqdm = tqdm
        self._bar = None
        self._stage = None

    def __call__(self, stage, done, total):
        if stage != self._stage:
            self._begin(stage, total)
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def _begin(self, stage, total):
        self.close()
        self._stage = stage
        if self._tqdm is not None:
            self._bar = self._tqdm(desc=stage, total=total, unit=" positions", unit_scale=True)
        else:
            print(stage, file=sys.stderr)

    def close(self):
        """Ends the bar that is shown."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
