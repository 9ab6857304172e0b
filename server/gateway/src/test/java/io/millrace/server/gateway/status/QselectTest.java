package io.millrace.server.gateway.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which jobs qselect lists. */
class QselectTest {

  private static final long HOUR_MS = 3_600_000;

  private FakeSite site;

  /** 1 runs, 2 and 3 wait, 4 is held, 5 is suspended, 6 has finished. */
  @BeforeEach
  void jobs() {
    site = new FakeSite();
    site.put(ObjectKind.QUEUE, "long", "queue_type", "Execution");
    site.put(ObjectKind.RESOURCE, "lic", "type", "boolean");
    JobStatus[] states = {
      JobStatus.RUNNING,
      JobStatus.QUEUED,
      JobStatus.QUEUED,
      JobStatus.HELD,
      JobStatus.RUNNING,
      JobStatus.FINISHED
    };
    for (int i = 0; i < states.length; i++) {
      site.jobs.put(i + 1L, Jobs.fromScript(i + 1, states[i]));
    }
    site.jobs.get(4L).setHolds("uo");
    site.jobs.get(5L).setSuspension(Suspension.OPERATOR);
  }

  private Job job(long number) {
    return site.jobs.get(number);
  }

  private void lists(String ids, String... options) throws Exception {
    String[] line = new String[options.length + 1];
    line[0] = "qselect";
    System.arraycopy(options, 0, line, 1, options.length);
    FakeInvocation told = site.run("pbsu1", line);
    assertEquals("", told.errors());
    assertEquals(0, site.status);
    assertEquals(ids, told.output().replace(".vm\n", " ").strip());
  }

  @Test
  void statesAndHistory() throws Exception {
    lists("1 2 3 4 5");
    lists("1 2 3 4 5 6", "-x");
    lists("6", "-H");
    lists("1", "-s", "R");
    lists("5", "-s", "S");
    lists("2 3 4", "-s", "HQ");
    lists("1 5", "-s", ".ne.HQ");
    lists("", "-s", "F");
    lists("6", "-xs", "F");
    lists("", "-J");
    lists("1 2 3 4 5", "-T");
  }

  @Test
  void ownersQueuesAndNames() throws Exception {
    job(2).getSpec().setOwner("bob");
    job(3).getSpec().setOwner("ann");
    job(3).getSpec().setSubmitHost("Login1");
    lists("2", "-u", "bob");
    lists("2 3", "-u", "bob,ann");
    lists("3", "-u", "ann@login1");
    lists("", "-u", "ann@vm");
    lists("2", "-u", "+bob");
    lists("1 3 4 5", "-u", "-bob,+");
    lists("2 3", "-u", "+bob,ann@*");
    lists("", "-u", "ann@*.vm");
    // Each option is a condition of its own, and all are to hold, as in PBS.
    lists("2", "-u", "bob,ann", "-u", "bob");
    lists("3", "-u", "ann", "-u", "-bob,+");
    lists("", "-u", "bob", "-u", "ann");
    job(4).getSpec().setQueue("long");
    lists("4", "-q", "long");
    lists("4", "-q", "long@vm");
    lists("1 2 3 4 5", "-q", "@vm");
    job(1).getSpec().setName("one");
    job(2).getSpec().setAccount("acc");
    job(5).getSpec().setProject("p1");
    lists("1", "-N", "one");
    lists("2", "-A", "acc");
    lists("5", "-P", "p1");
    lists("", "-N", "one", "-A", "acc");
  }

  @Test
  void prioritiesHoldsAndRerunnable() throws Exception {
    job(2).getSpec().setPriority(-10);
    job(3).getSpec().setPriority(50);
    lists("3", "-p", ".gt.0");
    lists("1 3 4 5", "-p", ".ge.0");
    lists("2", "-p", "-10");
    lists("1 4 5", "-p", ".ne.-10", "-p", ".lt.50");
    job(5).getSpec().setRerunnable(false);
    lists("5", "-r", "n");
    lists("4", "-h", "ou");
    lists("1 2 3 5", "-h", "n");
    lists("1 2 3 5", "-h", ".ne.uo");
    lists("1 2 3 4 5", "-c", "u");
    lists("1 2 3 4 5", "-c", ".lt.c=10");
    lists("", "-c", "s");
  }

  @Test
  void amountsAreComparedByTheirType() throws Exception {
    job(1).getSpec().setResourceList(Jobs.attributes("mem", "1gb", "walltime", "01:00:00"));
    job(2).getSpec().setResourceList(Jobs.attributes("mem", "900mb", "lic", "True"));
    job(3).getSpec().setResourceList(Jobs.attributes("mem", "1024mb", "place", "pack"));
    lists("1 3", "-l", "mem.eq.1gb");
    lists("2", "-l", "mem.lt.1gb,mem.gt.100mb");
    lists("1", "-l", "walltime.ge.3600");
    lists("2", "-l", "lic.eq.true");
    lists("3 4 5", "-l", "place.eq.pack");
    lists("4 5", "-l", "mem.lt.1b");
    refused("qselect: illegal -l value\nresource_list: mem\n", 2, "-l", "mem");
    refused("qselect: illegal -l value\nresource_list: mem.xx.1\n", 2, "-l", "mem.xx.1");
    refused("qselect: illegal -l value\nresource_list: ncpus.eq.1,\n", 2, "-l", "ncpus.eq.1,");
    refused("qselect: illegal -l value\nresource_list: lic.gt.True\n", 2, "-l", "lic.gt.True");
    refused("qselect: Unknown resource Resource_List.nosuch\n", 187, "-l", "nosuch.eq.1");
  }

  @Test
  void timesAreComparedToTheSecond() throws Exception {
    job(2).setCreatedMs(FakeSite.NOW_MS + 500);
    job(3).setCreatedMs(FakeSite.NOW_MS - HOUR_MS);
    lists("2", "-t", "c.eq.202611201536");
    lists("3", "-t", "c.lt.202611201500");
    lists("1 4 5", "-t", "c.gt.202611201436", "-t", "c.lt.202611201536.00");
    lists("1 5", "-t", "s.le.202611201536");
    lists("1 2 3 4 5", "-a", ".ne.202611201536");
    ClassReason reason = new ClassReason();
    reason.setClassKey(RequestClass.key(job(2).getSpec()));
    reason.setCode(ReasonCode.TOTAL_INSUFFICIENT.name());
    reason.setUntilMs(FakeSite.NOW_MS + HOUR_MS);
    site.reasons.put(reason.getClassKey(), new Reason("default", reason, null));
    lists("2 3", "-t", "t.le.1636");
    lists("", "-t", "t.lt.1636");
  }

  @Test
  void jobsThatWaitForTheirTime() throws Exception {
    job(4).setHolds("w");
    job(4).getSpec().setExecutionMs(FakeSite.NOW_MS + HOUR_MS);
    job(5).getSpec().setExecutionMs(FakeSite.NOW_MS - HOUR_MS);
    lists("4", "-s", "W");
    lists("1 2 3 4 5", "-h", "n");
    lists("4", "-a", ".gt.202611201536");
    lists("5", "-a", ".lt.202611201536");
    lists("4", "-t", "a.eq.202611201636");
    lists("1 2 3 5", "-a", ".ne.202611201636");
  }

  @Test
  void whatCannotBeReadIsSaidWithTheUsage() throws Exception {
    for (String[] wrong :
        new String[][] {
          {"-s", "Y"},
          {"-s", ".gt.Q"},
          {"-h", "x"},
          {"-p", ".xx.1"},
          {"-r", "maybe"},
          {"-t", "c.eq.9999"},
          {"-t", "z1200"},
          {"-a", "noon"},
          {"-c", "often"},
          {"-u", "a,,b"}
        }) {
      refused("qselect: illegal " + wrong[0] + " value\n", 2, wrong);
    }
    refused("usage: qselect ", 2, "1.vm");
    refused("qselect: Unknown queue destination\n", 170, "-q", "nosuch");
    refused("qselect: Illegal attribute or resource value\n", 166, "-p", "high");
    for (String wrong : new String[] {"nonexistent_queue", "a#b", "q@", "q@vm@vm"}) {
      refused("qselect: illegally formed destination: " + wrong + "\n", 2, "-q", wrong);
    }
    refused("Unknown Host.\n", 160, "-q", "@elsewhere");
    refused("qselect: illegally formed destination: a b\n", 2, "-q", "a b");
  }

  private void refused(String text, int status, String... options) throws Exception {
    String[] line = new String[options.length + 1];
    line[0] = "qselect";
    System.arraycopy(options, 0, line, 1, options.length);
    FakeInvocation told = site.run("pbsu1", line);
    assertTrue(told.errors().startsWith(text), told.errors());
    assertEquals("", told.output());
    assertEquals(status, site.status, told.errors());
  }
}
