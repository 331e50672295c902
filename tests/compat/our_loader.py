"""libeagle opens the backend of kind cuda that the published package brings; it needs no device for that."""

import os
import subprocess
import unittest


class OurLoader(unittest.TestCase):
    """What `eagle-doctor` says of the file that $EAGLE_BACKEND_CUDA names."""

    report: str
    section: list[str]

    @classmethod
    def setUpClass(cls) -> None:
        """Asks once."""
        done = subprocess.run([os.environ["COMPAT_DOCTOR"]], capture_output=True, text=True, check=True)
        cls.report = done.stdout
        lines = done.stdout.splitlines()
        start = lines.index(f"  cuda: {os.environ['EAGLE_BACKEND_CUDA']}")
        end = next((i for i in range(start + 1, len(lines)) if not lines[i].startswith("    ")), len(lines))
        cls.section = [line.strip() for line in lines[start + 1 : end]]

    def test_its_version_and_build_are_read(self) -> None:
        self.assertTrue(self.section[0].startswith("seam 1.6, built from eagle 0.7.1, device code "), self.section)
        self.assertRegex(self.section[0], r"device code [0-9]+,")

    def test_its_device_types_are_read(self) -> None:
        self.assertIn("DLPack device types: 2 (cuda), 3 (cuda), 13 (cuda)", self.section)

    def test_its_groups_are_read(self) -> None:
        groups = "stream capturer captured fork conditional attribution graph launcher exec device interop filtering"
        self.assertIn(f"groups: {', '.join(groups.split())}", self.section)

    def test_it_is_the_file_of_the_variable(self) -> None:
        self.assertIn(f"$EAGLE_BACKEND_CUDA: {os.environ['EAGLE_BACKEND_CUDA']}: loaded", self.report)

    def test_kind_cpu_is_loaded_beside_it(self) -> None:
        self.assertIn("libeagle_cpu.so: loaded", self.report)


if __name__ == "__main__":
    unittest.main()
