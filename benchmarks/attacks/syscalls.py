"""Watch the system calls of a command: which sockets it asks for, and which files it opens to
write.

A seccomp filter on the command and on all processes that it starts reports these system calls to
this process (user notification, Linux 5.9), for native code as well as for Python. No privilege and
no other program is needed. Inet sockets are refused, so the command reaches no network.

Run as a script (`syscalls.py FD COMMAND ...`), this file installs the filter on itself, sends its
listener through FD and becomes the command.
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import errno
import fcntl
import os
import platform
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

# Numbers of the system calls, from the kernel's tables; "at" calls take a folder as well.
_NUMBERS = {
    "x86_64": {
        "open": 2, "socket": 41, "connect": 42, "truncate": 76, "rename": 82, "mkdir": 83,
        "creat": 85, "link": 86, "symlink": 88, "mknod": 133, "openat": 257, "mkdirat": 258,
        "mknodat": 259, "renameat": 264, "linkat": 265, "symlinkat": 266, "renameat2": 316,
        "io_uring_setup": 425, "openat2": 437, "seccomp": 317,
    },
    "aarch64": {
        "mknodat": 33, "mkdirat": 34, "symlinkat": 36, "linkat": 37, "renameat": 38,
        "truncate": 45, "openat": 56, "socket": 198, "connect": 203, "renameat2": 276,
        "io_uring_setup": 425, "openat2": 437, "seccomp": 277,
    },
}  # fmt: skip
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# The positions of the written path among the arguments: (of its folder or None, of the path).
_PATHS: Mapping[str, tuple[int | None, int]] = {
    "open": (None, 0), "creat": (None, 0), "mkdir": (None, 0), "mknod": (None, 0),
    "truncate": (None, 0), "rename": (None, 1), "link": (None, 1), "symlink": (None, 1),
    "openat": (0, 1), "openat2": (0, 1), "mkdirat": (0, 1), "mknodat": (0, 1),
    "renameat": (2, 3), "renameat2": (2, 3), "linkat": (2, 3), "symlinkat": (1, 2),
}  # fmt: skip
_FLAGS = {"open": 1, "openat": 2}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_ALLOW, _NOTIFY, _KILL = 0x7FFF0000, 0x7FC00000, 0x80000000
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_CALL = struct.Struct("=QIIiIQ6Q")
_ANSWER = struct.Struct("=QqiI")
_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_CONTINUE = 1
_NOT_INSTALLED = 97


@dataclass(slots=True)
class Watched:
    """A running or finished command, and the system calls that were seen."""

    process: subprocess.Popen[str]
    serves: bool
    started: float = field(default_factory=time.monotonic)
    sockets: list[str] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)
    _thread: threading.Thread | None = None

    def outside(self, *allowed: Path) -> list[Path]:
        """The files written outside these folders, without bytecode caches."""
        roots = tuple(Path(os.path.realpath(path)) for path in (*allowed, Path("/dev/null")))
        return [
            path
            for path in self.written
            if not any(path.is_relative_to(root) for root in roots)
            and path.parent.name != "__pycache__"
            and path.name != "__pycache__"
        ]

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self.started

    def wait(self, seconds: float) -> tuple[int, str, str]:
        """Exit code, standard output and standard error, once all processes that it started have
        ended.
        """
        try:
            stdout, stderr = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.stop(signal.SIGKILL)
            raise
        assert self._thread is not None
        self._thread.join(10)
        return self.process.returncode, stdout, stderr

    def stop(self, how: int = signal.SIGINT) -> None:
        """Send a signal."""
        self.process.send_signal(how)

    def attend(self, listener: int) -> None:
        """Answer the kernel until the last process under the filter has ended."""
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        while True:
            events = poll.poll()[0][1]
            if events & select.POLLIN:
                self._answer(listener)
            elif events:
                os.close(listener)
                return

    def _answer(self, listener: int) -> None:
        buffer = bytearray(_CALL.size)
        with contextlib.suppress(OSError):  # the caller was killed meanwhile
            fcntl.ioctl(listener, _RECEIVE, buffer)
            number, pid, _, call, _, _, *arguments = _CALL.unpack(buffer)
            refused = self._note(pid, _NAMES[call], arguments)
            answer = (number, 0, -errno.EACCES, 0) if refused else (number, 0, 0, _CONTINUE)
            fcntl.ioctl(listener, _SEND, bytearray(_ANSWER.pack(*answer)))

    def _note(self, pid: int, name: str, arguments: Sequence[int]) -> bool:
        """Record what the call asks for; return whether the call is refused."""
        if name == "socket":
            family, kind = arguments[0] & 0xFFFFFFFF, arguments[1] & 0xF
            if self.serves and family in _INET and kind == socket.SOCK_STREAM:
                return False
            self.sockets.append(f"socket(family {family}, type {kind})")
            return family in _INET
        if name == "connect":
            address = _memory(pid, arguments[1], min(arguments[2] & 0xFFFFFFFF, 128))
            family = int.from_bytes(address[:2], sys.byteorder)
            if family != socket.AF_UNIX:
                self.sockets.append(f"connect(family {family})")
            else:
                self._note_local(address[2:])
            return family in _INET
        if name == "io_uring_setup":  # opens files and sockets in a way that no filter sees
            self.sockets.append(name)
            return True
        self._note_path(pid, name, arguments)
        return False

    def _note_local(self, path: bytes) -> None:
        """A local socket may lead to a service that asks the network, as resolvers do."""
        name = os.fsdecode(path.partition(b"\0")[0])
        if name:
            self.written.append(Path(os.path.realpath(name)))

    def _note_path(self, pid: int, name: str, arguments: Sequence[int]) -> None:
        if name == "openat2":
            flags = int.from_bytes(_memory(pid, arguments[2], 8), sys.byteorder)
            if not flags & _WRITING:
                return
        folder, at = _PATHS[name]
        path = _path(pid, None if folder is None else arguments[folder], arguments[at])
        if not (name in ("mkdir", "mkdirat") and path.is_dir()):
            self.written.append(path)


_INET = (socket.AF_INET, socket.AF_INET6)
_NAMES = {number: name for name, number in _NUMBERS.get(platform.machine(), {}).items()}


def start(
    command: Sequence[str | Path], env: Mapping[str, str], cwd: Path, *, serves: bool = False
) -> Watched:
    """Start a command under watch. With `serves`, it may listen, but must not connect.

    Raises:
        RuntimeError: this kernel does not support user notification.
    """
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = subprocess.Popen(
            [sys.executable, "-S", __file__, str(theirs.fileno()), *map(str, command)],
            env=dict(env),
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()
        _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
    if not descriptors:
        raise RuntimeError(process.communicate()[1].strip())
    watched = Watched(process, serves)
    watched._thread = threading.Thread(target=watched.attend, args=descriptors, daemon=True)
    watched._thread.start()
    return watched


def _memory(pid: int, address: int, size: int) -> bytes:
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        memory.seek(address)
        return memory.read(size)


def _path(pid: int, folder: int | None, address: int) -> Path:
    """The absolute path of an argument, with the links in its folder resolved."""
    try:
        name = os.fsdecode(_memory(pid, address, 4096).partition(b"\0")[0])
        here = ctypes.c_int32(-100 if folder is None else folder & 0xFFFFFFFF).value
        base = Path(f"/proc/{pid}", "cwd" if here == -100 else f"fd/{here}").readlink()
    except OSError:
        return Path("/unreadable")
    whole = base / name
    return Path(os.path.realpath(whole.parent)) / whole.name


# -- the filter ----------------------------------------------------------------------------------


def _program(machine: str) -> bytes:
    """The filter in the kernel's instructions: (operation, jump if true, jump if false, value)."""
    numbers = _NUMBERS[machine]
    steps = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, _ARCHITECTURES[machine]), (_RETURN, 0, 0, _KILL)]
    steps.append((_LOAD, 0, 0, 0))
    for name, number in numbers.items():
        if name == "seccomp":
            continue
        if name in _FLAGS:
            test = [(_LOAD, 0, 0, 16 + 8 * _FLAGS[name]), (_ANY_BIT, 1, 0, _WRITING)]
        elif name == "socket":
            test = [(_LOAD, 0, 0, 16), (_EQUAL, 0, 1, socket.AF_UNIX)]
        else:
            steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _NOTIFY)]
            continue
        steps += [(_EQUAL, 0, 4, number), *test, (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _NOTIFY)]
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _install() -> int:
    """Install the filter on this process; return the descriptor of its listener."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in _NUMBERS:
        raise OSError("system calls are watched on Linux on x86_64 and aarch64 alone")
    program = ctypes.create_string_buffer(_program(machine))

    class _Filter(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))

    asked = _Filter(len(program.raw) // 8, ctypes.addressof(program))
    kernel = ctypes.CDLL(None, use_errno=True)
    if kernel.prctl(38, 1, 0, 0, 0):  # no new privileges, which the kernel asks for
        raise OSError(ctypes.get_errno(), "prctl")
    listener = kernel.syscall(_NUMBERS[machine]["seccomp"], 1, 1 << 3, ctypes.byref(asked))
    if listener < 0:
        raise OSError(ctypes.get_errno(), "this kernel hands no system calls over")
    return int(listener)


def _become(descriptor: int, command: list[str]) -> None:
    with socket.socket(fileno=descriptor) as channel:
        try:
            listener = _install()
        except OSError as error:
            print(f"not watched: {error}", file=sys.stderr)
            raise SystemExit(_NOT_INSTALLED) from None
        channel.sendmsg(
            [b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [listener]))]
        )
    os.close(listener)
    os.execvp(command[0], command)


def environment(home: Path, temporary: Path, **more: str) -> dict[str, str]:
    """The environment of a command: an empty home, a temporary folder, no settings of the
    developer.
    """
    kept: Iterable[str] = ("PATH", "LANG", "LC_ALL", "JAVA_HOME")
    own = {name: os.environ[name] for name in kept if name in os.environ}
    return {**own, "HOME": str(home), "TMPDIR": str(temporary), **more}


if __name__ == "__main__":
    _become(int(sys.argv[1]), sys.argv[2:])
