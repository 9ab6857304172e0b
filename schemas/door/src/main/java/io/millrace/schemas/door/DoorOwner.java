package io.millrace.schemas.door;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;

/**
 * Lets nobody be at the other end of a connection on this host but root, this process's account,
 * and accounts that were named. A port of this host is anybody's once its door is gone.
 */
public final class DoorOwner {
  private static final int ROOT = 0;
  private static final String TABLES = "/proc/net";
  private static final long TAKEN_MS = 5_000;
  private static final long PAUSE_MS = 5;

  /** Each connection is half open for a moment; who takes it then is known better. */
  private static final int HALF_OPEN_LOOKS = 3;

  private static final int USUAL_FIRST_FREE_PORT = 1024;

  /** Every account of the machine, as the first line of a map of accounts says it. */
  private static final String ALL_ACCOUNTS = "0 0 4294967295";

  private final Set<Integer> named;

  /**
   * @param named numbers of the accounts that may hear us besides root and our own
   */
  public DoorOwner(Set<Integer> named) {
    this.named = Set.copyOf(named);
  }

  /**
   * Whether root alone decides who listens at a port of this host, so that nobody need be asked.
   */
  public static boolean isOpenedByRootOnly(int port) {
    int firstFree = USUAL_FIRST_FREE_PORT;
    try {
      String said = AccountNumbers.line("/proc/sys/net/ipv4/ip_unprivileged_port_start", "").trim();
      firstFree = said.matches("[0-9]{1,5}") ? Integer.parseInt(said) : firstFree;
    } catch (IOException e) {
      // a kernel from before the port could be set
    }
    return port > 0 && port < firstFree;
  }

  /**
   * Returns once an account that may hear us has taken the connection, or the kernel keeps it half
   * open for its listener until we speak.
   *
   * @throws StrangeDoor when another account has it
   * @throws NothingSent when nobody takes it in time, or the kernel does not say who
   */
  void check(Socket connection) throws NothingSent {
    check(
        new ConnectionTable(
            TABLES,
            (InetSocketAddress) connection.getLocalSocketAddress(),
            (InetSocketAddress) connection.getRemoteSocketAddress()));
  }

  /** The same, with the connection's table. */
  void check(ConnectionTable table) throws NothingSent {
    int halfOpen = 0;
    long end = System.nanoTime() + TAKEN_MS * 1_000_000;
    try {
      do {
        table.read();
        // Who only listens could take it after we have spoken.
        int seen = seen(table);
        if (seen != ConnectionTable.NOBODY && !isTrusted(seen)) {
          throw new StrangeDoor(AccountNumbers.name(seen));
        }
        halfOpen = table.keeper() == ConnectionTable.NOBODY ? 0 : halfOpen + 1;
        if (table.taker() != ConnectionTable.NOBODY || halfOpen == HALF_OPEN_LOOKS) {
          return;
        }
        if (table.ended()) {
          throw new NothingSent("the connection was closed");
        }
        pause();
      } while (System.nanoTime() < end);
    } catch (NothingSent e) {
      throw e;
    } catch (IOException e) {
      throw new NothingSent("this host does not tell who listens there: " + e.getMessage(), e);
    }
    throw new NothingSent("nobody takes the connection");
  }

  private static int seen(ConnectionTable table) {
    if (table.taker() != ConnectionTable.NOBODY) {
      return table.taker();
    }
    return table.keeper() == ConnectionTable.NOBODY ? table.listener() : table.keeper();
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NothingSent("interrupted");
    }
  }

  private boolean isTrusted(int uid) throws IOException {
    if (isNameless(uid)) {
      return false;
    }
    return uid == ROOT || uid == AccountNumbers.own() || named.contains(uid);
  }

  /** In a user namespace one number stands for all accounts that it does not have. */
  private static boolean isNameless(int uid) throws IOException {
    String map = AccountNumbers.line("/proc/self/uid_map", "").trim().replaceAll(" +", " ");
    if (ALL_ACCOUNTS.equals(map)) {
      return false;
    }
    return AccountNumbers.line("/proc/sys/kernel/overflowuid", "")
        .trim()
        .equals(String.valueOf(uid));
  }
}
