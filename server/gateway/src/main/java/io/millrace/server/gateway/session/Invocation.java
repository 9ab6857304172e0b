package io.millrace.server.gateway.session;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One invocation of a command by a verified local user. Not thread-safe.
 *
 * <p>Every method that speaks with the client throws {@link ClientGoneException} (unchecked) when
 * the connection is lost; an {@link IOException} is always about the file that was asked for.
 */
public interface Invocation {

  /** Base name of the command as it was called: {@code "qsub"}, or {@code "millrace"}. */
  String command();

  /** The arguments, without the command's own name. */
  List<String> args();

  /** The client's environment. */
  Map<String, String> environment();

  /** The client's current directory, absolute. */
  String directory();

  /** The client's umask, 0 to 0777. */
  int umask();

  /** The caller's user name, from the kernel's uid. */
  String user();

  /** The caller's primary group name, from the kernel's gid; its number when it has no name. */
  String group();

  /** Host from which the caller speaks; empty for the gateway's own. */
  default String host() {
    return "";
  }

  /** Identity of this invocation; stays the same when the client retries it. */
  UUID commandId();

  /** Whether the client's standard input is a terminal. */
  boolean stdinIsTerminal();

  /** Whether the client's standard output is a terminal. */
  boolean stdoutIsTerminal();

  /**
   * Declares that this invocation may last for hours: it then counts among the lasting ones and
   * takes no slot of the short ones. Must be called before the command has done anything.
   *
   * @throws GatewayBusyException when all slots for lasting invocations are in use; the command
   *     must pass it on
   */
  void lasts() throws GatewayBusyException;

  /** Width of the client's terminal in characters; 80 when unknown. */
  int columns();

  /**
   * Text for standard output, sent as UTF-8; shown at exit unless {@link #streaming} was called.
   * While streaming each call is sent at once: pass whole screens rather than single lines.
   */
  void out(String text);

  /**
   * One line for standard error that is shown at once, unless another one was: why it takes so
   * long. The invocation stays repeatable.
   */
  default void note(String line) {
    err(line);
  }

  /**
   * Called before the first command of the invocation goes out: a client that loses us from then on
   * cannot know what becomes of it.
   *
   * @param id under which the invocation is done once however often it is repeated
   */
  default void underWay(UUID id) {
    // Who has no client of its own gets its answer from here, or none.
  }

  /** Whether a command of it may have gone out before: what happens now is not all there is. */
  default boolean repeated() {
    return false;
  }

  /** Text for standard error, sent as UTF-8; shown at exit unless {@link #streaming} was called. */
  void err(String text);

  /** Bytes for standard output or standard error as they are, shown like {@link #out}. */
  void print(byte[] bytes, boolean error);

  /**
   * From here on output is shown at once, and a broken connection is an error instead of a retry:
   * the invocation is no longer repeatable.
   */
  void streaming();

  /**
   * The whole content of a file, opened by the client with the user's own rights.
   *
   * @param path absolute, or relative to {@link #directory}
   * @param maxBytes the largest content that is accepted
   * @throws FileTooLargeException when the file holds more than {@code maxBytes}
   * @throws IOException with the system's words as message, for example "No such file or directory"
   */
  byte[] readFile(String path, int maxBytes) throws IOException;

  /**
   * A file of any size, read in chunks as the stream is consumed; the client never runs ahead.
   *
   * @throws IOException with the system's words as message when it cannot be opened
   */
  InputStream openFile(String path) throws IOException;

  /** The client's standard input, read in chunks as the stream is consumed. */
  InputStream stdin();

  /**
   * Writes a file with the user's own rights and umask. An invocation that is repeated writes
   * again: what is appended must make sense twice.
   *
   * @param append true adds to the end; false replaces the file in one step (temporary file and
   *     rename), so that a reader sees the old content or the new one, never a part
   * @throws IOException with the system's words as message
   */
  void writeFile(String path, byte[] content, boolean append) throws IOException;

  /** Whether the client can hand its terminal over to a job. */
  boolean servesTerminal();

  /**
   * Has the client listen for a job that is to have its terminal.
   *
   * @return path of the socket; the same when it is asked again
   * @throws IOException with the system's words as message
   */
  String listen() throws IOException;

  /**
   * Has the client wait for the job, and hand its terminal over when it connects. From then on the
   * client needs nobody here and closes; until then it hears what is told and may be ended.
   */
  void attend(String jobId);

  /** Whether the client has closed its end: nobody will see what is sent from now on. */
  boolean clientGone();
}
