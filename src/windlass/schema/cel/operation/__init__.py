"""What can be done with values whatever expression they come from: compared, looked up, read and written.

Libraries and the evaluator build on it:

    equal(1, 1.0)
    shown([1, Duration(1_500_000_000)])
"""

from windlass.schema.cel.operation.display import double_text as double_text
from windlass.schema.cel.operation.display import go_duration_text as go_duration_text
from windlass.schema.cel.operation.display import go_type as go_type
from windlass.schema.cel.operation.display import runtime_name as runtime_name
from windlass.schema.cel.operation.display import shown as shown
from windlass.schema.cel.operation.display import type_name as type_name
from windlass.schema.cel.operation.duration import duration_text as duration_text
from windlass.schema.cel.operation.duration import parse_duration as parse_duration
from windlass.schema.cel.operation.duration import parse_wordy_duration as parse_wordy_duration
from windlass.schema.cel.operation.equality import KEYS as KEYS
from windlass.schema.cel.operation.equality import Comparing as Comparing
from windlass.schema.cel.operation.equality import Finding as Finding
from windlass.schema.cel.operation.equality import contains as contains
from windlass.schema.cel.operation.equality import equal as equal
from windlass.schema.cel.operation.equality import find as find
from windlass.schema.cel.operation.equality import is_list as is_list
from windlass.schema.cel.operation.measure import size as size
from windlass.schema.cel.operation.measure import weight as weight
from windlass.schema.cel.operation.number import checked_int as checked_int
from windlass.schema.cel.operation.number import checked_uint as checked_uint
from windlass.schema.cel.operation.number import divided as divided
from windlass.schema.cel.operation.number import int_of_double as int_of_double
from windlass.schema.cel.operation.number import is_number as is_number
from windlass.schema.cel.operation.number import quotient as quotient
from windlass.schema.cel.operation.number import remainder as remainder
from windlass.schema.cel.operation.number import uint_of_double as uint_of_double
from windlass.schema.cel.operation.order import compare as compare
from windlass.schema.cel.operation.timestamp import DAY as DAY
from windlass.schema.cel.operation.timestamp import EARLIEST as EARLIEST
from windlass.schema.cel.operation.timestamp import LATEST as LATEST
from windlass.schema.cel.operation.timestamp import SECOND as SECOND
from windlass.schema.cel.operation.timestamp import Calendar as Calendar
from windlass.schema.cel.operation.timestamp import calendar as calendar
from windlass.schema.cel.operation.timestamp import parse_date as parse_date
from windlass.schema.cel.operation.timestamp import parse_date_time as parse_date_time
from windlass.schema.cel.operation.timestamp import parse_timestamp as parse_timestamp
from windlass.schema.cel.operation.timestamp import timestamp_text as timestamp_text

__all__ = [
    "DAY",
    "EARLIEST",
    "KEYS",
    "LATEST",
    "SECOND",
    "Calendar",
    "Comparing",
    "Finding",
    "calendar",
    "checked_int",
    "checked_uint",
    "compare",
    "contains",
    "divided",
    "double_text",
    "duration_text",
    "equal",
    "find",
    "go_duration_text",
    "go_type",
    "int_of_double",
    "is_list",
    "is_number",
    "parse_date",
    "parse_date_time",
    "parse_duration",
    "parse_timestamp",
    "parse_wordy_duration",
    "quotient",
    "remainder",
    "runtime_name",
    "shown",
    "size",
    "timestamp_text",
    "type_name",
    "uint_of_double",
    "weight",
]
