package io.millrace.schemas.door;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The kernel's tables of TCP sockets of this host, for one connection from here to here. */
final class ConnectionTable {
  /** Nothing that the kernel has a number for. */
  static final int NOBODY = -1;

  private static final String ESTABLISHED = "01";
  private static final String HALF_OPEN = "03";
  private static final String LISTENS = "0A";
  private static final int WORDS = 10;

  private final String folder;
  private final String[] ours;
  private final String[] theirs;

  /** How those may stand there who can have got the connection, the nearest first. */
  private final String[] listeners;

  private int listener = NOBODY;
  private int listenerRank;
  private int taker = NOBODY;
  private int keeper = NOBODY;
  private boolean ended;

  /**
   * @param folder where the tables are: {@code /proc/net}
   * @param ours our end of the connection
   * @param theirs the other end
   */
  ConnectionTable(String folder, InetSocketAddress ours, InetSocketAddress theirs) {
    this.folder = folder;
    this.ours = forms(ours);
    this.theirs = forms(theirs);
    String anyAddress = "0".repeat(32) + port(theirs);
    this.listeners =
        this.theirs.length == 1
            ? new String[] {this.theirs[0], anyAddress}
            : new String[] {
              this.theirs[0], this.theirs[1], "0".repeat(8) + port(theirs), anyAddress
            };
  }

  /**
   * Reads the tables as they are now.
   *
   * @throws IOException when this host does not tell
   */
  void read() throws IOException {
    listener = NOBODY;
    listenerRank = listeners.length;
    taker = NOBODY;
    keeper = NOBODY;
    ended = false;
    scan("tcp", true);
    scan("tcp6", false);
  }

  /** The uid of who listens where the connection went; {@link #NOBODY} when nobody is seen. */
  int listener() {
    return listener;
  }

  /** The uid of who has taken the connection; {@link #NOBODY} as long as it only waits there. */
  int taker() {
    return taker;
  }

  /**
   * The uid of whose listener keeps the connection half open; {@link #NOBODY} when it is not so.
   * Web servers have the kernel do that until something comes (TCP_DEFER_ACCEPT). It goes to nobody
   * but those who have this listener, and is reset when that is closed.
   */
  int keeper() {
    return keeper;
  }

  /** Whether the other side has closed it. */
  boolean ended() {
    return ended;
  }

  private void scan(String table, boolean needed) throws IOException {
    try (BufferedReader in =
        new BufferedReader(new FileReader(folder + "/" + table, StandardCharsets.US_ASCII))) {
      in.readLine(); // names of the columns
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        row(line.trim().split(" +"));
      }
    } catch (IOException e) {
      if (needed) {
        throw e;
      } // else a host without IPv6
    }
  }

  private void row(String[] word) {
    if (word.length < WORDS) {
      return;
    }
    int uid = Integer.parseUnsignedInt(word[7]);
    String local = word[1];
    String state = word[3];
    if (state.equals(LISTENS)) {
      int rank = place(local, listeners);
      if (rank >= 0 && rank < listenerRank) {
        listener = uid;
        listenerRank = rank;
      }
    } else if (place(local, theirs) >= 0 && place(word[2], ours) >= 0) {
      // Older kernels name root for a connection that nobody has taken: such a one has no inode.
      if (state.equals(ESTABLISHED) && !word[9].equals("0")) {
        taker = uid;
      } else if (state.equals(HALF_OPEN)) {
        keeper = uid;
      }
    } else if (place(local, ours) >= 0 && place(word[2], theirs) >= 0) {
      ended = !state.equals(ESTABLISHED);
    }
  }

  private static int place(String text, String[] forms) {
    for (int i = 0; i < forms.length; i++) {
      if (forms[i].equals(text)) {
        return i;
      }
    }
    return -1;
  }

  /** How the tables write an end of a connection; one of IPv4 also as a socket of IPv6 has it. */
  private static String[] forms(InetSocketAddress end) {
    InetAddress address = end.getAddress();
    String text = words(address.getAddress());
    if (!(address instanceof Inet4Address)) {
      return new String[] {text + port(end)};
    }
    byte[] prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};
    return new String[] {text + port(end), words(prefix) + text + port(end)};
  }

  private static String port(InetSocketAddress end) {
    return String.format(Locale.ROOT, ":%04X", end.getPort());
  }

  /** Words of four bytes, each in the order of this machine. */
  private static String words(byte[] address) {
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < address.length; i++) {
      int at = little ? i / 4 * 4 + 3 - i % 4 : i;
      text.append(String.format(Locale.ROOT, "%02X", address[at]));
    }
    return text.toString();
  }
}
