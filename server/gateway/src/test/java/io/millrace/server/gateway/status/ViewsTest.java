package io.millrace.server.gateway.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import io.millrace.server.gateway.command.RecordedReservations;
import io.millrace.server.gateway.command.Roles;
import io.millrace.server.gateway.query.JobFilter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ViewsTest {

  private final FakeSite site = new FakeSite();
  private final Views views = new Views(site.site());

  private void put(Job job) {
    site.jobs.put(job.getNumber(), job);
  }

  private static List<String> names(Views.ViewPage page) {
    return page.entries().stream().map(Views.ShownObject::name).toList();
  }

  @Test
  void aPageOfJobsSaysWhereTheNextBegins() throws Exception {
    for (long number = 1; number <= 5; number++) {
      put(Jobs.fromScript(number, JobStatus.QUEUED));
    }
    JobFilter all = JobFilter.all(false, "pbsu1");
    Views.ViewPage first = views.jobs(all, 2);
    assertEquals(List.of("1.vm", "2.vm"), names(first));
    assertEquals(Optional.of("2"), first.next());
    Views.ViewPage last = views.jobs(all.behind(4), 2);
    assertEquals(List.of("5.vm"), names(last));
    assertEquals(Optional.empty(), last.next());
    assertEquals(Optional.empty(), views.jobs(all, 5).next());
  }

  @Test
  void queuesOfReservationsAreAmongTheQueues() throws Exception {
    site.reservations.put(73L, RecordedReservations.r73());
    assertEquals(List.of("R73", "workq"), names(views.objects(ObjectKind.QUEUE, "", 9)));
    assertEquals(List.of("workq"), names(views.objects(ObjectKind.QUEUE, "R73", 9)));
    Views.ShownObject queue = views.object(ObjectKind.QUEUE, "R73").orElseThrow();
    assertTrue(queue.attributes().toString().contains("pbsu1"), queue.toString());
    assertEquals(Optional.empty(), views.object(ObjectKind.QUEUE, "R073"));
    assertEquals(Optional.empty(), views.object(ObjectKind.QUEUE, "R74"));
  }

  @Test
  void aJobIsShownAsQstatShowsIt() throws Exception {
    put(Jobs.fromScript(1, JobStatus.QUEUED));
    String printed = site.run("pbsu1", "qstat", "-f", "-w", "1").output();
    Views.ShownObject entry = views.job("1").orElseThrow();
    for (io.millrace.server.gateway.print.ShownAttribute shown : entry.attributes()) {
      assertTrue(printed.contains(shown.value()), shown + " in " + printed);
    }
    String why = views.why("1.vm").orElseThrow();
    assertEquals("1.vm: " + why + "\n", site.run("pbsu1", "why", "1").output());
    assertEquals(Optional.empty(), views.job("7"));
    assertEquals(Optional.empty(), views.why("7"));
    assertThrows(IllegalArgumentException.class, () -> views.job("seven"));
  }

  @Test
  void aJobWhoseSchedulerDiedSaysSoInTheWordsOfPbs() throws Exception {
    put(Jobs.fromScript(1, JobStatus.QUEUED));
    Scheduler run = Scheduler.newBuilder().setName("default").setEpoch(4L).build();
    site.schedulers.add(run);
    assertTrue(views.why("1").orElseThrow().contains("has not said yet"));
    run.setCondition(EngineCondition.SILENT);
    run.setConditionSinceMs(FakeSite.NOW_MS);
    assertTrue(
        views
            .why("1")
            .orElseThrow()
            .contains("Unable to reach scheduler associated with job 1.vm (scheduler default)"));
  }

  @Test
  void objectsComeInPagesByName() throws Exception {
    site.put(ObjectKind.QUEUE, "alpha", "queue_type", "Execution");
    site.put(ObjectKind.QUEUE, "beta", "queue_type", "Execution");
    Views.ViewPage first = views.objects(ObjectKind.QUEUE, "", 2);
    assertEquals(List.of("alpha", "beta"), names(first));
    assertEquals(Optional.of("beta"), first.next());
    assertEquals(List.of("workq"), names(views.objects(ObjectKind.QUEUE, "beta", 2)));
    assertEquals("vm", views.theServer().orElseThrow().name());
    assertEquals(Optional.empty(), views.object(ObjectKind.NODE, "none"));
  }

  @Test
  void whoMayNotUseTheServerIsRefusedWithTheCodeOfPbs() {
    assertEquals(Optional.empty(), views.refusal("pbsu1", () -> "vm"));
    site.put(
        ObjectKind.SERVER,
        "server",
        "server_host",
        "vm",
        "acl_host_enable",
        "True",
        "acl_hosts",
        "vm,login7");
    assertEquals(Optional.empty(), views.refusal("pbsu1", () -> "login7"));
    assertEquals(15008, views.refusal("pbsu1", () -> "elsewhere").orElseThrow().code());
    assertEquals(Optional.empty(), views.refusal("root", () -> "elsewhere"));
  }

  @Test
  void aManagerOfOneHostIsNoneOfAnother() {
    site.put(ObjectKind.SERVER, "server", "server_host", "vm", "managers", "boss@vm");
    assertEquals("MANAGER", Roles.of(site.site(), "boss", () -> "vm").name());
    assertEquals("USER", Roles.of(site.site(), "boss", () -> "elsewhere").name());
  }
}
