package io.millrace.connectors.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.question.DatabaseQuestions;
import io.millrace.connectors.bridge.question.NumberQuestions;
import io.millrace.connectors.bridge.question.QueryPace;
import io.millrace.connectors.bridge.recorded.RecordedTexts;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ten accounts with a queue that answers at once and a database each question of which hangs. */
class SilentDatabaseTest {

  private static final int ACCOUNTS = 10;
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String EMPTY = "{\"errors\":[],\"jobs\":[]}";

  private final List<String> asked = new ArrayList<>();
  private Instant now = Instant.ofEpochSecond(1_796_029_000);
  private boolean hangs = true;
  private SlurmSystem system;
  private DatabaseQuestions marks;
  private NumberQuestions numbers;

  @BeforeEach
  void open() throws Exception {
    Map<String, String> values =
        new LinkedHashMap<>(
            Map.of(
                "name", "c1",
                "system", "slurm",
                "cluster_name", "hand",
                "database", "yes",
                "spool", "/spool",
                "as", "sudo"));
    for (int i = 0; i < ACCOUNTS; i++) {
      values.put("user.u" + i, "u" + i);
    }
    ClusterFile file = ClusterFile.of(values, List.of(new SlurmKind()), it -> "");
    system = new SlurmSystem(file, this::run, () -> now);
    marks = new DatabaseQuestions(system, () -> now, SilentDatabaseTest::pace);
    numbers = new NumberQuestions(system, () -> now, SilentDatabaseTest::pace);
  }

  private static QueryPace pace() {
    return new QueryPace(Duration.ofSeconds(2), Duration.ofSeconds(60));
  }

  private OutsideAnswer run(OutsideCommand command) {
    String words = String.join(" ", command.words());
    if (words.contains("sacct")) {
      asked.add(words);
      if (hangs) {
        now = now.plus(LIMIT);
        return new OutsideAnswer(OutsideAnswer.ProcessEnding.TIMED_OUT, 0, "", "", LIMIT);
      }
      return RecordedTexts.answer(0, EMPTY, "");
    }
    return words.contains("scontrol")
        ? RecordedTexts.answer(0, "ClusterName = hand\n", "")
        : RecordedTexts.answer(0, EMPTY, "");
  }

  /**
   * What the thread of a bridge does in one step: unclear submissions of all accounts, and jobs
   * that the queue does not show.
   *
   * @return of how many submissions something is told
   */
  private int step() throws Exception {
    TreeMap<String, Map<OutsideTag, Instant>> unclear = new TreeMap<>();
    TreeMap<String, List<OutsideId>> missing = new TreeMap<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      unclear.put("u" + i, Map.of(new OutsideTag("c1", "" + (i + 1), 1), now));
      missing.put("u" + i, List.of(OutsideId.of(100 + i)));
    }
    int told = marks.ask(unclear).size();
    numbers.ask(missing);
    return told;
  }

  @Test
  void aStepAsksItOnceAndOthersNotAtAll() throws Exception {
    Instant begun = now;
    int steps = 0;
    while (now.isBefore(begun.plus(Duration.ofMinutes(30)))) {
      int before = asked.size();
      Instant at = now;
      assertEquals(0, step());
      assertTrue(asked.size() - before <= 1, asked.subList(before, asked.size())::toString);
      assertFalse(Duration.between(at, now).compareTo(LIMIT) > 0);
      steps++;
      now = now.plusSeconds(5);
    }
    // In pauses that grow to 300 s.
    assertTrue(asked.size() <= 11, asked.size() + " in " + steps + " steps");
    assertTrue(steps > 250, "steps: " + steps);
    assertTrue(marks.trouble().orElse("").contains("sacct"), marks.trouble()::toString);
  }

  @Test
  void oneThatAnswersAgainIsAskedForAllSoon() throws Exception {
    step();
    step();
    hangs = false;
    asked.clear();
    now = now.plusSeconds(300);
    int told = 0;
    for (int i = 0; i < 5; i++) {
      told += step();
      now = now.plusSeconds(60);
    }
    assertTrue(told >= ACCOUNTS, "told: " + told);
    assertEquals(Optional.empty(), marks.trouble());
  }
}
