package io.millrace.server.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.gateway.command.FakeSite;
import org.junit.jupiter.api.Test;

/** What is shown of a scheduler object's engine. */
class SchedulerStateTest {

  private final FakeSite site = new FakeSite();

  private String listed(String attributes) throws Exception {
    return site.run("root", "qmgr", "-c", "l sched s2 " + attributes).output();
  }

  private Scheduler engine(String... attributes) {
    site.put(ObjectKind.SCHEDULER, "s2", attributes);
    Scheduler run = Scheduler.newBuilder().setName("s2").setEpoch(4L).build();
    site.schedulers.add(run);
    return run;
  }

  @Test
  void aSchedulerWhoseEngineDiedIsDownAndSaysSo() throws Exception {
    Scheduler run = engine("comment", "ours", "partition", "P1");
    assertEquals("Sched s2\n    comment = ours\n    state = idle\n\n", listed("state,comment"));
    run.setComment("READY_TO_USE");
    assertEquals("Sched s2\n    comment = ours\n\n", listed("comment"));
    run.setCondition(EngineCondition.SILENT);
    String unreachable = "Unable to reach scheduler associated with partition P1";
    run.setComment(unreachable);
    assertEquals(
        "Sched s2\n    comment = " + unreachable + "\n    state = down\n\n",
        listed("state,comment"));
  }

  @Test
  void aSchedulerWithoutAPartitionIsDown() throws Exception {
    engine("scheduling", "True");
    assertEquals("Sched s2\n    state = down\n\n", listed("state"));
  }

  @Test
  void whileACycleGoesOnItIsScheduling() throws Exception {
    Scheduler run = engine("scheduling", "True", "partition", "P1");
    run.setInCycle(true);
    assertEquals("Sched s2\n    state = scheduling\n\n", listed("state"));
    run.setCondition(EngineCondition.SILENT);
    assertEquals("Sched s2\n    state = down\n\n", listed("state"));
    site.put(ObjectKind.SERVER, "server", "scheduling", "True");
    Scheduler ours = Scheduler.newBuilder().setName("default").setEpoch(4L).build();
    site.schedulers.add(ours);
    assertTrue(site.run("root", "qstat", "-B").output().contains(" Active "));
    ours.setInCycle(true);
    assertTrue(site.run("root", "qstat", "-B").output().contains(" Scheduling"));
    site.put(ObjectKind.SERVER, "server", "scheduling", "False");
    assertTrue(site.run("root", "qstat", "-B").output().contains(" Idle "));
  }

  @Test
  void itsFoldersAreShown() throws Exception {
    site.put(ObjectKind.SERVER, "server", "millrace_home", "/home/m");
    engine();
    assertEquals(
        "Sched s2\n    sched_priv = /home/m/sched_priv_s2\n"
            + "    sched_log = /home/m/sched_logs_s2\n\n",
        listed("sched_log,sched_priv"));
    site.put(ObjectKind.SCHEDULER, "s2", "sched_log", "/var/log/s2");
    assertEquals("Sched s2\n    sched_log = /var/log/s2\n\n", listed("sched_log"));
    String server = site.run("root", "qmgr", "-c", "l s").output();
    assertTrue(!server.contains("millrace_home"), server);
  }

  @Test
  void throughput_modeFollowsJobRunWait() throws Exception {
    engine();
    String both = "job_run_wait,throughput_mode";
    assertEquals(
        "Sched s2\n    throughput_mode = True\n    job_run_wait = runjob_hook\n\n", listed(both));
    site.put(ObjectKind.SCHEDULER, "s2", "job_run_wait", "execjob_hook");
    assertEquals(
        "Sched s2\n    throughput_mode = False\n    job_run_wait = execjob_hook\n\n", listed(both));
    site.put(ObjectKind.SCHEDULER, "s2", "job_run_wait", "none");
    assertEquals("Sched s2\n    job_run_wait = none\n\n", listed(both));
  }
}
