"""Run an untrusted program in a sandbox: python -I keeper.py SPEC, where SPEC is a JSON file.

    kind         bwrap, namespaces or limits
    words        the command, run in a fresh copy of the folder `origin`
    origin       the folder of the program; it is not changed
    scratch      an empty folder for the keeper's own use
    visible      paths that the program can read besides its folder; unused with `limits`
    environment  its environment
    memory, disk     limits in bytes, for all its processes together
    processes        the limit for the number of its processes

The program uses the standard streams of the keeper.  The exit status is that of the program, or 128
plus the number of the signal that ended it.  If the program exceeds a limit, the status is ENDED,
with a line on standard error.  If the sandbox fails, the keeper writes the reason to standard error
and ends itself by the signal FAILURE.  So a keeper that ends by a signal never reports on the
program.  This file imports only modules of Python, to start fast: each run starts it once.
"""

import ctypes
import json
import os
import resource
import signal
import stat
import sys
import time
import warnings  # noqa: F401  os.execvpe imports it, when a sandbox already hides the library

ENDED = 125
NO_PROGRAM = 127  # the folder does not contain the program
FAILURE = signal.SIGUSR1  # leaves neither a core file nor a message of the system
STARTED = b"started"
PREFIX = "sandbox"  # of the keeper's lines on standard error
POLL_SECONDS = 0.05  # between two measurements of the memory
NOBODY = 65534
HOME = "/submission"
EMPTY = (HOME, "/tmp", "/var/tmp", "/dev/shm")  # private writable folders of the program
MOST_FILES = 20_000  # in the folder of a running program
MARK = "GTP_ENGINE_SEAT"  # as in arena/process.py, which this file does not import

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_MOVE, MS_REC, MS_PRIVATE = 32, 4096, 8192, 16384, 1 << 18
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 24, 36, 38
DEVICES = ("null", "zero", "full", "random", "urandom")
STATVFS_FLAGS = {1: MS_RDONLY, 2: MS_NOSUID, 4: MS_NODEV, 8: MS_NOEXEC, 1024: 1024, 2048: 2048,
                 4096: 1 << 21}  # flags of statvfs and mount: a remount must repeat them

libc = ctypes.CDLL(None, use_errno=True)


def c_call(name, *arguments):
    """Call a function of the C library.  Raises OSError."""
    values = [each.encode() if isinstance(each, str) else each for each in arguments]
    if getattr(libc, name)(*values) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def mount(source, target, kind=None, flags=0, data=None):
    """Mount a file system or a path.  Raises OSError."""
    c_call("mount", source, target, kind, ctypes.c_ulong(flags), data)


# --- the program itself ---------------------------------------------------------------------------


def set_limits(spec):
    """Set the limits that the system enforces, in the process of the program."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (spec["disk"], spec["disk"]))
    if spec["kind"] == "limits" and os.geteuid() != 0:
        most = resource.getrlimit(resource.RLIMIT_NPROC)[1]
        allowed = own_processes() + spec["processes"]
        if most == resource.RLIM_INFINITY or allowed < most:
            resource.setrlimit(resource.RLIMIT_NPROC, (allowed, allowed))
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass
    for number in range(1, signal.NSIG):
        if number not in (signal.SIGKILL, signal.SIGSTOP, 32, 33):
            signal.signal(number, signal.SIG_DFL)


def own_processes():
    """Count the processes and threads of this user."""
    count = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{name}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            pass
    return count


def run_program(spec, folder, pipe):
    """Copy the program into the folder and replace this process by it; does not return."""
    copy(spec.get("source", spec["origin"]), folder)
    os.chdir(folder)
    environment = dict(spec["environment"], HOME=folder, PWD=folder)
    word = spec["words"][0]
    try:
        os.write(pipe, STARTED)
        os.execvpe(word, spec["words"], environment)
    except OSError as error:
        if not is_in_submission(word):
            raise OSError(f"cannot start {word}: {error.strerror}") from None
        report(f"cannot start {word}: {error.strerror}")
        os._exit(NO_PROGRAM)


def is_in_submission(word):
    """Return whether the first word of a command names a file of the submission."""
    return "/" in word and not word.startswith("/")


def copy(source, target):
    """Copy a folder with its files, folders and links."""
    for entry in os.scandir(source):
        path = os.path.join(target, entry.name)
        if entry.is_symlink():
            os.symlink(os.readlink(entry.path), path)
        elif entry.is_dir():
            os.mkdir(path)
            copy(entry.path, path)
        elif entry.is_file():
            with open(entry.path, "rb") as one, open(path, "wb") as other:
                while data := one.read(1 << 20):
                    other.write(data)
            os.chmod(path, 0o700 if entry.stat().st_mode & stat.S_IXUSR else 0o600)


def report(text):
    """Write a line to standard error."""
    os.write(2, f"{PREFIX}: {text}\n".encode("utf-8", "replace"))


# --- namespaces -----------------------------------------------------------------------------------


def in_namespaces(spec, pipe):
    """Run the program in namespaces, in a child of the keeper; does not return."""
    root = os.geteuid() == 0
    flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
    uid, gid = os.getuid(), os.getgid()
    c_call("unshare", flags if root else flags | CLONE_NEWUSER)
    if not root:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{NOBODY} {uid} 1"),
                           ("gid_map", f"{NOBODY} {gid} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    die_with_parent()
    first = os.fork()
    if first == 0:
        die_with_parent()
        make_root(spec)
        libc.sethostname(b"submission", 10)
        program = os.fork()
        if program == 0:
            drop_privileges(root)
            set_limits(spec)
            run_program(spec, HOME, pipe)
        detach_streams()
        os._exit(status_of(wait_for(program)))
    detach_streams()
    os._exit(status_of(wait_for(first)))


def make_root(spec):
    """Replace the root of the file system by one with only the visible paths."""
    root = spec["scratch"]
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m")
    box = os.path.join(root, "box")
    os.mkdir(box)
    mount("tmpfs", box, "tmpfs", MS_NOSUID | MS_NODEV,
          f"mode=755,size={spec['disk']},nr_inodes={MOST_FILES}")
    for number, path in enumerate(empty_folders(spec)):
        os.mkdir(f"{box}/{number}")
        os.chmod(f"{box}/{number}", 0o1777)
        os.makedirs(root + path, exist_ok=True)
        mount(f"{box}/{number}", root + path, None, MS_BIND)
    writable = {number for number, _ in mounts()}
    for path in [*spec["visible"], *(f"/dev/{name}" for name in DEVICES)]:
        bind(path, root)
    for number, target in mounts():
        if number not in writable:
            make_read_only(target)
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "/proc/self/fd/0"),
                         ("stdout", "/proc/self/fd/1"), ("stderr", "/proc/self/fd/2")):
        os.symlink(target, f"{root}/dev/{name}")
    os.mkdir(f"{root}/proc")
    try:
        mount("proc", f"{root}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    except OSError:  # a container hides parts of it; most programs do not need it
        pass
    spec["source"] = "/origin"
    os.mkdir(f"{root}/origin")
    mount(spec["origin"], f"{root}/origin", None, MS_BIND | MS_REC)
    make_read_only(f"{root}/origin")
    make_read_only(root)
    os.chdir(root)
    mount(".", "/", None, MS_MOVE)
    os.chroot(".")
    os.chdir("/")


def empty_folders(spec):
    """The private folders of the program, except visible paths that are links."""
    return [path for path in EMPTY if path not in spec["visible"] or not os.path.islink(path)]


def bind(path, root):
    """Make a path visible below the new root, if it exists."""
    target = root + path
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(path):
        os.symlink(os.readlink(path), target)
    elif os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
        mount(path, target, None, MS_BIND | MS_REC)
    elif os.path.exists(path):
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
        mount(path, target, None, MS_BIND)


def mounts():
    """The number and the target of each mount."""
    pairs = []
    with open("/proc/self/mountinfo") as file:
        for line in file:
            number, _, _, _, target, *_ = line.split()
            target = target.encode().decode("unicode_escape").encode("latin-1").decode("utf-8")
            pairs.append((number, target))
    return pairs


def make_read_only(target):
    """Remount a target read-only, with its other flags unchanged."""
    flags = os.statvfs(target).f_flag
    others = sum(new for old, new in STATVFS_FLAGS.items() if flags & old)
    mount(None, target, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | others)


def drop_privileges(root):
    """Drop all capabilities for good and, as root, switch to an unprivileged user."""
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    for number in range(64):
        libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)
    if root:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    os.setsid()


def die_with_parent():
    """Let the system end this process when its parent ends."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def detach_streams():
    """Redirect standard input and output, so that only the program holds them open."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)


def wait_for(pid):
    """Wait for a child and return its status; reap other children."""
    while True:
        ended, status = os.wait()
        if ended == pid:
            return status


def status_of(status):
    """Convert a wait status to the exit status of a shell."""
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


# --- the keeper -----------------------------------------------------------------------------------


def children_of(pid):
    """The children of a process."""
    children: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                children += map(int, file.read().split())
    except OSError:
        pass
    return children


def descendants(pid, most):
    """The children of a process and their descendants, at most `most` + 1 of them."""
    processes: list[int] = []
    waiting = children_of(pid)
    while waiting and len(processes) <= most:
        each = waiting.pop()
        processes.append(each)
        waiting += children_of(each)
    return processes


def resident_size(pid):
    """The resident memory of a process in bytes, with shared pages."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def proportional_size(pid):
    """The memory of a process in bytes, with each shared page divided among its users."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return resident_size(pid)


def used_disk(folder):
    """The size of the files in a folder in bytes; infinity above MOST_FILES files."""
    size = count = 0
    for path, _, names in os.walk(folder):
        for name in names:
            count += 1
            try:
                info = os.lstat(os.path.join(path, name))
                size += max(info.st_size, info.st_blocks * 512)
            except OSError:
                pass
            if count > MOST_FILES:
                return float("inf")
    return size


def exceeded_limit(spec, own, folder):
    """The limit that the processes exceed, or ""; `own` is the number of sandbox processes."""
    most = spec["processes"] + own
    pids = descendants(os.getpid(), most)
    if len(pids) > most:
        return f"more than {spec['processes']} processes"
    if all(sum(map(size, pids)) > spec["memory"] for size in (resident_size, proportional_size)):
        return f"more than {spec['memory'] >> 20} MB of memory"
    if folder and used_disk(folder) > spec["disk"]:
        return f"more than {spec['disk'] >> 20} MB of files"
    return ""


def end_all():
    """End all descendants; orphans become children of the keeper, which reaps them."""
    while pids := descendants(os.getpid(), 10**6):
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in pids:
                try:
                    os.kill(pid, number)
                except ProcessLookupError:
                    pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass


def bwrap_words(spec, errors):
    """The command of bubblewrap for the same sandbox as `in_namespaces`.

    Standard error is that of bubblewrap; the program writes to the descriptor `errors` instead.
    """
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
             "--hostname", "submission", "--dev", "/dev", "--proc", "/proc"]
    for path in empty_folders(spec):
        words += ["--perms", "1777", "--size", str(spec["disk"]), "--tmpfs", path]
    for path in spec["visible"]:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            words += ["--ro-bind", path, path]
    words += ["--ro-bind", spec["origin"], "/origin", "--remount-ro", "/", "--chdir", HOME,
              "--setenv", "HOME", HOME, "--", "sh", "-c",
              f'cp -R /origin/. {HOME}/ && printf {STARTED.decode()} >&2 && '
              f'exec 2>&{errors} {errors}>&- && exec "$@"', "sh"]
    return words + spec["words"]


def main():
    """Run the program of the spec file; return the exit status."""
    try:
        with open(sys.argv[1]) as file:
            spec = json.load(file)
        return run(spec)
    except Exception as error:
        report(str(error))
        signal.signal(FAILURE, signal.SIG_DFL)
        os.kill(os.getpid(), FAILURE)


def run(spec):
    """Run the program; return the exit status.  Raises OSError if the sandbox fails."""
    if MARK in os.environ:
        spec["environment"][MARK] = os.environ[MARK]
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    die_with_parent()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    if used_disk(spec["origin"]) > spec["disk"]:
        return report_limit(f"more than {spec['disk'] >> 20} MB of files")
    folder = None
    if spec["kind"] == "limits":
        folder = os.path.join(spec["scratch"], str(os.getpid()))
        os.mkdir(folder)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        start(spec, folder, writer)
    os.close(writer)
    detach_streams()
    try:
        return watch(spec, folder, child, reader)
    finally:
        end_all()
        if folder:
            remove(folder)


def start(spec, folder, pipe):
    """Run the program in its sandbox, in the child process; does not return."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        die_with_parent()
        if spec["kind"] == "namespaces":
            in_namespaces(spec, pipe)
        set_limits(spec)
        if spec["kind"] == "bwrap":
            errors = os.dup(2)  # for the program; bubblewrap writes to the pipe
            os.set_inheritable(errors, True)
            os.dup2(pipe, 2)
            os.execvpe("bwrap", bwrap_words(spec, errors), spec["environment"])
        run_program(spec, folder, pipe)
    except BaseException as error:
        os.write(pipe, f"cannot be made: {error}".encode("utf-8", "replace"))
    os._exit(1)


def watch(spec, folder, child, pipe):
    """Wait for the program and enforce its limits; return the exit status.

    Raises OSError if the sandbox fails.
    """
    own = {"namespaces": 2, "bwrap": 3, "limits": 0}[spec["kind"]]
    while True:
        reason = exceeded_limit(spec, own, folder)
        if reason:
            end_all()
            return report_limit(reason)
        until = time.monotonic() + POLL_SECONDS
        while time.monotonic() < until:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == child:
                check_sandbox(spec["kind"], status, pipe)
                return status_of(status)
            if not pid:
                time.sleep(0.005)


def report_limit(reason):
    """Write the exceeded limit to standard error; return the exit status."""
    report(f"ended: {reason}")
    return ENDED


def check_sandbox(kind, status, pipe):
    """Raises OSError if the sandbox itself failed, not its program."""
    os.set_blocking(pipe, False)
    try:
        message = os.read(pipe, 1 << 16)
    except BlockingIOError:  # a process of the program still holds the pipe open
        message = b""
    if not message.endswith(STARTED):
        text = message.removeprefix(STARTED).decode("utf-8", "replace").strip()
        raise OSError(text.replace("\n", "; ") or f"{kind} ended with status {status_of(status)}")
    if kind != "limits" and os.WIFSIGNALED(status):
        raise OSError(f"{kind} was ended by signal {os.WTERMSIG(status)}")


def remove(folder):
    """Remove a folder and its contents, whatever their permissions are."""
    for path, folders, names in os.walk(folder):
        for name in folders:
            try:
                os.chmod(os.path.join(path, name), 0o700, follow_symlinks=False)
            except (OSError, NotImplementedError):
                if not os.path.islink(os.path.join(path, name)):
                    os.chmod(os.path.join(path, name), 0o700)
    for path, folders, names in os.walk(folder, topdown=False):
        for name in names:
            os.unlink(os.path.join(path, name))
        for name in folders:
            each = os.path.join(path, name)
            (os.unlink if os.path.islink(each) else os.rmdir)(each)
    os.rmdir(folder)


if __name__ == "__main__":
    sys.exit(main())
