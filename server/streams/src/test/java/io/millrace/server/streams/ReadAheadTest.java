package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReadAheadTest {
  private static final String READER = "-reads-ahead";
  private static final Set<Thread.State> WAITING =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void allIsTakenInOrderByTheCaller() {
    for (int count : new int[] {0, 1, 255, 256, 257, 5_000, 100_000}) {
      List<String> taken = new ArrayList<>();
      Set<Thread> takers = new HashSet<>();
      ReadAhead.each(
          numbers(count).iterator(),
          number -> "n" + number,
          text -> {
            taken.add(text);
            takers.add(Thread.currentThread());
          });
      assertEquals(numbers(count).stream().map(number -> "n" + number).toList(), taken);
      assertTrue(takers.isEmpty() || takers.equals(Set.of(Thread.currentThread())));
    }
  }

  @Test
  void theSourceIsReadByOneOtherThreadThatEnds() {
    Set<Thread> readers = ConcurrentHashMap.newKeySet();
    Iterator<Integer> numbers = numbers(10_000).iterator();
    Iterator<Integer> watched =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            readers.add(Thread.currentThread());
            return numbers.hasNext();
          }

          @Override
          public Integer next() {
            return numbers.next();
          }
        };
    ReadAhead.each(watched, number -> number, number -> {});
    assertEquals(1, readers.size());
    assertTrue(readers.stream().noneMatch(Thread::isAlive));
  }

  @Test
  void theEndIsSeenWhenItIsThere() {
    long shortestMs = Long.MAX_VALUE;
    Thread caller = Thread.currentThread();
    // The machine may be busy with something else, but hardly each time.
    for (int i = 0; i < 100 && shortestMs >= 50; i++) {
      AtomicLong endNanos = new AtomicLong();
      Iterator<Integer> empty =
          new Iterator<>() {
            @Override
            public boolean hasNext() {
              awaitWaiting(caller);
              endNanos.set(System.nanoTime());
              return false;
            }

            @Override
            public Integer next() {
              throw new NoSuchElementException();
            }
          };
      ReadAhead.each(empty, number -> number, number -> {});
      shortestMs =
          Math.min(shortestMs, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - endNanos.get()));
    }
    assertTrue(shortestMs < 50, "an empty table took " + shortestMs + " ms or more");
  }

  private static void awaitWaiting(Thread thread) {
    Awaitility.await()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> WAITING.contains(thread.getState()));
  }

  @Test
  void aSourceThatFailsIsTold() {
    IllegalArgumentException why = new IllegalArgumentException("damaged");
    Iterator<Integer> damaged =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            throw why;
          }

          @Override
          public Integer next() {
            throw why;
          }
        };
    IllegalStateException told =
        assertThrows(
            IllegalStateException.class, () -> ReadAhead.each(damaged, number -> number, n -> {}));
    assertSame(why, told.getCause());
  }

  @Test
  void whatFailsInTheReaderIsTold() {
    IllegalArgumentException why = new IllegalArgumentException("damaged");
    IllegalStateException told =
        assertThrows(
            IllegalStateException.class,
            () ->
                ReadAhead.each(
                    numbers(50_000).iterator(),
                    number -> {
                      if (number == 40_000) {
                        throw why;
                      }
                      return number;
                    },
                    number -> {}));
    assertSame(why, told.getCause());
  }

  @Test
  void aCallerThatFailsWhenAllIsReadAheadDoesNotWait() {
    IllegalArgumentException why = new IllegalArgumentException("enough");
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () ->
            assertSame(
                why,
                assertThrows(
                    IllegalArgumentException.class,
                    () ->
                        ReadAhead.each(
                            numbers(1_000_000).iterator(),
                            number -> number,
                            number -> {
                              awaitWaiting(reader());
                              throw why;
                            }))));
  }

  private static Thread reader() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().endsWith(READER))
        .findAny()
        .orElseThrow();
  }

  @Test
  void aCallerThatFailsLeavesNoReaderBehind() {
    IllegalArgumentException why = new IllegalArgumentException("enough");
    assertSame(
        why,
        assertThrows(
            IllegalArgumentException.class,
            () ->
                ReadAhead.each(
                    numbers(1_000_000).iterator(),
                    number -> number,
                    number -> {
                      if (number == 300) {
                        throw why;
                      }
                    })));
    assertTrue(
        Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().endsWith(READER)));
  }
}
