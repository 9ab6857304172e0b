package io.millrace.ops.e2e;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Says what nobody of ours would say, over a connection for each saying, several at once, and hears
 * the answers up to their ends.
 */
final class FuzzedConnections implements AutoCloseable {
  private static final int AT_ONCE = 8;

  /** Longer than any time limit of a listener for what is not said. */
  private static final long END_S = 60;

  private static final int HEARD_MAX = 1 << 20;

  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService callers = Executors.newFixedThreadPool(AT_ONCE);
  private final SocketAddress place;

  FuzzedConnections(SocketAddress place) {
    this.place = place;
  }

  /**
   * Something to say.
   *
   * @param whole tells of what was heard so far whether it is all; none: our end is closed when all
   *     was said, and all is what comes before the other end is
   */
  record Saying(byte[] bytes, Optional<Predicate<byte[]>> whole) {}

  /**
   * Says so many things.
   *
   * @param next makes the next one; asked by one thread at a time
   * @param fault what is wrong with an answer; empty when nothing is
   * @return all faults, among them each connection that did not end
   */
  List<String> say(int count, Supplier<Saying> next, Function<byte[], String> fault)
      throws InterruptedException {
    List<Future<String>> all = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Saying saying = next.get();
      all.add(callers.submit(() -> one(saying, fault)));
      if (all.size() == 1000 || i == count - 1) {
        for (Future<String> each : all) {
          try {
            faults.add(each.get());
          } catch (ExecutionException e) {
            faults.add(e.getCause().toString());
          }
        }
        faults.removeIf(String::isEmpty);
        all.clear();
      }
    }
    return faults;
  }

  private String one(Saying saying, Function<byte[], String> fault) throws IOException {
    AtomicBoolean late = new AtomicBoolean();
    try (SocketChannel channel = SocketChannel.open(place)) {
      Future<?> end =
          clock.schedule(
              () -> {
                late.set(true);
                channel.close();
                return null;
              },
              END_S,
              TimeUnit.SECONDS);
      byte[] heard = exchange(channel, saying);
      end.cancel(false);
      String wrong = late.get() ? "no end" : fault.apply(heard);
      return wrong.isEmpty() ? "" : wrong + " after " + text(saying.bytes());
    }
  }

  private static byte[] exchange(SocketChannel channel, Saying saying) {
    ByteArrayOutputStream heard = new ByteArrayOutputStream();
    try {
      ByteBuffer out = ByteBuffer.wrap(saying.bytes());
      while (out.hasRemaining()) {
        channel.write(out);
      }
      if (saying.whole().isEmpty()) {
        channel.shutdownOutput();
      }
      ByteBuffer in = ByteBuffer.allocate(8192);
      while (channel.read(in.clear()) >= 0 && heard.size() < HEARD_MAX) {
        heard.write(in.array(), 0, in.position());
        if (saying.whole().isPresent() && saying.whole().get().test(heard.toByteArray())) {
          break;
        }
      }
    } catch (IOException e) {
      // The other side has closed, and what it said before counts.
      return heard.toByteArray();
    }
    return heard.toByteArray();
  }

  /** The beginning of what was said, to be read in a report. */
  static String text(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(bytes.length, 400); i++) {
      char each = (char) (bytes[i] & 0xff);
      text.append(
          each >= ' ' && each <= '~' ? String.valueOf(each) : String.format("\\%02x", +each));
    }
    return text + (bytes.length > 400 ? "... of " + bytes.length : "");
  }

  @Override
  public void close() {
    callers.shutdownNow();
    clock.shutdownNow();
  }
}
