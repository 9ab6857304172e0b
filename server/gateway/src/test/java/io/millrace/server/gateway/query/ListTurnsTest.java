package io.millrace.server.gateway.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListTurnsTest {

  private final ListTurns turns = new ListTurns(2, Duration.ofHours(1));

  private final ExecutorService lists = Executors.newFixedThreadPool(40);
  private final CountDownLatch gate = new CountDownLatch(1);
  private final AtomicInteger now = new AtomicInteger();

  @AfterEach
  void end() {
    gate.countDown();
    lists.shutdownNow();
  }

  private List<Future<?>> make(int count, ListTurns turns, ListTurns.Making list) {
    List<Future<?>> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(
          lists.submit(
              () -> {
                turns.take("eve", list);
                return null;
              }));
    }
    return made;
  }

  private static void made(ListTurns turns, String user) throws Exception {
    AtomicInteger lists = new AtomicInteger();
    turns.take(user, lists::incrementAndGet);
    assertEquals(1, lists.get());
  }

  private static void await(String what, BooleanSupplier condition) {
    Awaitility.await(what).atMost(Duration.ofSeconds(60)).until(condition::getAsBoolean);
  }

  @Test
  void manyListsOfOneUserWaitForEachOtherAndNobodyElseDoes() throws Exception {
    AtomicInteger most = new AtomicInteger();
    ListTurns.Making list =
        () -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          gate.await();
          now.decrementAndGet();
        };
    List<Future<?>> made = make(40, turns, list);
    await("two are made", () -> now.get() == 2);
    made(turns, "mary");
    gate.countDown();
    for (Future<?> each : made) {
      each.get(60, TimeUnit.SECONDS);
    }
    assertEquals(2, most.get());
  }

  @Test
  void whoseClientDoesNotReadHoldsNoTurn() throws Exception {
    List<Future<?>> made =
        make(
            5,
            turns,
            () -> {
              turns.begin();
              now.incrementAndGet();
              gate.await();
              turns.end();
            });
    await("all wait for their clients", () -> now.get() == 5);
    made(turns, "eve");
    gate.countDown();
    for (Future<?> each : made) {
      each.get(60, TimeUnit.SECONDS);
    }
    turns.begin(); // as a session does that makes no list
    turns.end();
    made(turns, "eve");
  }

  @Test
  void aListWithinAListHasItsTurnAlready() throws Exception {
    make(
        2,
        turns,
        () -> {
          now.incrementAndGet();
          await("both", () -> now.get() >= 2);
          turns.take("eve", now::incrementAndGet);
        });
    await("both have made another one", () -> now.get() == 4);
  }

  @Test
  void afterAWhileAListIsMadeOutOfTurn() throws Exception {
    ListTurns impatient = new ListTurns(2, Duration.ofMillis(20));
    make(
        5,
        impatient,
        () -> {
          now.incrementAndGet();
          gate.await();
        });
    await("all are made", () -> now.get() == 5);
  }

  /** It would take a hundred times as long otherwise. */
  @Test
  void aListOutOfTurnWaitsOnceAndNotAgainForEachOfItsParts() throws Exception {
    ListTurns impatient = new ListTurns(1, Duration.ofSeconds(1));
    make(
        1,
        impatient,
        () -> {
          now.incrementAndGet();
          gate.await();
        });
    await("the turn is taken", () -> now.get() == 1);
    AtomicInteger parts = new AtomicInteger();
    make(
        1,
        impatient,
        () -> {
          for (int i = 0; i < 100; i++) {
            impatient.take("eve", parts::incrementAndGet);
            impatient.begin();
            impatient.end();
          }
        });
    await("all parts are made", () -> parts.get() == 100);
  }

  @Test
  void whoseGatewayStopsDoesNotWaitForHisTurnAndGivesNoneBackTwice() throws Exception {
    ListTurns one = new ListTurns(1, Duration.ofHours(1));
    CountDownLatch away = new CountDownLatch(1);
    AtomicInteger interrupted = new AtomicInteger();
    List<Thread> reader = Collections.synchronizedList(new ArrayList<>());
    make(
        1,
        one,
        () -> {
          one.begin();
          reader.add(Thread.currentThread());
          away.await();
          now.incrementAndGet();
          one.end();
          interrupted.addAndGet(Thread.interrupted() ? 1 : 0);
        });
    await("it waits for its client", () -> reader.size() == 1);
    make(
        1,
        one,
        () -> {
          now.incrementAndGet();
          gate.await();
        });
    await("another one has the turn", () -> now.get() == 1);
    away.countDown();
    Set<Thread.State> waits = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);
    await("it goes on", () -> now.get() == 2);
    await("it waits for its turn", () -> waits.contains(reader.get(0).getState()));
    reader.get(0).interrupt();
    await("it is not held up", () -> interrupted.get() == 1);
    make(5, one, now::incrementAndGet);
    Awaitility.await().during(Duration.ofMillis(300)).until(() -> now.get() == 2);
    gate.countDown();
    await("the others have their turn", () -> now.get() == 7);
  }

  @Test
  void aListThatFailsGivesItsTurnBack() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThrows(
          QueryException.class,
          () ->
              turns.take(
                  "eve",
                  () -> {
                    throw new QueryException("away");
                  }));
    }
    made(turns, "eve");
  }
}
