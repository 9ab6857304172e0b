package io.millrace.server.gateway.session;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.server.client.Frames;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers of whom the host's name service does not say who they are. */
class SlowNamesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;
  private final List<SocketChannel> callers = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> entered = new ConcurrentLinkedQueue<>();
  private final CountDownLatch service = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private ServerSocketChannel server;
  private SessionDoor door;

  /** Those who come first are known late. */
  private volatile int slow;

  @BeforeEach
  void open() throws IOException {
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(directory.resolve("socket")), 1024);
    SessionLimits.Openings openings = new SessionLimits.Openings(64 * 1024, 400, 400);
    SessionLimits limits = new SessionLimits(40, 40, 2, 2, openings, SessionTimeouts.defaults());
    door = new SessionDoor(server, limits, new SessionSlots(limits), this::enter, this::nameOf);
    door.start();
  }

  @AfterEach
  void close() throws IOException {
    service.countDown();
    door.close();
    server.close();
    for (SocketChannel caller : callers) {
      caller.close();
    }
  }

  private void enter(PendingOpening opening) {
    entered.add(opening.user());
    opening.drop();
  }

  private PeerIdentity nameOf(SocketChannel channel) throws IOException {
    int number = asked.getAndIncrement();
    if (number < slow) {
      try {
        service.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    return new PeerIdentity("caller " + number, "staff", () -> "");
  }

  private void call() throws IOException {
    SocketChannel caller = SocketChannel.open(StandardProtocolFamily.UNIX);
    callers.add(caller);
    caller.connect(UnixDomainSocketAddress.of(directory.resolve("socket")));
    byte[] hello = new byte[27];
    hello[1] = 1;
    for (byte[] frame :
        List.of(
            PendingOpening.frame(Frames.HELLO, hello),
            PendingOpening.frame(Frames.DIRECTORY, new byte[] {'/'}),
            PendingOpening.frame(Frames.GO, new byte[0]))) {
      caller.write(ByteBuffer.wrap(frame));
    }
  }

  @Test
  void keepNobodyElseWaiting() throws Exception {
    slow = 30;
    for (int i = 0; i < slow + 5; i++) {
      call();
    }
    await().atMost(PATIENCE).until(() -> entered.size() == 5);
    service.countDown();
    await().atMost(PATIENCE).until(() -> entered.size() == slow + 5);
  }

  @Test
  void quickOnesAreKnownInTheOrderInWhichTheyCame() throws Exception {
    for (int i = 0; i < 100; i++) {
      call();
    }
    await().atMost(PATIENCE).until(() -> entered.size() == 100);
    assertEquals(100, asked.get(), "each is asked for once");
  }
}
