package io.millrace.server.accounting.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ArrayCut;
import io.millrace.schemas.fact.ArrayEnded;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobDepends;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.fact.SubjobsWithdrawn;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.accounting.book.AccountValue;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Facts in, lines out; the texts are those of recorded accounting files. */
class AccountWriterTest extends AccountFixture {
  private static final String COMMON =
      "user=pbsu1 group=pbsu1 project=_pbs_project_default jobname=fromscript queue=workq";
  private static final String LIST = "Resource_List.ncpus=1 Resource_List.walltime=00:10:00 ";

  /** Names of what was altered, never the values of variables. */
  @Test
  void anAlteredVariableIsNotTold() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    JobSpec spec = job(1).getSpec();
    spec.setVariables(List.of(new Attribute("TOKEN", "x7301secret")));
    spec.setSubmitArguments("-v TOKEN=x7301secret");
    spec.setArgv(List.of("/bin/echo", "x7301secret"));
    follow(0, new JobAltered(at(10), "1.vm", spec, "Variable_List", null));
    files.write(book);
    book.commit();
    String all = Files.readString(folder.resolve("20261120"));
    assertFalse(all.contains("x7301secret"), all);
  }

  @Test
  void aJobIsQueuedStartsAndEnds() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    follow(0, new RunGranted(at(100), "1.vm", 1, "default", 1L, allocation()));
    follow(0, new RunStarted(at(200), "1.vm", 1, 3259L, BEGIN + 150));
    follow(0, new RunKillRequested(at(8000), "1.vm", 1, KillPurpose.DELETE, "pbsu1@vm", false));
    follow(0, finished(14_000, 271, BEGIN + 150));
    String times = " ctime=1795188954 qtime=1795188954 etime=1795188954 ";
    String ran = "start=1795188954 exec_host=vm/0*2 exec_vnode=(vm[6]:ncpus=2:mem=102400kb) ";
    assertEquals(
        List.of(
            "11/20/2026 15:35:54;Q;1.vm;" + COMMON + times + LIST,
            "11/20/2026 15:35:54;S;1.vm;"
                + COMMON
                + times
                + ran
                + LIST
                + "resource_assigned.mem=102400kb resource_assigned.ncpus=2 ",
            "11/20/2026 15:36:02;D;1.vm;requestor=pbsu1@vm",
            "11/20/2026 15:36:08;E;1.vm;"
                + COMMON
                + times
                + ran
                + LIST
                + "session=3259 end=1795188968 Exit_status=271 resources_used.cpupercent=98"
                + " resources_used.cput=00:00:07 resources_used.mem=1388kb resources_used.ncpus=2"
                + " resources_used.vmem=2500kb resources_used.walltime=00:00:13 run_count=1"),
        lines("20261120"));
    assertNull(book.job(0, 1));
  }

  @Test
  void ofAJobInAReservationItsIdIsTold() throws IOException {
    Job inside = job(1);
    inside.getSpec().setQueue("R7");
    follow(0, new JobQueued(at(0), inside, List.of()));
    List<String> lines = lines("20261120");
    assertTrue(lines.get(0).contains(" queue=R7 resvID=R7.vm ctime="), lines.get(0));
  }

  @Test
  void anArrayBeginsWithItsFirstSubjobAndEndsWithItsLast() throws IOException {
    Job array = job(59);
    array.setId("59[].vm");
    array.setArray(
        new ArrayState(
            1, 9, 2, 0, List.of(new IndexRange(1, 9)), List.of(), List.of(), 0, 0, List.of()));
    Job subjob = job(JobNumbers.subjob(59, 1));
    subjob.setId("59[1].vm");
    follow(0, new JobQueued(at(0), array, List.of()));
    follow(0, new JobQueued(at(0), subjob, List.of()));
    follow(0, new SubjobsWithdrawn(at(0), "59[].vm", List.of(1)));
    follow(0, new JobQueued(at(0), subjob, List.of()));
    follow(0, new RunGranted(at(100), "59[1].vm", 1, "default", 1L, allocation()));
    follow(0, new RunStarted(at(200), "59[1].vm", 1, 3259L, BEGIN + 150));
    IndexRange some = new IndexRange(3, 5);
    follow(0, new ArrayCut(at(300), "59[].vm", List.of(), List.of(some), "a@vm", false, false));
    follow(0, new ArrayCut(at(300), "59[].vm", List.of(), List.of(), "a@vm", true, false));
    RunFinished end = finished(14_000, 271, BEGIN + 150);
    end.setJobId("59[1].vm");
    follow(0, end);
    follow(0, new ArrayEnded(at(14_000), "59[].vm", 1, 7_000L));
    String common = COMMON + " ctime=1795188954 qtime=1795188954 etime=1795188954 ";
    List<String> lines = lines("20261120");
    assertEquals(
        "11/20/2026 15:35:54;Q;59[].vm;" + common + "array_indices=1-9:2 " + LIST, lines.get(0));
    assertEquals(
        "11/20/2026 15:35:54;S;59[].vm;" + common + "start=1795188954 array_indices=1-9:2 " + LIST,
        lines.get(1));
    assertTrue(lines.get(2).startsWith("11/20/2026 15:35:54;S;59[1].vm;"), lines.get(2));
    assertEquals("11/20/2026 15:35:54;D;59[3].vm;requestor=a@vm", lines.get(3));
    assertEquals("11/20/2026 15:35:54;D;59[5].vm;requestor=a@vm", lines.get(4));
    assertEquals("11/20/2026 15:35:54;D;59[].vm;requestor=a@vm", lines.get(5));
    assertTrue(lines.get(6).startsWith("11/20/2026 15:36:08;E;59[1].vm;"), lines.get(6));
    assertEquals(
        "11/20/2026 15:36:08;E;59[].vm;"
            + common
            + "start=1795188954 "
            + LIST
            + "session=0 end=1795188968 Exit_status=1 eligible_time=00:00:07 run_count=0",
        lines.get(7));
    assertEquals(8, lines.size());
    assertNull(book.job(0, 59));
  }

  @Test
  void aHeldJobHasNoEligibleTime() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    follow(0, new JobHeld(at(1000), "1.vm", "u", "u", ""));
    follow(0, new JobMoved(at(2000), "1.vm", "workq", "wq2", 5L, null));
    follow(0, new JobReleased(at(3000), "1.vm", "n", "u"));
    follow(0, new JobMoved(at(4000), "1.vm", "wq2", "workq", 6L, null));
    follow(0, new JobDeleted(at(5000), "1.vm", 271, "root@vm", "", false));
    List<String> lines = lines("20261120");
    assertTrue(lines.get(1).contains(" queue=wq2 ctime=1795188954 qtime=1795188956 etime=0 "));
    assertTrue(
        lines.get(2).contains(" queue=workq ctime=1795188954 qtime=1795188958 etime=1795188957 "));
    assertEquals("11/20/2026 15:35:59;D;1.vm;requestor=root@vm", lines.get(3));
    assertEquals(4, lines.size());
  }

  @Test
  void textsOfUsersCannotForgeLinesOrValues() throws IOException {
    String forged = "x\n11/20/2026 15:36:08;E;9.vm;user=root";
    Job job = job(1);
    job.getSpec().setProject(forged);
    job.getSpec().setAccount("a\" user=root b=\"");
    job.getSpec().setName("a\"b");
    follow(0, new JobQueued(at(0), job, List.of()));
    follow(0, new JobDeleted(at(5000), "1.vm", 271, "", forged, false));
    assertEquals(
        List.of(
            "11/20/2026 15:35:54;Q;1.vm;user=pbsu1 group=pbsu1 account='a\" user=root b=\"'"
                + " project=\"x^J11/20/2026 15:36:08;E;9.vm;user=root\" jobname='a\"b'"
                + " queue=workq ctime=1795188954 qtime=1795188954 etime=1795188954 "
                + LIST,
            "11/20/2026 15:35:59;A;1.vm;x^J11/20/2026 15:36:08;E;9.vm;user=root"),
        lines("20261120"));
  }

  @Test
  void valuesAreQuotedAsInPbs() {
    assertEquals("a", AccountValue.of("a"));
    assertEquals("\"a b\"", AccountValue.of("a b"));
    assertEquals("'a \"b\"'", AccountValue.of("a \"b\""));
    assertEquals("1:ncpus=1:program=\"a\"", AccountValue.of("1:ncpus=1:program=\"a\""));
    assertEquals("\"it's\"", AccountValue.of("it's"));
    assertEquals("'a` \" b'", AccountValue.of("a' \" b"));
    assertEquals("b\u00e4r", AccountValue.of("b\u00e4r"));
    assertEquals("\"a\u00a0b\"", AccountValue.of("a\u00a0b"));
    assertEquals("a^Mb^?\\u0085\\u2028", AccountValue.of("a\rb\u007f\u0085\u2028"));
    assertEquals("\"\"", AccountValue.quoted(""));
  }

  @Test
  void whatAJobWasToGoBeforeIsToldWithItAsPbsDoes() throws IOException {
    Job job = job(56);
    List<WaitedJob> ids = List.of(new WaitedJob(52L, 0, false));
    List<WaitedJob> more = List.of(new WaitedJob(40L, 0, true));
    follow(0, new JobQueued(at(0), job, List.of(new Dependency(DependencyKind.AFTER, 0, ids))));
    String told = " etime=1795188954 depend=before:52.vm@vm Resource_List.";
    assertTrue(lines("20261120").get(0).contains(told), lines("20261120").get(0));
    job.setDepend(List.of(new Dependency(DependencyKind.AFTEROK, 0, ids)));
    follow(0, new JobQueued(at(0), job, List.of(new Dependency(DependencyKind.AFTERANY, 0, more))));
    told = " depend=afterok:52.vm@vm,beforeany:40[].vm@vm Resource_List.";
    assertTrue(lines("20261120").get(1).contains(told), lines("20261120").get(1));
  }

  @Test
  void whatAJobWaitsForIsToldWhenItIsQueued() throws IOException {
    Job job = job(53);
    job.setHolds("s");
    job.setEligibleMs(-1L);
    List<WaitedJob> on = List.of(new WaitedJob(52L, 0, false), new WaitedJob(40L, 0, true));
    job.setDepend(List.of(new Dependency(DependencyKind.AFTEROK, 0, on)));
    follow(0, new JobQueued(at(0), job, List.of()));
    String depend = " etime=0 depend=afterok:52.vm@vm:40[].vm@vm Resource_List.";
    assertTrue(lines("20261120").get(0).contains(depend), lines("20261120").get(0));
    follow(0, new JobDepends(at(1), "53.vm", List.of()));
    follow(0, new JobMoved(at(2), "53.vm", "workq", "other", 1L, null));
    assertTrue(lines("20261120").get(1).contains(" etime=0 Resource_List."));
  }

  @Test
  void whatGridEnginesQalterChangesOfResourcesIsTold() throws IOException {
    Job job = job(1);
    job.getSpec()
        .setGridEngine(
            GridEngineRequest.newBuilder().setOptions(List.of()).setCategory("").build());
    job.getSpec().setResourceList(resources("ncpus=1", "select=1:ncpus=1"));
    follow(0, new JobQueued(at(0), job, List.of()));
    JobSpec spec = JobSpec.newBuilder(job.getSpec()).build();
    spec.setResourceList(resources("ncpus=2", "select=2:ncpus=1", "walltime=00:01:40"));
    follow(0, new JobAltered(at(1000), "1.vm", spec, "Resource_List,grid_engine", null));
    assertEquals(
        List.of(
            "11/20/2026 15:35:55;a;1.vm;Resource_List.ncpus=2 Resource_List.select=2:ncpus=1"
                + " Resource_List.walltime=00:01:40"),
        lines("20261120").stream().filter(line -> line.contains(";a;")).toList());
  }

  @Test
  void whatIsAlteredIsTold() throws IOException {
    Job job = job(1);
    job.getSpec().setResourceList(resources("ncpus=1", "select=1:ncpus=1", "walltime=00:01:40"));
    follow(0, new JobQueued(at(0), job, List.of()));
    JobSpec spec = JobSpec.newBuilder(job.getSpec()).build();
    spec.setName("renamed");
    spec.setPriority(10);
    spec.setResourceList(resources("ncpus=1", "select=1:ncpus=1", "walltime=00:03:20"));
    spec.setAsked(resources("select=1:ncpus=1", "walltime=200"));
    follow(0, new JobAltered(at(1000), "1.vm", spec, "Job_Name,Priority,Resource_List", null));
    JobSpec wider = JobSpec.newBuilder(spec).build();
    wider.setResourceList(resources("ncpus=2", "select=1:ncpus=2", "walltime=00:03:20"));
    wider.setAsked(resources("select=1:ncpus=2", "walltime=200"));
    follow(0, new JobAltered(at(1000), "1.vm", wider, "Resource_List", null));
    wider = JobSpec.newBuilder(wider).setRerunnable(false).build();
    follow(0, new JobAltered(at(1000), "1.vm", wider, "Rerunable,eligible_time", 61_000L));
    // The queue that it came to gave it more; nobody altered it.
    JobSpec elsewhere = JobSpec.newBuilder(wider).build();
    elsewhere.setResourceList(
        resources("mem=1gb", "ncpus=2", "select=1:ncpus=2", "walltime=00:03:20"));
    follow(0, new JobAltered(at(2000), "1.vm", elsewhere, "Resource_List", null));
    follow(0, new JobAltered(at(2000), "1.vm", elsewhere, "put_off", null));
    String head = "11/20/2026 15:35:55;a;1.vm;";
    List<String> lines = lines("20261120");
    assertEquals(
        List.of(
            head + "Job_Name=renamed Priority=10 Resource_List.walltime=00:03:20",
            head + "Resource_List.select=1:ncpus=2",
            head + "Rerunable=n eligible_time=00:01:01"),
        lines.subList(1, lines.size()));
  }

  private static List<Attribute> resources(String... pairs) {
    return Arrays.stream(pairs)
        .map(it -> it.split("=", 2))
        .map(it -> new Attribute(it[0], it[1]))
        .toList();
  }

  @Test
  void aJobThatGoesToAnotherShardIsToldThere() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    Job moved = job(1);
    moved.getSpec().setQueue("other");
    // The consumer may meet the other shard's facts first.
    follow(3, new JobAccepted(at(500), 0, moved, null, List.of(), false));
    follow(0, new JobHandedOver(at(600), "1.vm", 3));
    follow(3, new RunGranted(at(1000), "1.vm", 1, "default", 1L, allocation()));
    follow(3, finished(9000, 0, BEGIN + 1000));
    assertEquals(
        List.of("Q", "Q", "S", "E"),
        lines("20261120").stream().map(it -> it.split(";")[1]).toList());
    assertNull(book.job(0, 1));
    assertNull(book.job(3, 1));
  }

  @Test
  void aJobThatComesWithItsQueueIsNotToldAgain() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    follow(3, new JobAccepted(at(500), 0, job(1), null, List.of(), true));
    follow(0, new JobHandedOver(at(600), "1.vm", 3));
    follow(3, new RunGranted(at(1000), "1.vm", 1, "default", 1L, allocation()));
    follow(3, finished(9000, 0, BEGIN + 1000));
    assertEquals(
        List.of("Q", "S", "E"), lines("20261120").stream().map(it -> it.split(";")[1]).toList());
  }

  @Test
  void amountsOfCustomResourcesAreWrittenAsTheirTypeSays() throws IOException {
    ClusterObject resource =
        new ClusterObject(
            ObjectKind.RESOURCE, "scratch", 1L, List.of(new Attribute("type", "size")), 1L);
    follow(0, new ObjectWritten(at(0), resource));
    write();
    close();
    open();
    follow(0, new JobQueued(at(0), job(1), List.of()));
    NodeShare share = new NodeShare("vm[6]", "vm", 1, Map.of("scratch", 1L << 20));
    Allocation allocation = new Allocation(List.of(share), "vm/0", "(vm[6]:scratch=1mb)", null);
    follow(0, new RunGranted(at(100), "1.vm", 1, "default", 1L, allocation));
    follow(0, new RunStarted(at(200), "1.vm", 1, 3259L, BEGIN + 150));
    assertTrue(lines("20261120").get(1).endsWith("resource_assigned.scratch=1024kb "));
  }
}
