package io.millrace.connectors.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands before slurmrestd; while it is told so, the answer to each third submission is lost after
 * it was carried out.
 */
final class LossyProxy implements AutoCloseable {

  private static final String SUBMISSION = "POST /slurm/v0.0.38/job/submit ";
  private static final int EACH = 3;
  private static final int PIECE_BYTES = 65_536;

  private final ServerSocket listener;
  private final int to;
  private final AtomicInteger submissions = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();
  private volatile boolean loses;

  /**
   * @param to port of this host
   */
  LossyProxy(int to) throws IOException {
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.to = to;
    begin("lossy-proxy", this::accept);
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void begin(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // One of both ends was closed.
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return listener.getLocalPort();
  }

  void loses(boolean is) {
    loses = is;
  }

  /** How many answers were lost. */
  int lost() {
    return lost.get();
  }

  private void accept() throws IOException {
    while (!listener.isClosed()) {
      Socket client = listener.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), to);
      AtomicBoolean next = new AtomicBoolean();
      begin("lossy-proxy-up", () -> up(client, server, next));
      begin("lossy-proxy-down", () -> down(client, server, next));
    }
  }

  private void up(Socket client, Socket server, AtomicBoolean next) throws IOException {
    try (client;
        server) {
      InputStream in = client.getInputStream();
      OutputStream out = server.getOutputStream();
      byte[] piece = new byte[PIECE_BYTES];
      for (int got = in.read(piece); got >= 0; got = in.read(piece)) {
        // A request begins with a piece: who sends it has had the last answer.
        String begin = new String(piece, 0, Math.min(got, 100), StandardCharsets.ISO_8859_1);
        if (begin.startsWith(SUBMISSION) && loses && submissions.incrementAndGet() % EACH == 1) {
          next.set(true);
        }
        out.write(piece, 0, got);
        out.flush();
      }
    }
  }

  private void down(Socket client, Socket server, AtomicBoolean next) throws IOException {
    try (client;
        server) {
      InputStream in = server.getInputStream();
      OutputStream out = client.getOutputStream();
      byte[] piece = new byte[PIECE_BYTES];
      for (int got = in.read(piece); got >= 0; got = in.read(piece)) {
        if (next.get()) {
          lost.incrementAndGet();
          return;
        }
        out.write(piece, 0, got);
        out.flush();
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
