"""What importing eagle does not do."""

from programs import run


def test_importing_starts_no_process_and_opens_no_backend(tmp_path):
    # An empty PATH, and a hook that sees every attempt to start a program.
    said = run(
        """
        import sys
        started = []
        watched = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "os.fork", "os.forkpty")
        sys.addaudithook(lambda event, args: started.append(event) if event in watched else None)
        import eagle
        maps = open("/proc/self/maps").read()
        print(started, eagle.backend_report(), "libeagle.so" in maps, "libeagle_" in maps)
        """,
        PATH=tmp_path,
        HAWK_CXX=None,
        CXX=None,
    )
    assert said == "[] [] True False"


def test_importing_leaves_the_heavy_parts_out():
    said = run(
        """
        import sys
        import eagle
        heavy = ("hawk", "tqdm", "matplotlib", "multiprocessing", "importlib.metadata")
        print([name for name in heavy if name in sys.modules])
        """
    )
    assert said == "[]"


def test_deploying_opens_the_cpu_backend():
    said = run(
        """
        import eagle, numpy as np
        from eagle_kernels import scale
        assert eagle.deploy(scale).run(x=np.ones(3), y=np.ones(3), a=1.0).sum() == 6
        maps = open("/proc/self/maps").read()
        print("libeagle_cpu.so" in maps, [attempt["outcome"] for attempt in eagle.backend_report()][-1])
        """
    )
    assert said == "True loaded"
