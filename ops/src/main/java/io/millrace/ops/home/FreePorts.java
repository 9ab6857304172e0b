package io.millrace.ops.home;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/**
 * Ports for a home's own broker, below the range that Linux uses for outgoing connections, in slots
 * of 20.
 *
 * <p>Seconds pass between the choice and the moment when the broker listens. Meanwhile the last
 * port of the slot is bound, so that nobody else who makes a home chooses the same slot.
 */
final class FreePorts {
  static final int FIRST = 19_092;
  static final int SPACING = 20;
  static final int SLOTS = 600;

  /** From the first one of a slot on: for clients, the quorum and the registry. */
  private static final int LISTENERS = 3;

  private static final int TRIES_MAX = 100;

  /** Until this process ends: by then the broker listens, or was never to be started. */
  private static final List<ServerSocket> KEPT = new CopyOnWriteArrayList<>();

  private FreePorts() {}

  /**
   * The first port of a slot that is free, and kept from others while this process runs.
   *
   * @param random chooses the slot. The first free one may belong to a home that is down just now
   */
  static int choose(Random random) throws IOException {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      int port = FIRST + SPACING * random.nextInt(SLOTS);
      if (keep(port)) {
        return port;
      }
    }
    throw new IOException("no free ports from " + FIRST + " on");
  }

  private static boolean keep(int first) throws IOException {
    ServerSocket last;
    try {
      last = bound(first + SPACING - 1);
    } catch (BindException e) {
      return false;
    }
    if (!IntStream.range(first, first + LISTENERS).allMatch(FreePorts::free)) {
      last.close();
      return false;
    }
    KEPT.add(last);
    return true;
  }

  static boolean free(int port) {
    try (ServerSocket socket = bound(port)) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static ServerSocket bound(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
