package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that go with one submission, each as a job with its own mark. */
class TogetherRunsTest {

  @TempDir Path folder;

  private final List<String> submissions = new ArrayList<>();
  private PlayedRuns runs;
  private boolean loses;
  private boolean refuses;
  private long number = 100;
  private RunJournal journal;
  private OutsideBridge bridge;

  private final class NoFolders implements RunFolders {
    @Override
    public Told<Boolean> remove(List<OutsideTag> tags, String account) {
      return Told.of(true);
    }

    @Override
    public Told<RunClaim> close(OutsideTag tag, String account) {
      return Told.of(RunClaim.CLOSED);
    }

    @Override
    public Optional<OutsideId> begunAs(OutsideTag tag, String account) {
      return Optional.empty();
    }

    @Override
    public Optional<OutsideEnd> exit(OutsideTag tag, String account) {
      return Optional.empty();
    }
  }

  @BeforeEach
  void open() throws Exception {
    journal = RunJournal.open(folder);
    runs = new PlayedRuns(folder, this::answer);
    runs.terms = RunSubmitterTest.TERMS;
    runs.folders = new NoFolders();
    bridge = runs.bridge(journal);
  }

  @AfterEach
  void close() throws Exception {
    journal.close();
  }

  private Object answer(String question, Object... words) {
    return switch (question) {
      case "togetherMost" -> 3;
      case "submit" -> submitted(List.of((OutsideSubmission) words[0]));
      case "submitTogether" -> submitted(orders(words[0]));
      default -> throw new UnsupportedOperationException(question);
    };
  }

  private static List<OutsideSubmission> orders(Object given) {
    return ((List<?>) given).stream().map(OutsideSubmission.class::cast).toList();
  }

  private Submitted submitted(List<OutsideSubmission> orders) {
    submissions.add(orders.stream().map(it -> it.tag().job()).toList().toString());
    if (loses) {
      return new Submitted.SubmissionUnclear("no answer");
    }
    if (refuses && orders.size() > 1) {
      return new Submitted.SubmissionRefused("no arrays here");
    }
    Map<OutsideTag, OutsideId> ids = new HashMap<>();
    orders.forEach(it -> ids.put(it.tag(), OutsideId.of(++number)));
    return orders.size() == 1
        ? new Submitted.Accepted(OutsideId.of(number))
        : new Submitted.AcceptedTogether(ids);
  }

  private static OutsideTag tag(String job, String attempt) {
    return new OutsideTag("c1", job, 1, attempt);
  }

  private void order(String job, String attempt, String type) throws Exception {
    OutsideSubmission plain = PlayedSystem.order(tag(job, attempt), "alice");
    bridge.order(
        new OutsideSubmission(
            plain.tag(),
            "alice",
            "task " + job,
            plain.place(),
            SomeAmounts.of(1, 0, Optional.empty()),
            new OutsideSubmission.SubmittedScript(
                new byte[0], List.of(job), Map.of("CIGRI_TYPE", type), "/")));
  }

  private OutsideRun run(String job, String attempt) {
    return journal.run(tag(job, attempt)).orElseThrow();
  }

  private void step(long seconds) throws Exception {
    runs.steps(bridge, 1, Duration.ofSeconds(seconds));
  }

  @Test
  void tasksOfACampaignGoTogether() throws Exception {
    order("10", "5.0.1", "best-effort");
    order("11", "6.0.1", "best-effort");
    order("12", "5.1.1", "best-effort");
    order("13", "", "");
    order("14", "5.2.2", "normal");
    order("15", "5.p0.1", "best-effort");
    order("16", "5.3.1", "best-effort");
    order("17-1", "", "");
    order("17-2", "", "");
    step(0);
    assertEquals(
        List.of("[10, 12, 15]", "[11]", "[13]", "[14]", "[16]", "[17-1, 17-2]"), submissions);
    assertEquals(Optional.of(OutsideId.of(101)), run("10", "5.0.1").id());
    assertEquals(Optional.of(OutsideId.of(102)), run("12", "5.1.1").id());
    assertEquals(OutsideRunState.SUBMITTED, run("17-2", "").state());
    assertEquals(Optional.empty(), run("10", "5.0.1").task(), "it has its own mark");
  }

  /** What came of a lost answer is found by the mark of each run; only the others go again. */
  @Test
  void afterALostAnswerEachIsLookedFor() throws Exception {
    loses = true;
    order("10", "5.0.1", "");
    order("11", "5.1.1", "");
    step(0);
    assertEquals(OutsideRunState.ABOUT_TO_SUBMIT, run("11", "5.1.1").state());
    runs.queue.add(
        ShownJobs.job(OutsideId.of(55), "alice", tag("11", "5.1.1"), OutsideState.WAITING));
    loses = false;
    for (int i = 0; i < 5; i++) {
      step(60);
    }
    assertEquals(Optional.of(OutsideId.of(55)), run("11", "5.1.1").id());
    assertEquals(List.of("[10, 11]", "[10]"), submissions);
    assertEquals(Optional.of(OutsideId.of(101)), run("10", "5.0.1").id());
  }

  @Test
  void whatIsRefusedTogetherGoesAlone() throws Exception {
    refuses = true;
    order("10", "5.0.1", "");
    order("11", "5.1.1", "");
    step(0);
    step(0);
    assertEquals(List.of("[10, 11]", "[10]", "[11]"), submissions);
    assertEquals(Optional.of(OutsideId.of(102)), run("11", "5.1.1").id());
  }
}
