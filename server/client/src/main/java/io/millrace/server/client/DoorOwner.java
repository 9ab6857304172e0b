package io.millrace.server.client;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Lets nobody be at the other end of a connection on this host but root, this process's account,
 * and the account whose home {@code MILLRACE_HOME} or the place of this program names. A port of
 * this host is anybody's once its door is gone.
 */
final class DoorOwner {
  private static final int ROOT = 0;
  private static final String TABLES = "/proc/net";
  private static final long TAKEN_MS = 5_000;
  private static final long PAUSE_MS = 5;

  /** Every account of the machine, as the first line of a map of accounts says it. */
  private static final String ALL_ACCOUNTS = "0 0 4294967295";

  private DoorOwner() {}

  /**
   * Returns once an account that may hear us has taken the connection.
   *
   * @param url how the door is called
   * @throws ProtocolViolation in one line when another account has it
   * @throws IOException when nobody takes it in time, or the kernel does not say who
   */
  static void check(Socket connection, String url) throws IOException {
    ConnectionTable table =
        new ConnectionTable(
            TABLES,
            (InetSocketAddress) connection.getLocalSocketAddress(),
            (InetSocketAddress) connection.getRemoteSocketAddress());
    long end = System.nanoTime() + TAKEN_MS * 1_000_000;
    do {
      table.read();
      // Who only listens could take it after we have spoken.
      int seen = table.taker() == ConnectionTable.NOBODY ? table.listener() : table.taker();
      if (seen != ConnectionTable.NOBODY && !isTrusted(seen)) {
        throw new ProtocolViolation(
            url
                + " is not Millrace's door: it belongs to account "
                + name(seen)
                + "; nothing was sent there");
      }
      if (table.taker() != ConnectionTable.NOBODY) {
        return;
      }
      if (table.ended()) {
        throw new IOException("the connection was closed");
      }
      pause();
    } while (System.nanoTime() < end);
    throw new IOException("nobody takes the connection");
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static boolean isTrusted(int uid) throws IOException {
    if (isNameless(uid)) {
      return false;
    }
    return uid == ROOT || uid == ownUid() || uid == homeUid();
  }

  /** In a user namespace one number stands for all accounts that it does not have. */
  private static boolean isNameless(int uid) throws IOException {
    if (ALL_ACCOUNTS.equals(line("/proc/self/uid_map", "").trim().replaceAll(" +", " "))) {
      return false;
    }
    return line("/proc/sys/kernel/overflowuid", "").trim().equals(String.valueOf(uid));
  }

  private static int ownUid() throws IOException {
    String[] uids = line("/proc/self/status", "Uid:").trim().split("\\s+");
    return Integer.parseUnsignedInt(uids[2]); // the real one stands before the effective one
  }

  private static int homeUid() throws IOException {
    String home = System.getenv("MILLRACE_HOME");
    if (home == null || home.isEmpty()) {
      home = System.getProperty("millrace.home");
    }
    if (home == null || home.isEmpty() || !Files.isDirectory(Path.of(home))) {
      return ROOT;
    }
    return (Integer) Files.getAttribute(Path.of(home), "unix:uid");
  }

  /** The first line of a file that begins so; empty when there is none. */
  private static String line(String file, String begin) throws IOException {
    try (BufferedReader in =
        new BufferedReader(new FileReader(file, StandardCharsets.ISO_8859_1))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith(begin)) {
          return line;
        }
      }
    }
    return "";
  }

  /** The account's name where this host's own file has it, else its number. */
  private static String name(int uid) {
    String number = Integer.toUnsignedString(uid);
    try (BufferedReader in =
        new BufferedReader(new FileReader("/etc/passwd", StandardCharsets.ISO_8859_1))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] field = line.split(":");
        if (field.length > 2 && field[2].equals(number)) {
          return field[0];
        }
      }
    } catch (IOException e) {
      return number; // a host without that file
    }
    return number;
  }
}
