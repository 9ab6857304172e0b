package io.millrace.server.client;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.UUID;

/**
 * What this process was called with, as bytes. Arguments and environment come from {@code /proc},
 * since the JVM has decoded its own copies by the locale and may have lost what the locale lacks.
 */
final class Caller {
  private static final int DEFAULT_COLUMNS = 80;
  private static final int DEFAULT_UMASK = 022;

  private Caller() {}

  /** The frames that open a conversation; the command id in them is new and random. */
  static Bytes opening(String command, String[] args) throws IOException {
    return opening(command, arguments(args));
  }

  /** The same for arguments that are not those of this process. */
  static Bytes opening(String command, List<byte[]> arguments) throws IOException {
    List<byte[]> environment = environment();
    Bytes hello = new Bytes().number(Frames.VERSION, 2).add(commandId());
    hello.number(terminals(), 1).number(columns(), 2).number(umask(), 2);
    hello.add(command.getBytes(StandardCharsets.UTF_8));
    Bytes all = new Bytes().frame(Frames.HELLO, hello.array(), hello.length());
    for (byte[] argument : arguments) {
      all.frame(Frames.ARG, argument, argument.length);
    }
    // Times that a user types are those of his own clock; the first of a name counts.
    byte[] zone = ("MILLRACE_CLIENT_ZONE=" + zone()).getBytes(StandardCharsets.UTF_8);
    all.frame(Frames.ENV, zone, zone.length);
    for (byte[] entry : environment) {
      all.frame(Frames.ENV, entry, entry.length);
    }
    byte[] directory = directory(environment);
    return all.frame(Frames.DIRECTORY, directory, directory.length)
        .frame(Frames.GO, new byte[0], 0);
  }

  /** Name of the zone of this process, as the variable TZ or its host has it. */
  private static String zone() {
    return TimeZone.getDefault().getID();
  }

  /** The id under which a call is done once: the one that it was called with, or its own. */
  static String commandId(Bytes opening, String[] args) {
    if (args.length > 1 && args[0].equals("--command-id")) {
      return args[1];
    }
    ByteBuffer id = ByteBuffer.wrap(opening.array(), Frames.HEADER + 2, 16);
    return new UUID(id.getLong(), id.getLong()).toString();
  }

  /** The files that may be read and written for a gateway of another host. */
  static NamedFiles named(String[] args) throws IOException {
    List<String> words = new ArrayList<>(args.length);
    for (byte[] argument : arguments(args)) {
      words.add(new String(argument, StandardCharsets.UTF_8));
    }
    String directory = new String(directory(environment()), StandardCharsets.UTF_8);
    return new NamedFiles(words, directory, System.getenv("PBS_NODEFILE"));
  }

  /** A UUID of version 7: shards forget commands by the time in the first six bytes. */
  private static byte[] commandId() throws IOException {
    try (FileInputStream random = new FileInputStream("/dev/urandom")) {
      byte[] id = random.readNBytes(16);
      long now = System.currentTimeMillis();
      for (int i = 0; i < 6; i++) {
        id[i] = (byte) (now >>> (40 - 8 * i));
      }
      id[6] = (byte) (id[6] & 0x0f | 0x70);
      id[8] = (byte) (id[8] & 0x3f | 0x80);
      return id;
    }
  }

  private static List<byte[]> arguments(String[] args) {
    List<byte[]> all = pieces("/proc/self/cmdline");
    if (all.size() > args.length) {
      return all.subList(all.size() - args.length, all.size());
    }
    List<byte[]> decoded = new ArrayList<>(args.length);
    for (String argument : args) {
      decoded.add(argument.getBytes(StandardCharsets.UTF_8));
    }
    return decoded;
  }

  private static List<byte[]> environment() {
    List<byte[]> all = pieces("/proc/self/environ");
    if (all.isEmpty()) {
      for (Map.Entry<String, String> entry : System.getenv().entrySet()) {
        String line = entry.getKey() + "=" + entry.getValue();
        all.add(line.getBytes(StandardCharsets.UTF_8));
      }
    }
    return all;
  }

  /** The strings of a file in which each ends with a NUL; none when it cannot be read. */
  private static List<byte[]> pieces(String path) {
    List<byte[]> pieces = new ArrayList<>();
    byte[] content = content(path);
    int start = 0;
    for (int i = 0; i < content.length; i++) {
      if (content[i] == 0) {
        pieces.add(Arrays.copyOfRange(content, start, i));
        start = i + 1;
      }
    }
    return pieces;
  }

  private static byte[] content(String path) {
    try (FileInputStream in = new FileInputStream(path)) {
      return in.readAllBytes();
    } catch (IOException e) {
      return new byte[0]; // no such view of the process here: the callers have another source
    }
  }

  /** The directory by the name the user's shell has for it, as long as it is the same one. */
  private static byte[] directory(List<byte[]> environment) throws IOException {
    String here = new File("/proc/self/cwd").getCanonicalPath();
    for (byte[] entry : environment) {
      String line = new String(entry, StandardCharsets.UTF_8);
      if (line.startsWith("PWD=/") && here.equals(new File(line.substring(4)).getCanonicalPath())) {
        return Arrays.copyOfRange(entry, 4, entry.length);
      }
    }
    return here.getBytes(StandardCharsets.UTF_8);
  }

  private static int terminals() {
    return (terminal(0) ? Frames.STDIN_TERMINAL : 0) | (terminal(1) ? Frames.STDOUT_TERMINAL : 0);
  }

  private static boolean terminal(int descriptor) {
    try {
      String name = new File("/proc/self/fd/" + descriptor).getCanonicalPath();
      return name.startsWith("/dev/pts/") || name.startsWith("/dev/tty") || isConsole(name);
    } catch (IOException e) {
      return false; // closed
    }
  }

  private static boolean isConsole(String name) {
    return name.equals("/dev/console");
  }

  /** Plain Java cannot ask the terminal; a shell that knows the width exports it. */
  private static int columns() {
    String given = System.getenv("COLUMNS");
    if (given != null && !given.isEmpty() && given.length() <= 4) {
      try {
        int columns = Integer.parseInt(given);
        return columns > 0 ? columns : DEFAULT_COLUMNS;
      } catch (NumberFormatException e) {
        return DEFAULT_COLUMNS;
      }
    }
    return DEFAULT_COLUMNS;
  }

  private static int umask() {
    String status = new String(content("/proc/self/status"), StandardCharsets.ISO_8859_1);
    int at = status.indexOf("\nUmask:");
    if (at < 0) {
      return DEFAULT_UMASK;
    }
    int end = status.indexOf('\n', at + 1);
    return Integer.parseInt(status.substring(at + 7, end).trim(), 8);
  }
}
