package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.client.ThinClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** How many sessions there are at once, of one user and of all. */
class SessionLimitsTest extends SessionServerFixture {
  @Test
  void sessionsOfOneUserAreBoundedAndTheOthersComeAgain() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CommandHandler handler =
        call -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          try {
            gate.await();
            return 0;
          } finally {
            now.decrementAndGet();
          }
        };
    SessionLimits limits = limits(400, 16, SessionTimeouts.defaults());
    ExecutorService callers = Executors.newFixedThreadPool(200);
    try (SessionServer server = SessionServer.start(socket(), limits, handler)) {
      List<Future<String>> answers = new ArrayList<>();
      AtomicInteger turnedAway = new AtomicInteger();
      for (int i = 0; i < 200; i++) {
        answers.add(callers.submit(() -> firstAnswer(turnedAway)));
      }
      await(() -> now.get() == 16 && turnedAway.get() == 184);
      gate.countDown();
      int served = 0;
      for (Future<String> answer : answers) {
        String said = answer.get(60, TimeUnit.SECONDS);
        served += said.equals("2b 0") ? 1 : 0;
        assertTrue(said.matches("2b 0|2c user \\S+ has 16 commands running here.*"), said);
      }
      assertEquals(16, served);
      await(() -> server.openSessions() == 0);
      assertEquals(16, most.get());
    } finally {
      callers.shutdownNow();
    }
  }

  private String firstAnswer(AtomicInteger turnedAway) throws IOException {
    try (Raw raw = new Raw(socket())) {
      openOrBeTurnedAway(raw, "wait");
      String answer = raw.next();
      if (answer.startsWith("2c ")) {
        turnedAway.incrementAndGet();
      }
      return answer;
    }
  }

  /** The gateway may close before the whole opening was sent; its answer can still be read. */
  private static void openOrBeTurnedAway(Raw raw, String argument) throws IOException {
    try {
      raw.open(argument);
    } catch (IOException e) {
      assertTurnedAway(e);
    }
  }

  @Test
  void twoHundredClientsAtOnceAreAllServedInTheEnd() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CommandHandler handler =
        call -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          try {
            return call.stdin().read() < 0 ? 0 : 1;
          } finally {
            now.decrementAndGet();
          }
        };
    if (!ThinClient.available().contains(ThinClient.C)) {
      // Two hundred JVMs at once would test the machine.
      Assumptions.abort("no C client: two hundred of them are not tried");
    }
    SessionLimits limits = limits(8, 4, SessionTimeouts.defaults());
    ExecutorService callers = Executors.newFixedThreadPool(200);
    try (SessionServer server = SessionServer.start(socket(), limits, handler)) {
      List<Future<ThinClient.Result>> results = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        ProcessBuilder client = ThinClient.C.command(socket(), "qsub", "x");
        results.add(callers.submit(() -> ThinClient.run(client)));
      }
      // On a busy machine some wait for longer than two seconds.
      Set<String> said = Set.of("", "qsub: waiting for the gateway at " + socket() + "\n");
      for (Future<ThinClient.Result> result : results) {
        ThinClient.Result ended = result.get(60, TimeUnit.SECONDS);
        assertEquals(0, ended.status(), ended.err());
        assertTrue(said.contains(ended.err()) && ended.out().isEmpty(), ended.toString());
      }
      assertTrue(most.get() <= 4, most.get() + " at once");
      await(() -> server.openSessions() == 0);
    } finally {
      callers.shutdownNow();
    }
  }

  @Test
  void sessionsOverallAreBounded() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(2);
    CommandHandler handler =
        call -> {
          running.countDown();
          gate.await();
          return 0;
        };
    SessionLimits limits = limits(2, 2, SessionTimeouts.defaults());
    try (SessionServer server = SessionServer.start(socket(), limits, handler);
        Raw first = opened("x");
        Raw second = opened("x")) {
      assertTrue(running.await(60, TimeUnit.SECONDS));
      try (Raw third = new Raw(socket())) {
        openOrBeTurnedAway(third, "x");
        assertEquals(
            "2c the gateway serves 2 commands at once, which is the most; try again when some have"
                + " ended",
            third.next());
      }
      gate.countDown();
      assertEquals(List.of("2b 0"), first.rest());
      assertEquals(List.of("2b 0"), second.rest());
      await(() -> server.openSessions() == 0);
    }
  }

  @Test
  void lastingCommandsTakeNoPlaceOfTheOthers() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger last = new AtomicInteger();
    CommandHandler handler =
        call -> {
          if (call.args().equals(List.of("lasts"))) {
            call.lasts();
            last.incrementAndGet();
            gate.await();
          }
          return 0;
        };
    SessionLimits limits = limits(1, 1, SessionTimeouts.defaults());
    try (SessionServer server = SessionServer.start(socket(), limits, handler);
        Raw first = new Raw(socket())) {
      first.open("lasts");
      await(() -> last.get() == 1);
      try (Raw second = new Raw(socket())) {
        second.open("lasts");
        await(() -> last.get() == 2);
        assertEquals(2, server.openSessions());
        assertServed("lasts", "2c the gateway serves 2 commands at once of one user that may .*");
        assertServed("soon over", "2b 0");
        gate.countDown();
        assertEquals(List.of("2b 0"), first.rest());
        assertEquals(List.of("2b 0"), second.rest());
      }
      await(() -> server.openSessions() == 0);
      assertServed("lasts", "2b 0");
    }
  }

  /** The session before may not have left its place yet. */
  private void assertServed(String argument, String pattern) throws Exception {
    String said = "2c the gateway serves 1 commands";
    while (said.startsWith("2c the gateway serves 1 commands")) {
      try (Raw raw = new Raw(socket())) {
        openOrBeTurnedAway(raw, argument);
        said = raw.next();
      }
    }
    assertTrue(said.matches(pattern), said);
  }

  @Test
  void boundsThatContradictAreRefused() {
    SessionTimeouts timeouts = SessionTimeouts.defaults();
    assertThrows(IllegalArgumentException.class, () -> limits(0, 1, timeouts));
    assertThrows(IllegalArgumentException.class, () -> limits(4, 5, timeouts));
    assertThrows(
        IllegalArgumentException.class, () -> new SessionLimits(4, 4, 2, 3, 1024, timeouts));
    assertThrows(IllegalArgumentException.class, () -> new SessionLimits(4, 4, 2, 2, 10, timeouts));
    assertThrows(
        IllegalArgumentException.class,
        () -> new SessionTimeouts(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO));
    assertEquals(512, SessionLimits.defaults().sessions());
    assertEquals(128, SessionLimits.defaults().sessionsPerUser());
  }

  /** A hundred waiting commands with all that the kernel lets them carry would fill the heap. */
  @Test
  void largeEnvironmentsOfOneUserHaveABoundTogether() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch openingsRead = new CountDownLatch(8);
    CommandHandler handler =
        call -> {
          openingsRead.countDown();
          gate.await();
          return 0;
        };
    String large = "x".repeat(60 * 1024);
    List<Raw> waiting = new ArrayList<>();
    SessionLimits limits = limits(32, 32, SessionTimeouts.defaults());
    try (SessionServer server = SessionServer.start(socket(), limits, handler)) {
      for (int i = 0; i < 8; i++) {
        waiting.add(new Raw(socket()));
        waiting.get(i).open(large);
      }
      assertTrue(openingsRead.await(60, TimeUnit.SECONDS), "eight commands run");
      try (Raw ninth = new Raw(socket())) {
        openOrBeTurnedAway(ninth, large);
        assertTrue(ninth.next().startsWith("2c the commands that run here have all the memory"));
      }
      gate.countDown();
      for (Raw raw : waiting) {
        assertEquals(List.of("2b 0"), raw.rest());
      }
      await(() -> server.openSessions() == 0);
      try (Raw later = new Raw(socket())) {
        later.open(large);
        assertEquals("2b 0", later.next(), "the room was given back");
      }
    } finally {
      for (Raw raw : waiting) {
        raw.close();
      }
    }
  }
}
