package io.millrace.connectors.oar;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that answers each request with the same bytes, whatever they are. */
final class BrokenServer implements AutoCloseable {

  private final ServerSocket listener;
  private final AtomicInteger requests = new AtomicInteger();
  private final CountDownLatch end = new CountDownLatch(1);

  /**
   * @param stays whether connections stay open behind the answer
   */
  BrokenServer(String answer, int times, boolean stays) throws IOException {
    listener = new ServerSocket(0, 20, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(() -> serve(answer, times, stays), "broken-server");
    thread.setDaemon(true);
    thread.start();
  }

  String url() {
    return "http://127.0.0.1:" + listener.getLocalPort() + "/oarapi";
  }

  int requests() {
    return requests.get();
  }

  private void serve(String answer, int times, boolean stays) {
    byte[] bytes = answer.getBytes(StandardCharsets.ISO_8859_1);
    while (!listener.isClosed()) {
      try (Socket socket = listener.accept();
          OutputStream out = socket.getOutputStream()) {
        readHead(socket);
        requests.incrementAndGet();
        for (int i = 0; i < times; i++) {
          out.write(bytes);
        }
        out.flush();
        if (stays) {
          end.await();
        }
      } catch (IOException e) {
        // The other end had enough, or this one was closed.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void readHead(Socket socket) throws IOException {
    int ends = 0;
    for (int c = socket.getInputStream().read(); c >= 0 && ends < 4; ) {
      ends = c == '\r' || c == '\n' ? ends + 1 : 0;
      c = ends == 4 ? c : socket.getInputStream().read();
    }
  }

  @Override
  public void close() throws IOException {
    end.countDown();
    listener.close();
  }
}
