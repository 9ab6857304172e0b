package io.millrace.server.gateway.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.EligibleTime;
import io.millrace.schemas.state.Accrual;
import io.millrace.schemas.state.AccrueType;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.LimitClock;
import io.millrace.schemas.state.Reason;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How eligible times are shown, selected and set. */
class EligibleTimeTest {

  private static final long MINUTE = 60_000;

  private final FakeSite site = new FakeSite();
  private final Job job = Jobs.fromScript(1, JobStatus.QUEUED);

  /** The job had waited for 10 minutes, and waits again since 5 minutes ago. */
  @BeforeEach
  void job() {
    job.setAccrual(new Accrual(AccrueType.ELIGIBLE, FakeSite.NOW_MS - 5 * MINUTE, 10 * MINUTE, 0L));
    site.jobs.put(1L, job);
    enable("True");
  }

  private void enable(String value) {
    site.put(
        ObjectKind.SERVER,
        "server",
        "server_host",
        "vm",
        "default_queue",
        "workq",
        EligibleTime.COUNTED_SINCE,
        Long.toString(FakeSite.NOW_MS - 60 * MINUTE),
        EligibleTime.ENABLE,
        value);
  }

  private String shown(String user) throws Exception {
    return site.run(user, "qstat", "-f", "1").output();
  }

  @Test
  void itIsShownAsOfNow() throws Exception {
    assertTrue(shown("pbsu1").contains("    eligible_time = 00:15:00\n"), shown("pbsu1"));
    assertFalse(shown("pbsu1").contains("accrue_type"));
    assertTrue(shown("root").contains("    accrue_type = 2\n"), shown("root"));
    String json = site.run("root", "qstat", "-f", "-F", "json", "1").output();
    assertTrue(json.contains("\"eligible_time\":\t\"00:15:00\""), json);
    assertTrue(json.contains("\"accrue_type\":\t2"), json);
    enable("False");
    assertFalse(shown("root").contains("eligible_time"));
  }

  @Test
  void timeAtALimitOfItsOwnerDoesNotCount() throws Exception {
    ClassReason limit =
        ClassReason.newBuilder()
            .setClassKey(EligibleTime.classKey(job))
            .setCode("RUN_LIMIT")
            .setSubject("max_run [u:PBS_GENERIC=1] of server")
            .build();
    long noted = FakeSite.NOW_MS - 3 * MINUTE;
    site.reasons.put(
        limit.getClassKey(), new Reason("default", limit, new LimitClock(noted, noted, 0L)));
    assertTrue(shown("root").contains("    eligible_time = 00:12:00\n"), shown("root"));
    assertTrue(shown("root").contains("    accrue_type = 1\n"), shown("root"));
  }

  @Test
  void jobsAreSelectedByIt() throws Exception {
    assertEquals("1.vm\n", site.run("pbsu1", "qselect", "-t", "g.gt.14:00").output());
    assertEquals("", site.run("pbsu1", "qselect", "-t", "g.gt.15:00").output());
    assertEquals("1.vm\n", site.run("pbsu1", "qselect", "-t", "g900").output());
    site.run("pbsu1", "qselect", "-t", "gnever");
    assertEquals(2, site.status);
  }

  @Test
  void itIsGivenAsADuration() throws Exception {
    site.run("root", "qalter", "-W", "eligible_time=01:00:00", "1");
    assertEquals(0, site.status);
    AlterJob command = (AlterJob) site.sent.get(site.sent.size() - 1).command();
    assertEquals(60 * MINUTE, command.getEligibleMs());
    site.run("root", "qalter", "-p", "1", "1");
    assertNull(((AlterJob) site.sent.get(site.sent.size() - 1).command()).getEligibleMs());
    site.run("root", "qalter", "-W", "eligible_time=soon", "1");
    assertEquals(2, site.status);
    site.run("pbsu1", "qsub", "-W", "eligible_time=90", "--", "/bin/true");
    SubmitJobs submission = (SubmitJobs) site.sent.get(site.sent.size() - 1).command();
    assertEquals(90_000, submission.getJobs().get(0).getEligibleMs());
  }
}
