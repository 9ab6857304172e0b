"""Opens connections that cost their server something and ask for little, until its input ends.

usage: slow_clients.py USER,... COUNT KIND TARGET...

USER: accounts that take turns; COUNT: connections to each target; KIND: "silent" says nothing, "drip"
says a byte a second, "deaf" asks for much and reads nothing, "each" all three in turn; TARGET: a port
of 127.0.0.1 for HTTP ("http:PORT"), another one ("tcp:PORT"), or the path of a gateway's socket.
What the server ends is opened again. Prints "ready" once all were opened.
"""
import os, pwd, resource, select, socket, struct, sys, time

KINDS = ["silent", "drip", "deaf"]


def frame(kind, payload):
    return struct.pack(">BI", kind, len(payload)) + payload


def opening():
    moment = int(time.time() * 1000).to_bytes(6, "big")
    hello = b"\0\1" + moment + b"\x70" + os.urandom(1) + b"\x80" + os.urandom(7) + struct.pack(">BHH", 0, 80, 18)
    return b"".join([frame(1, hello + b"qstat"), frame(2, b"-xf"), frame(3, b"HOME=/"), frame(4, b"/"), frame(5, b"")])


def words(target):
    if target.startswith("http:"):
        return b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    if target.startswith("tcp:"):
        return b"\0\7\0\0" + b"\0" * 1000  # half a megabyte is announced
    return opening()


def connect(target, uid):
    os.seteuid(0)
    os.seteuid(uid)  # the kernel tells the server who connects
    inet = target[:4] in ("http", "tcp:")
    made = socket.socket(socket.AF_INET if inet else socket.AF_UNIX)
    try:
        if inet:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            place = ("127.0.0.1", int(target.split(":")[1]))
        else:
            place = target
        made.settimeout(1)
        made.connect(place)
        made.setblocking(False)
        return made
    except OSError:
        made.close()
        return None


class Client:
    def __init__(self, target, uid, kind):
        self.target, self.uid, self.kind, self.socket = target, uid, kind, None

    def go_on(self):
        if self.socket is None:
            self.socket = connect(self.target, self.uid)
            self.said, self.words = 0, words(self.target)
        try:
            if self.socket and self.kind == "drip" and self.said < len(self.words):
                self.said += self.socket.send(self.words[self.said:self.said + 1])
            elif self.socket and self.kind == "deaf" and self.said < len(self.words):
                self.said += self.socket.send(self.words[self.said:])
            if self.socket and self.kind != "deaf" and not self.socket.recv(4096):
                self.end()
        except BlockingIOError:
            pass
        except OSError:
            self.end()

    def end(self):
        self.socket.close()
        self.socket = None


def keep(target, ready):
    """Opens all connections to one target and keeps them until the input ends."""
    clients = [
        Client(target, users[i % len(users)], KINDS[i // len(users) % 3] if kind == "each" else kind)
        for i in range(count)
    ]
    while True:
        for client in clients:
            client.go_on()
        if ready is not None:
            os.write(ready, b"!")
            ready = None
        if select.select([sys.stdin], [], [], 1)[0]:
            return


users = [pwd.getpwnam(name).pw_uid for name in sys.argv[1].split(",")]
count, kind, targets = int(sys.argv[2]), sys.argv[3], sys.argv[4:]
# A process for each target: one alone would have more files than a process may have.
limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
children = []
for target in targets:
    there, ready = os.pipe()
    if os.fork() == 0:
        os.close(there)
        keep(target, ready)
        os._exit(0)
    os.close(ready)
    children.append(there)
if all(os.read(there, 1) == b"!" for there in children):
    print("ready", flush=True)
for _ in children:
    os.wait()
