package io.millrace.server.client;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * Entry of the Java client: {@code ClientMain COMMAND [ARGUMENT...]}.
 *
 * <p>Exit status: the command's own; 1 with one line when the conversation fails; PBS's line and
 * code for a server that cannot be reached (qmgr 3, qstat 255, other q-commands the errno, else 1).
 */
public final class ClientMain {
  private static final int ECONNREFUSED = 111;
  private static final int EACCES = 13;
  private static final int BROKEN = -1;
  private static final int BROKEN_PIPE = 141;
  private static final int SOCKET_PATH_MAX = 107;

  private final String command;
  private final HeldOutput output;
  private final LocalFiles files;
  private final OpenOutcome outcome;
  private String reason = "";

  private ClientMain(String command, Streams streams) {
    this.command = command;
    this.output = new HeldOutput(streams);
    this.outcome = new OpenOutcome(command, output);
    this.files = new LocalFiles(streams.in());
  }

  /** Runs one command and ends the process with its exit status. */
  public static void main(String[] args) throws InterruptedException {
    if (args.length == 0) {
      say("millrace-client", "usage: millrace-client COMMAND [ARGUMENT...]");
      System.exit(2);
    }
    System.exit(call(Streams.ofProcess(), args));
  }

  /**
   * Runs a command to its end; what fails is said on this process's standard error.
   *
   * @param args the command and its arguments, which must be the last ones of this process
   * @return the exit status
   */
  public static int call(Streams streams, String[] args) throws InterruptedException {
    try {
      String[] rest = new String[args.length - 1];
      System.arraycopy(args, 1, rest, 0, rest.length);
      return new ClientMain(args[0], streams).run(rest);
    } catch (IOException | ProtocolViolation e) {
      say(args[0], e.getMessage());
      return 1;
    }
  }

  private int run(String[] args) throws IOException, InterruptedException {
    RetryBudget patience = RetryBudget.fromEnvironment();
    HttpGateway far = HttpGateway.fromEnvironment();
    String path = far == null ? socketPath() : far.url();
    Bytes opening = Caller.opening(command, args);
    NamedFiles named = far == null ? null : Caller.named(args);
    outcome.ifLost(far == null ? "" : Caller.commandId(opening, args));
    boolean reached = false;
    while (true) {
      int status = BROKEN;
      GatewayLink gateway = far == null ? connect(path) : connect(far, named);
      if (gateway != null) {
        reached = true;
        long begunNanos = System.nanoTime();
        status = converse(gateway, opening);
        patience.conversed((System.nanoTime() - begunNanos) / 1_000_000);
        if (status >= 0) {
          return withOutputFailure(status);
        }
        if (!files.repeatable() || output.committed()) {
          String broke = "the connection to the gateway broke and this command cannot be repeated:";
          say(command, broke + " see what it has done" + outcome.text());
          return outcome.status(1);
        }
        output.drop();
        files.rewind();
      }
      if (reached && patience.isLong()) {
        outcome.note(command + ": waiting for the gateway at " + path);
      }
      if (!patience.pause(reached)) {
        return giveUp(status, reached, path);
      }
    }
  }

  private GatewayLink connect(HttpGateway far, NamedFiles named) {
    try {
      return new HttpLink(far, output, named, outcome);
    } catch (IOException e) {
      reason = e.getMessage();
      return null;
    }
  }

  private GatewayLink connect(String path) {
    try {
      return GatewayConnection.open(UnixDomainSocketAddress.of(path));
    } catch (IOException e) {
      reason = e.getMessage();
      return null;
    }
  }

  private int converse(GatewayLink gateway, Bytes opening) throws IOException {
    outcome.mark(opening.array());
    Conversation conversation = new Conversation(gateway, output, files, outcome);
    try {
      int status = conversation.run(opening);
      reason = conversation.reason();
      return status;
    } catch (IOException e) {
      conversation.abandonWrite();
      reason = "";
      return BROKEN;
    } finally {
      gateway.close();
    }
  }

  private int withOutputFailure(int status) {
    if (output.failure() == null) {
      return status;
    }
    String words = Conversation.words(output.failure());
    if (words.equals("Broken pipe")) {
      return BROKEN_PIPE; // as a process that SIGPIPE ends, and as quietly
    }
    say(command, "standard output: " + words);
    return status == 0 ? 1 : status;
  }

  private int giveUp(int status, boolean reached, String path) {
    if (status == Conversation.TURNED_AWAY) {
      say(command, reason + outcome.text());
      return outcome.status(1);
    }
    boolean denied = "Permission denied".equals(reason);
    int errno = denied ? EACCES : ECONNREFUSED;
    String what =
        (reached ? "the gateway went away" : "no gateway")
            + " at "
            + path
            + (path.startsWith("/") ? "; start it with ./millrace up" : why())
            + outcome.text();
    if (command.equals("qmgr")) {
      // PBS's lines, in which it names no server; the third one is how to go on.
      write(
          (denied ? "Permission denied" : "Connection refused")
              + "\nqmgr: cannot connect to server \nqmgr: "
              + what);
      return outcome.status(3);
    }
    boolean submits = command.equals("qsub") || command.equals("sge/qsub");
    String undone = submits && outcome.isNothing() ? "not submitted: " : "";
    String server = "cannot connect to server " + hostName() + " (errno=" + errno + "): ";
    say(command, server + undone + what);
    if (command.equals("qstat")) {
      return 255;
    }
    return outcome.status(command.startsWith("q") ? errno : 1);
  }

  private String why() {
    return reason == null || reason.isEmpty() ? "" : " (" + reason + ")";
  }

  /** The rule that both clients share: the socket named, or the one of the home directory. */
  static String socketPath() {
    String given = System.getenv("MILLRACE_SOCKET");
    if (given == null || given.isEmpty()) {
      String home = System.getenv("MILLRACE_HOME");
      if (home == null || home.isEmpty()) {
        home = System.getProperty("millrace.home");
      }
      if (home == null || home.isEmpty()) {
        throw new ProtocolViolation("no socket: set MILLRACE_SOCKET or MILLRACE_HOME");
      }
      given = home + "/run/gateway.sock";
    }
    if (given.getBytes(StandardCharsets.UTF_8).length > SOCKET_PATH_MAX) {
      throw new ProtocolViolation(
          "socket path longer than " + SOCKET_PATH_MAX + " bytes: " + given);
    }
    return given;
  }

  private static String hostName() {
    File name = new File("/proc/sys/kernel/hostname");
    try (FileInputStream in = new FileInputStream(name)) {
      String host = new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
      int dot = host.indexOf('.');
      return dot < 0 ? host : host.substring(0, dot);
    } catch (IOException e) {
      return "localhost";
    }
  }

  private static void say(String command, String text) {
    write(command + ": " + text);
  }

  private static void write(String text) {
    byte[] line = (text + "\n").getBytes(StandardCharsets.UTF_8);
    try (FileOutputStream err = new FileOutputStream(FileDescriptor.err)) {
      err.write(line);
    } catch (IOException e) {
      System.exit(1); // standard error is closed: the status alone can tell
    }
  }
}
