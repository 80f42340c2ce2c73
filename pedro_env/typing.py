"""Names for the array types that the package uses."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

BoolArray: TypeAlias = NDArray[np.bool_]
IntArray: TypeAlias = NDArray[np.integer[Any]]
Int8Array: TypeAlias = NDArray[np.int8]
Int16Array: TypeAlias = NDArray[np.int16]
Int64Array: TypeAlias = NDArray[np.int64]
UInt8Array: TypeAlias = NDArray[np.uint8]
UInt64Array: TypeAlias = NDArray[np.uint64]
FloatArray: TypeAlias = NDArray[np.float64]
