package io.millrace.connectors.oar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Marks of jobs that were submitted together, of which an OAR lists more than are kept for long.
 */
class OarKnownMarksTest {
  private static final long MORE_THAN_KEPT = 20_400;

  @TempDir Path folder;

  private OarTogether together;

  /** Jobs of which somebody asked which run they are. */
  private long asked;

  @BeforeEach
  void plays() throws Exception {
    OarFixtures.credentials(folder, "alice:ecila\n");
    together = new OarTogether(OarFixtures.file(folder, "http://127.0.0.1:1"), this::answer);
  }

  private static OutsideTag tag(long number) {
    return new OutsideTag("c1", Long.toString(number), 1, "5." + number + ".1");
  }

  private OarAnswer answer(OarRequest request) {
    String ids = request.path().replaceFirst(".*ids=", "").replaceFirst("&.*", "");
    String items =
        Arrays.stream(ids.split(":"))
            .map(OarKnownMarksTest::details)
            .collect(Collectors.joining(","));
    asked += ids.split(":").length;
    String body = "{\"items\": [" + items + "], \"offset\": 0, \"links\": []}";
    return new OarAnswer(OarAnswer.ExchangeEnding.ANSWERED, 200, body, Duration.ZERO);
  }

  private static String details(String id) {
    return "{\"id\": "
        + id
        + ", \"name\": \"mr.c1.1.1.5.1.1+1\", \"owner\": \"alice\", \"state\": \"Waiting\","
        + " \"submission\": 1795806980, \"command\": \"/bin/bash /spool/alice/scripts/"
        + tag(Long.parseLong(id))
        + ".0123abcd\"}";
  }

  private static List<OutsideJob> list(long from, long to) {
    return LongStream.range(from, to)
        .mapToObj(
            it ->
                new OutsideJob(
                    OutsideId.of(it),
                    "mr.c1.1.1.5.1.1+1",
                    "alice",
                    Optional.empty(),
                    OutsideState.WAITING,
                    "Waiting",
                    Optional.empty(),
                    "",
                    1,
                    Optional.empty(),
                    "",
                    List.of()))
        .toList();
  }

  /** The jobs with their marks, once all of them have been asked for. */
  private List<OutsideJob> named(List<OutsideJob> jobs) throws InterruptedException {
    Told<List<OutsideJob>> told = together.named(jobs);
    while (told instanceof Told.Nothing<List<OutsideJob>>) {
      told = together.named(jobs);
    }
    return ((Told.Answered<List<OutsideJob>>) told).value();
  }

  /** One story, since all of so many jobs have to be asked for first. */
  @Test
  void ofALongListNoMarkIsForgottenThatThisListOrTheOneBeforeShows() throws Exception {
    List<OutsideJob> jobs = list(1, MORE_THAN_KEPT + 1);
    assertInstanceOf(Told.Nothing.class, together.named(jobs), "so many are not asked for at once");
    List<OutsideJob> named = named(jobs);
    assertEquals(MORE_THAN_KEPT, named.size());
    for (OutsideJob each : named) {
      assertEquals(Optional.of(tag(each.id().number())), each.tag());
    }
    assertEquals(MORE_THAN_KEPT, asked);

    named(list(MORE_THAN_KEPT + 1, MORE_THAN_KEPT + 3)); // those that have ended
    named(jobs);
    assertEquals(MORE_THAN_KEPT + 2, asked, "both lists are known");

    List<OutsideJob> few = list(MORE_THAN_KEPT - 1, MORE_THAN_KEPT + 1);
    named(few);
    named(few);
    asked = 0;
    named(few);
    assertEquals(0, asked);
    named(list(1, 4));
    assertEquals(3, asked, "of too many those go that no list shows");
  }
}
