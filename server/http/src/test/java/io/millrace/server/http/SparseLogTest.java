package io.millrace.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SparseLogTest {

  @Test
  void whatHappensAgainAndAgainIsALineAMinute() {
    List<String> lines = new ArrayList<>();
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    SparseLog log = new SparseLog(lines::add, nanos::get);
    for (int i = 0; i < 1000; i++) {
      log.say("eve is too loud");
    }
    log.say("mary is too loud");
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
    log.say("eve is too loud");
    log.say("mary is too loud");
    assertEquals(
        List.of(
            "eve is too loud",
            "mary is too loud",
            "eve is too loud, and 999 times before",
            "mary is too loud"),
        lines);
  }
}
