"""Conversions proven: objects of every version, made by chance, go to every other version and back.

    def test_no_version_loses_anything() -> None:
        check_conversion(CONVERSION)

It needs hypothesis, which `pip install 'windlass[test]'` brings; nothing else here does.
"""

from windlass.testing.conversion.check import check_conversion
from windlass.testing.conversion.objects import objects_of

__all__ = ["check_conversion", "objects_of"]
