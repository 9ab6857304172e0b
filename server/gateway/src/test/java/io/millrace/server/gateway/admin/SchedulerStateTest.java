package io.millrace.server.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
