package io.millrace.connectors.bridge.question;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Told;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often the marks of all jobs are asked for while some run is in doubt. */
class UnmarkedJobsTest {

  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private Told<List<?>> told = Told.of(List.of());
  private Duration takes = Duration.ZERO;
  private int asked;

  private final UnmarkedJobs jobs =
      new UnmarkedJobs(
          (OutsideSystem)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {OutsideSystem.class},
                  (proxy, method, words) -> {
                    asked++;
                    now = now.plus(takes);
                    return told;
                  }),
          () -> now,
          new QueryPace(Duration.ofSeconds(5), Duration.ofSeconds(300)));

  /** Questions of an hour with an answer of the queue each 5 s. */
  private int askedInAnHour() throws InterruptedException {
    asked = 0;
    for (Instant end = now.plusSeconds(3600); now.isBefore(end); now = now.plusSeconds(5)) {
      jobs.marks(false);
    }
    return asked;
  }

  @Test
  void theyAreAskedForWithEachAnswerOfTheQueueWhereThatIsQuick() throws Exception {
    assertEquals(720, askedInAnHour());
  }

  @Test
  void theyAreAskedForSeldomWhereThatTakesLong() throws Exception {
    takes = Duration.ofSeconds(3);
    int slow = askedInAnHour();
    assertTrue(slow >= 50 && slow <= 60, slow + " questions");
  }

  @Test
  void theyAreAskedForInPausesThatGrowWhereNobodyTells() throws Exception {
    told = Told.nothing("no answer");
    assertEquals(1 + 6 + 10, askedInAnHour());
  }

  /** A command that ran into its limit was of a trouble that is over. */
  @Test
  void theyAreAskedForAtOnceForAnotherRunInDoubtAndAfterASilence() throws Exception {
    told = Told.nothing("no answer in 20 s");
    takes = Duration.ofSeconds(20);
    assertTrue(jobs.marks(false).isEmpty());
    told = Told.of(List.of());
    takes = Duration.ZERO;
    assertTrue(jobs.marks(false).isEmpty());
    assertTrue(jobs.marks(true).isPresent());
    told = Told.nothing("no answer");
    for (int i = 0; i < 10; i++) {
      jobs.marks(true);
    }
    told = Told.of(List.of());
    now = now.plusSeconds(10);
    assertTrue(jobs.marks(false).isEmpty());
    jobs.forgetAll();
    assertTrue(jobs.marks(false).isPresent());
  }
}
