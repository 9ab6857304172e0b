package io.millrace.schedulers.engine.place;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AskingPaceTest {

  @Test
  void eachTimeInVainIsWaitedForLongerUpToABound() {
    AskingPace pace = new AskingPace();
    List<Long> waits = IntStream.range(0, 9).mapToObj(it -> pace.nextMs(false)).toList();
    assertEquals(List.of(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L, 5000L), waits);
    assertEquals(100, pace.nextMs(true), "it had its place");
    assertEquals(200, pace.nextMs(false));
  }
}
