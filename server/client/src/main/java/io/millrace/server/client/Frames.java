package io.millrace.server.client;

/**
 * The numbers of the protocol. A frame is one byte of type, four bytes of payload length (big
 * endian) and the payload; all integers are big endian and unsigned.
 */
public final class Frames {
  /** What {@link #HELLO} carries first; a gateway refuses another version by name. */
  public static final int VERSION = 1;

  /** The largest payload in bytes; larger content takes several frames. */
  public static final int PAYLOAD_MAX = 256 * 1024;

  /** Bytes before the payload. */
  public static final int HEADER = 5;

  /** Files that may be open at once by {@link #OPEN_FILE}: handles 0 to 7. */
  public static final int HANDLES = 8;

  /** Client: version u16, command id 16 bytes, flags u8, columns u16, umask u16, command name. */
  public static final int HELLO = 0x01;

  /** Client: one argument. */
  public static final int ARG = 0x02;

  /** Client: one {@code NAME=value} of the environment. */
  public static final int ENV = 0x03;

  /** Client: the current directory. */
  public static final int DIRECTORY = 0x04;

  /** Client: the opening is complete; empty. */
  public static final int GO = 0x05;

  /** Answer: bytes of a file or of standard input. */
  public static final int CHUNK = 0x10;

  /** Answer: the end of a file or of standard input; empty. */
  public static final int END = 0x11;

  /** Answer: the request failed; the system's words. */
  public static final int ERROR = 0x12;

  /** Answer: the file holds more than was asked for; empty. */
  public static final int TOO_LARGE = 0x13;

  /** Answer: opened, or written; empty. */
  public static final int DONE = 0x14;

  /** Gateway: bytes for standard output. */
  public static final int OUT = 0x20;

  /** Gateway: bytes for standard error. */
  public static final int ERR = 0x21;

  /** Gateway: show output at once from here on; empty. */
  public static final int COMMIT = 0x22;

  /** Gateway: max bytes u32, path; answered by chunks and an end. */
  public static final int READ_FILE = 0x23;

  /** Gateway: max bytes u32; answered by one chunk or the end. */
  public static final int READ_STDIN = 0x24;

  /** Gateway: handle u8, path; answered by done or an error. */
  public static final int OPEN_FILE = 0x25;

  /** Gateway: handle u8, max bytes u32; answered by one chunk or the end. */
  public static final int READ_CHUNK = 0x26;

  /** Gateway: handle u8; no answer. */
  public static final int CLOSE_FILE = 0x27;

  /** Gateway: mode u8 (0 replace, 1 append), path; no answer yet. */
  public static final int WRITE_BEGIN = 0x28;

  /** Gateway: bytes of the file that is being written; no answer yet. */
  public static final int WRITE_PART = 0x29;

  /** Gateway: the content is complete; answered by done or an error; empty. */
  public static final int WRITE_END = 0x2a;

  /** Gateway: exit status u8; the last frame. */
  public static final int EXIT = 0x2b;

  /** Gateway: not now, the reason; the client may come again. */
  public static final int BUSY = 0x2c;

  /** Gateway: listen for a job that wants this terminal; answered by a chunk, the socket's path. */
  public static final int LISTEN = 0x2d;

  /** Gateway: the id of the job to wait for; what follows is said while it has not come. */
  public static final int ATTEND = 0x2e;

  /** Gateway: one line for standard error, shown at once unless one was; nothing is committed. */
  public static final int NOTE = 0x2f;

  /** Gateway: a command goes out now; the id under which the invocation is done once, as text. */
  public static final int UNDER_WAY = 0x30;

  /** Flag in {@link #HELLO}: the client can hand its terminal over. */
  public static final int SERVES_TERMINAL = 4;

  /** Flag in {@link #HELLO}: {@link #UNDER_WAY} was heard before the connection broke. */
  public static final int WAS_UNDER_WAY = 8;

  /** Place of the flags in {@link #HELLO}. */
  static final int FLAGS = 18;

  /** Flag in {@link #HELLO}: standard input is a terminal. */
  public static final int STDIN_TERMINAL = 1;

  /** Flag in {@link #HELLO}: standard output is a terminal. */
  public static final int STDOUT_TERMINAL = 2;

  private Frames() {}
}
