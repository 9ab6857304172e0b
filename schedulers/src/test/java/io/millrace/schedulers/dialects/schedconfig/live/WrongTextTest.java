package io.millrace.schedulers.dialects.schedconfig.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A text that a scheduler object carries and that cannot be read starts nothing, and says why. */
class WrongTextTest {
  private static final long HOUR_MS = 3_600_000;
  private static final String LINE = "by_queue: perhaps\n";

  private final LiveSiteFixture all =
      new LiveSiteFixture("Europe/Berlin", "2026-11-02T06:00:00Z", 4, "workq");

  private long submit() {
    return all.submit("ann", "workq", "ncpus=1,walltime=1:00:00");
  }

  private String why(long job) {
    Shortage shortage = all.state.waiting().shortage(job);
    assertEquals(ReasonCode.POLICY_WRONG, shortage.code());
    ClassReason reason =
        ClassReason.newBuilder()
            .setClassKey("")
            .setCode(shortage.code().name())
            .setSubject(shortage.subject())
            .build();
    assertEquals(
        "Not Running: The policy cannot be obeyed",
        ReasonText.pbsComment(reason, ResourceTable.of(List.of())));
    return ReasonText.words(reason, ResourceTable.of(List.of()));
  }

  @Test
  void nothingStartsUntilItIsRight() {
    all.file("sched_config", "by_queue: true\n" + LINE).load();
    long first = submit();
    assertEquals(List.of(), all.cycle(HOUR_MS));
    String why = why(first);
    assertTrue(
        why.startsWith(
            "Its scheduler starts nothing, whose policy cannot be obeyed: sched_config:2: "),
        why);
    long second = submit();
    assertEquals(List.of(), all.cycle(HOUR_MS));
    all.file("sched_config", "by_queue: true\n").load();
    assertEquals(List.of(first, second), all.cycle(HOUR_MS));
  }

  @Test
  void whatRunsStaysAndPromisesGo() {
    all.written(Records.object(ObjectKind.SERVER, "server", "backfill_depth", "3"));
    all.file("sched_config", "strict_ordering: true\n").load();
    long runs = all.submit("ann", "workq", "ncpus=4,walltime=1:00:00");
    assertEquals(List.of(runs), all.cycle(HOUR_MS));
    long next = all.submit("bob", "workq", "ncpus=4,walltime=1:00:00");
    assertEquals(List.of(), all.cycle(HOUR_MS));
    assertEquals(1, all.state.promises().size());
    all.file("resource_group", "ann 10 nowhere 5\n").load();
    assertEquals(List.of(), all.cycle(HOUR_MS));
    assertEquals(0, all.state.promises().size());
    assertTrue(why(next).contains("resource_group:1: "), why(next));
    all.end();
    assertEquals(List.of(), all.cycle(HOUR_MS));
    all.file("resource_group", "ann 10 root 5\n").load();
    assertEquals(List.of(next), all.cycle(HOUR_MS));
  }

  @Test
  void anotherPolicyDecidesAtOnce() {
    all.file("sched_config", LINE).load();
    long job = submit();
    assertEquals(List.of(), all.cycle(HOUR_MS));
    all.written(Records.scheduler());
    assertEquals(List.of(job), all.cycle(HOUR_MS));
  }

  @Test
  void builtAnewItIsTheSame() {
    all.file("sched_config", LINE).load();
    long job = submit();
    LiveSiteFixture anew = all.anew(4, "workq");
    assertEquals(List.of(), anew.cycle(HOUR_MS));
    assertEquals(List.of(), all.cycle(HOUR_MS));
    assertEquals(
        all.state.waiting().shortage(job).subject(), anew.state.waiting().shortage(job).subject());
  }
}
