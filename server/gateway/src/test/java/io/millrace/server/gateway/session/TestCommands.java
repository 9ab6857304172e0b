package io.millrace.server.gateway.session;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/** Commands that show what a session carries; each is named by the first argument. */
final class TestCommands implements CommandHandler {
  private final CountDownLatch never = new CountDownLatch(1);

  /** Between the commands of {@code each}. */
  static final String NEXT = ";";

  @Override
  public int run(Invocation call) throws IOException, InterruptedException {
    return run(call, call.args());
  }

  private int run(Invocation call, List<String> args) throws IOException, InterruptedException {
    switch (args.get(0)) {
      case "each":
        return each(call, args.subList(1, args.size()));
      case "exit":
        return Integer.parseInt(args.get(1));
      case "describe":
        describe(call);
        return 0;
      case "hash":
        call.out(hash(call.readFile(args.get(1), Integer.parseInt(args.get(2)))) + "\n");
        return 0;
      case "hash-stream":
        try (InputStream in = call.openFile(args.get(1))) {
          call.out(hash(in) + "\n");
        }
        return 0;
      case "hash-stdin":
        call.out(hash(call.stdin()) + "\n");
        return 0;
      case "first-byte":
        call.out(call.stdin().read() + "\n");
        return 0;
      case "interleave":
        for (int i = 0; i < 1000; i++) {
          call.out("out " + i + "\n");
          call.err("err " + i + "\n");
        }
        return 0;
      case "read":
        return read(call, args.get(1), Integer.parseInt(args.get(2)));
      case "write":
        return write(call, args.get(1), args.get(2), args.get(3).equals("append"));
      case "write-big":
        call.writeFile(args.get(1), call.readFile(args.get(2), 8 << 20), false);
        return 0;
      case "incident":
        throw new IllegalStateException("planted");
      case "uncaught":
        call.out("before\n");
        call.readFile(args.get(1), 10);
        return 0;
      case "hang-first":
        return hangFirst(call, args);
      default:
        call.err("unknown: " + args.get(0) + "\n");
        return 99;
    }
  }

  /** Several commands in one session, each with its status in a line after what it said. */
  private int each(Invocation call, List<String> args) throws IOException, InterruptedException {
    int from = 0;
    while (from < args.size()) {
      int to = from;
      while (to < args.size() && !args.get(to).equals(NEXT)) {
        to++;
      }
      call.out("=" + run(call, args.subList(from, to)) + "\n");
      from = to + 1;
    }
    return 0;
  }

  private static void describe(Invocation call) {
    call.out("command " + call.command() + "\n");
    call.args().forEach(arg -> call.out("arg <" + arg + ">\n"));
    new TreeMap<>(call.environment()).forEach((k, v) -> call.out("env " + k + "=" + v + "\n"));
    call.out("directory " + call.directory() + "\n");
    call.out("umask " + Integer.toOctalString(call.umask()) + "\n");
    call.out("user " + call.user() + " group " + call.group() + "\n");
    call.out("terminals " + call.stdinIsTerminal() + " " + call.stdoutIsTerminal() + "\n");
    call.out("columns " + call.columns() + "\n");
  }

  private static int read(Invocation call, String path, int most) {
    try {
      call.out(new String(call.readFile(path, most), StandardCharsets.UTF_8));
      return 0;
    } catch (FileTooLargeException e) {
      call.err("too large\n");
      return 2;
    } catch (IOException e) {
      call.err(e.getMessage() + "\n");
      return 1;
    }
  }

  private static int write(Invocation call, String path, String text, boolean append) {
    try {
      call.writeFile(path, text.getBytes(StandardCharsets.UTF_8), append);
      return 0;
    } catch (IOException e) {
      call.err(e.getMessage() + "\n");
      return 1;
    }
  }

  /**
   * Notes the command id and what it read in a log on the gateway's side; the first run then waits
   * to be killed, the second one ends.
   */
  private int hangFirst(Invocation call, List<String> args)
      throws IOException, InterruptedException {
    Path log = Path.of(args.get(1));
    boolean streaming = args.contains("streaming");
    call.out("begun\n");
    if (streaming) {
      call.streaming();
    }
    String input = args.contains("stdin") ? hash(call.stdin()) : "none";
    boolean first = !Files.exists(log);
    Files.writeString(
        log,
        call.commandId() + " " + input + (call.repeated() ? " repeated" : "") + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    if (first) {
      if (args.contains("under-way")) {
        call.underWay(call.commandId());
        Files.writeString(log, "under way\n", StandardOpenOption.APPEND);
      }
      never.await();
    }
    call.out("ended\n");
    return 5;
  }

  static String hash(byte[] content) {
    return HexFormat.of().formatHex(sha256().digest(content));
  }

  private static String hash(InputStream in) throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[10_000];
    int got = in.read(buffer);
    while (got > 0) {
      digest.update(buffer, 0, got);
      got = in.read(buffer);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A gateway process of its own: {@code TestCommands SOCKET}; says "listening" when it does. */
  public static void main(String[] args) throws IOException {
    SessionServer.start(Path.of(args[0]), SessionLimits.defaults(), new TestCommands());
    System.out.println("listening");
  }
}
