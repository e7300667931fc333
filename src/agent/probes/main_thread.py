# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
#
# Runs in the target when an action on our own thread was the first to import `threading`. Up to
# CPython 3.12 that module takes whoever imports it for the main thread (Lib/threading.py,
# _MainThread.__init__); it is told the truth here, as if the main thread had imported it.


def _correct(modules):
    threading = modules["threading"]
    main = threading._main_thread
    frames = modules["sys"]._current_frames()
    ours = threading.get_ident()
    # Thread states are listed newest first: the main thread's is the last.
    truth = list(frames)[-1]
    if main._ident != ours or truth == ours:
        return
    del threading._active[ours]
    main._ident = truth
    threading._active[truth] = main
    if getattr(main, "_tstate_lock", None) is not None:
        # Held until the interpreter's shutdown releases it; ours would be released with our thread.
        lock = threading._allocate_lock()
        lock.acquire()
        main._tstate_lock = lock


_correct(modules)
