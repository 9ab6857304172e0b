# A hook of an OpenPBS server that Millrace drives or watches, for the events runjob and jobobit: adds a line for each
# begin and end of a job to the file that the key 'hook_file' of its cluster file names. Set FILE to a name in a folder
# that only root writes to. It accepts whatever happens: a job whose runjob hook rejects does not begin. It starts no
# program, and writes nothing that a job's owner could have chosen.
import os
import re
import stat
import time

import pbs

FILE = "/var/log/millrace-pbs/begins"


def word(kind):
    if kind == getattr(pbs, "RUNJOB", None):
        return "begin"
    return "end" if kind == getattr(pbs, "JOBOBIT", None) else None


def note(event):
    said = word(event.type)
    number = str(event.job.id)
    if said is None or re.fullmatch(r"[0-9]{1,12}(\[[0-9]{0,9}\])?\.[A-Za-z0-9.-]{1,255}", number) is None:
        return
    # A pipe that nobody reads would hold the server up, and a link would lead it elsewhere.
    how = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    file = os.open(FILE, how, 0o644)
    try:
        if stat.S_ISREG(os.fstat(file).st_mode):
            os.write(file, ("%s %s %d\n" % (said, number, time.time())).encode("ascii"))
    finally:
        os.close(file)


event = pbs.event()
try:
    note(event)
except Exception as trouble:
    pbs.logmsg(pbs.LOG_WARNING, "millrace: %s" % trouble)
event.accept()
