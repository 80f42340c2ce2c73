"""Where the network computes: on the CPU, or on a GPU while the CPU does something else.

On a GPU everything here returns at once, and the numbers come later; on a CPU they are there already. Who asks first
and waits last need not know which it is.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor


def device_of(name: str, local_rank: int) -> torch.device:
    """The device of a process: for ``cuda`` one of the GPUs, which the machine's processes share; else the CPU."""
    if name != "cuda":
        return torch.device("cpu")
    device = torch.device("cuda", local_rank % torch.cuda.device_count())
    torch.cuda.set_device(device)  # where NCCL and events look
    return device


def send(array: np.ndarray, device: torch.device) -> Tensor:
    """An array as a tensor on the device. It must not change before what is computed from it has been fetched."""
    tensor = torch.from_numpy(array)
    return tensor if device.type == "cpu" else tensor.pin_memory().to(device, non_blocking=True)


def fetch(*tensors: Tensor) -> Callable[[], list[Tensor]]:
    """Begin to copy tensors to the host; the function that is returned waits for them and returns them."""
    if tensors[0].device.type == "cpu":
        return lambda: list(tensors)
    copies = [torch.empty(t.shape, dtype=t.dtype, pin_memory=True).copy_(t, non_blocking=True) for t in tensors]
    done = torch.cuda.Event()
    done.record(torch.cuda.current_stream(tensors[0].device))

    def wait() -> list[Tensor]:
        done.synchronize()
        return copies

    return wait
