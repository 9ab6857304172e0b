package io.millrace.ops.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Parts that somebody starts and kills one by one, by their names, in his own order. */
public interface StartedParts {

  /** Names of the parts, brokers first. */
  List<String> parts();

  /** Starts a part that is not running and returns at once. Does nothing after {@link #killAll}. */
  void start(String part) throws IOException, InterruptedException;

  boolean alive(String part) throws IOException;

  /** Whether a running part is ready to serve. */
  boolean ready(String part) throws IOException;

  /** Sends SIGKILL to the process that was started; false when it has ended already. */
  boolean kill(String part) throws IOException;

  /** Sends SIGTERM; false when the part has ended already. */
  boolean askToEnd(String part) throws IOException;

  /** Waits until a part that was killed, or asked to end, is gone. */
  void awaitEnd(String part) throws IOException, InterruptedException;

  /** Keeps the output of a part's last process; null when there was none. */
  Path keepPrinted(String part, Path folder, int life) throws IOException;

  /** Kills all parts for good with SIGKILL. */
  void killAll() throws IOException;
}
