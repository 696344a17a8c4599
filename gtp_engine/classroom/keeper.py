"""Runs a program of others in a sandbox: python -I keeper.py SPEC, where SPEC is a file of JSON.

    kind         bwrap, namespaces or limits
    words        the command, run in a fresh copy of the folder `origin`
    origin       the folder of the program; it stays as it is
    scratch      an empty folder for the keeper's own use
    visible      paths that the program may read besides its folder, not for `limits`
    environment  its environment
    memory, disk     bytes, of all its processes together
    processes        how many it may have

The program has the standard streams of the keeper.  The exit status is the program's own, 128 and
the number if a signal ended it; if it exceeded a limit, ENDED, with a line on standard error.  If
the sandbox fails, the keeper says why on standard error and ends itself by FAILURE: a keeper that a
signal has ended never reports on the program.  This file imports nothing but Python: it is started
once for each run, and has to be quick.
"""

import ctypes
import json
import os
import resource
import signal
import stat
import sys
import time

ENDED = 125
NO_PROGRAM = 127  # there is no such program in the folder
FAILURE = signal.SIGUSR1  # no other signal leaves less behind: neither a core nor a message
STARTED = b"started"
SAYS = "sandbox"  # at the beginning of its lines on standard error
LOOK_SECONDS = 0.05  # seconds between two looks at the memory
NOBODY = 65534
HOME = "/submission"
EMPTY = (HOME, "/tmp", "/var/tmp", "/dev/shm")  # folders of the program's own
MOST_FILES = 20_000  # in the folder of a running program
MARK = "GTP_ENGINE_SEAT"  # as in arena/process.py, which this file does not import

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_MOVE, MS_REC, MS_PRIVATE = 32, 4096, 8192, 16384, 1 << 18
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 24, 36, 38
DEVICES = ("null", "zero", "full", "random", "urandom")
STATVFS_FLAGS = {1: MS_RDONLY, 2: MS_NOSUID, 4: MS_NODEV, 8: MS_NOEXEC, 1024: 1024, 2048: 2048,
                 4096: 1 << 21}  # of statvfs and of mount: a bind mount has to keep those it has

libc = ctypes.CDLL(None, use_errno=True)


def called(name, *arguments):
    """Call a function of the C library.  Raises OSError."""
    values = [each.encode() if isinstance(each, str) else each for each in arguments]
    if getattr(libc, name)(*values) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def mount(source, target, kind=None, flags=0, data=None):
    """Mount something.  Raises OSError."""
    called("mount", source, target, kind, ctypes.c_ulong(flags), data)


# --- the program itself ---------------------------------------------------------------------------


def limit(spec):
    """In the process that becomes the program: what the system itself limits."""
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
    """How many processes and threads this user has."""
    count = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{name}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            pass
    return count


def become(spec, folder, pipe):
    """Copy the program into the folder and run it there; does not return."""
    copy(spec.get("source", spec["origin"]), folder)
    os.chdir(folder)
    environment = dict(spec["environment"], HOME=folder, PWD=folder)
    word = spec["words"][0]
    try:
        os.write(pipe, STARTED)
        os.execvpe(word, spec["words"], environment)
    except OSError as error:
        if not is_own(word):
            raise OSError(f"cannot start {word}: {error.strerror}") from None
        complain(f"cannot start {word}: {error.strerror}")
        os._exit(NO_PROGRAM)


def is_own(word):
    """Is this first word of a command a file in the folder of the program?"""
    return "/" in word and not word.startswith("/")


def copy(source, target):
    """Copy a folder: files, folders, and links as they are."""
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


def complain(text):
    """A line on standard error."""
    os.write(2, f"{SAYS}: {text}\n".encode("utf-8", "replace"))


# --- namespaces -----------------------------------------------------------------------------------


def in_namespaces(spec, pipe):
    """In a child of the keeper: run the program in namespaces; does not return."""
    root = os.geteuid() == 0
    flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
    uid, gid = os.getuid(), os.getgid()
    called("unshare", flags if root else flags | CLONE_NEWUSER)
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
            give_up_rights(root)
            limit(spec)
            become(spec, HOME, pipe)
        let_go_of_streams()
        os._exit(status_of(wait_for(program)))
    let_go_of_streams()
    os._exit(status_of(wait_for(first)))


def make_root(spec):
    """All that the program can see, in place of the whole file system."""
    root = spec["scratch"]
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m")
    box = os.path.join(root, "box")
    os.mkdir(box)
    mount("tmpfs", box, "tmpfs", MS_NOSUID | MS_NODEV,
          f"mode=755,size={spec['disk']},nr_inodes={MOST_FILES}")
    for number, path in enumerate(empty(spec)):
        os.mkdir(f"{box}/{number}")
        os.chmod(f"{box}/{number}", 0o1777)
        os.makedirs(root + path, exist_ok=True)
        mount(f"{box}/{number}", root + path, None, MS_BIND)
    writable = {number for number, _ in mounts()}
    for path in [*spec["visible"], *(f"/dev/{name}" for name in DEVICES)]:
        show(path, root)
    for number, target in mounts():
        if number not in writable:
            read_only(target)
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "/proc/self/fd/0"),
                         ("stdout", "/proc/self/fd/1"), ("stderr", "/proc/self/fd/2")):
        os.symlink(target, f"{root}/dev/{name}")
    os.mkdir(f"{root}/proc")
    try:
        mount("proc", f"{root}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    except OSError:  # where a container hides parts of it; most programs do without
        pass
    spec["source"] = "/origin"
    os.mkdir(f"{root}/origin")
    mount(spec["origin"], f"{root}/origin", None, MS_BIND | MS_REC)
    read_only(f"{root}/origin")
    read_only(root)
    os.chdir(root)
    mount(".", "/", None, MS_MOVE)
    os.chroot(".")
    os.chdir("/")


def empty(spec):
    """The folders of the program's own, but for names that lead elsewhere and have to be seen."""
    return [path for path in EMPTY if path not in spec["visible"] or not os.path.islink(path)]


def show(path, root):
    """Make a path visible below the new root, where it is there at all."""
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
    found = []
    with open("/proc/self/mountinfo") as file:
        for line in file:
            number, _, _, _, target, *_ = line.split()
            target = target.encode().decode("unicode_escape").encode("latin-1").decode("utf-8")
            found.append((number, target))
    return found


def read_only(target):
    """This mount cannot be written to; it keeps what else it was mounted with."""
    flags = os.statvfs(target).f_flag
    kept = sum(new for old, new in STATVFS_FLAGS.items() if flags & old)
    mount(None, target, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | kept)


def give_up_rights(root):
    """Nobody, with no capability, that can get none."""
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    for number in range(64):
        libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)
    if root:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    os.setsid()


def die_with_parent():
    """The system ends this process when its parent is gone."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def let_go_of_streams():
    """Only the program holds standard input and output open."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)


def wait_for(pid):
    """The status of this child once it has ended; others are reaped."""
    while True:
        ended, status = os.wait()
        if ended == pid:
            return status


def status_of(status):
    """The exit status as a shell has it."""
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


# --- the keeper -----------------------------------------------------------------------------------


def children_of(pid):
    """The children of a process."""
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                found += map(int, file.read().split())
    except OSError:
        pass
    return found


def descendants(pid, most):
    """The processes that a process has started, and theirs; no more than one above `most`."""
    found: list[int] = []
    waiting = children_of(pid)
    while waiting and len(found) <= most:
        each = waiting.pop()
        found.append(each)
        waiting += children_of(each)
    return found


def resident(pid):
    """The bytes of memory that a process has, those that are shared included."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def share(pid):
    """The bytes of memory of a process, what it shares divided among those who do."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return resident(pid)


def used_disk(folder):
    """The bytes that the files in a folder take; infinity if they are too many."""
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


def excess(spec, own, folder):
    """Which limit the processes exceed, "" if none; `own` of them are those of the sandbox."""
    most = spec["processes"] + own
    found = descendants(os.getpid(), most)
    if len(found) > most:
        return f"more than {spec['processes']} processes"
    if sum(map(resident, found)) > spec["memory"] and sum(map(share, found)) > spec["memory"]:
        return f"more than {spec['memory'] >> 20} MB of memory"
    if folder and used_disk(folder) > spec["disk"]:
        return f"more than {spec['disk'] >> 20} MB of files"
    return ""


def end_all():
    """End every process that was started here; those that are left come to us, their reaper."""
    while found := descendants(os.getpid(), 10**6):
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in found:
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
    """The command by which bubblewrap does what `in_namespaces` does.

    Its own standard error is left to it; the program has the descriptor `errors` for that.
    """
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
             "--hostname", "submission", "--dev", "/dev", "--proc", "/proc"]
    for path in empty(spec):
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
    """Run what the file says; returns the exit status."""
    try:
        with open(sys.argv[1]) as file:
            spec = json.load(file)
        return keep(spec)
    except Exception as error:
        complain(str(error))
        signal.signal(FAILURE, signal.SIG_DFL)
        os.kill(os.getpid(), FAILURE)


def keep(spec):
    """Run the program; returns the exit status.  Raises OSError if the sandbox fails."""
    if MARK in os.environ:
        spec["environment"][MARK] = os.environ[MARK]
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    die_with_parent()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    if used_disk(spec["origin"]) > spec["disk"]:
        return ended(f"more than {spec['disk'] >> 20} MB of files")
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
    let_go_of_streams()
    try:
        return watch(spec, folder, child, reader)
    finally:
        end_all()
        if folder:
            remove(folder)


def start(spec, folder, pipe):
    """In the child: become the program, in its sandbox; does not return."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        die_with_parent()
        if spec["kind"] == "namespaces":
            in_namespaces(spec, pipe)
        limit(spec)
        if spec["kind"] == "bwrap":
            errors = os.dup(2)  # the program's; the pipe has those of bubblewrap
            os.set_inheritable(errors, True)
            os.dup2(pipe, 2)
            os.execvpe("bwrap", bwrap_words(spec, errors), spec["environment"])
        become(spec, folder, pipe)
    except BaseException as error:
        os.write(pipe, f"cannot be made: {error}".encode("utf-8", "replace"))
    os._exit(1)


def watch(spec, folder, child, pipe):
    """Wait for the program, and look at what it uses; returns the exit status.

    Raises OSError if the sandbox fails.
    """
    own = {"namespaces": 2, "bwrap": 3, "limits": 0}[spec["kind"]]
    while True:
        reason = excess(spec, own, folder)
        if reason:
            end_all()
            return ended(reason)
        until = time.monotonic() + LOOK_SECONDS
        while time.monotonic() < until:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == child:
                check_sandbox(spec["kind"], status, pipe)
                return status_of(status)
            if not pid:
                time.sleep(0.005)


def ended(reason):
    """Say which limit was exceeded; returns the exit status."""
    complain(f"ended: {reason}")
    return ENDED


def check_sandbox(kind, status, pipe):
    """Raises OSError if the sandbox that has left this status, not its program, has failed."""
    os.set_blocking(pipe, False)
    try:
        said = os.read(pipe, 1 << 16)
    except BlockingIOError:  # what the program has started still holds it
        said = b""
    if not said.endswith(STARTED):
        text = said.removeprefix(STARTED).decode("utf-8", "replace").strip()
        raise OSError(text.replace("\n", "; ") or f"{kind} ended with status {status_of(status)}")
    if kind != "limits" and os.WIFSIGNALED(status):
        raise OSError(f"{kind} was ended by signal {os.WTERMSIG(status)}")


def remove(folder):
    """Remove a folder and all in it, whatever its rights are."""
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
