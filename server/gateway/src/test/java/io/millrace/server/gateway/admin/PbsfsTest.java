package io.millrace.server.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeUsage;
import io.millrace.schemas.command.UsageChange;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** pbsfs: what it prints, what it sends, and whom it refuses. */
class PbsfsTest {
  private static final String GROUP = "ann 10 root 40\nbob 11 root 60\n";
  private final FakeSite site = new FakeSite();

  @BeforeEach
  void hasFairShare() {
    String text =
        StoredPolicy.join(
            Map.of("sched_config", "fair_share: true\n", "resource_group", GROUP), "UTC");
    for (String scheduler : List.of("default", "other")) {
      site.put(
          ObjectKind.SCHEDULER,
          scheduler,
          "shard",
          "0",
          "policy",
          "sched_config",
          "fairshare_entity",
          "euser",
          "sched_config",
          text);
    }
    site.put(ObjectKind.SCHEDULER, "bare", "shard", "0");
    site.schedulers.add(Scheduler.newBuilder().setName("default").setFaded(-1).build());
    site.schedulers.add(Scheduler.newBuilder().setName("other").setFaded(0).build());
    // Used before all usage was halved.
    site.usages.add(new EntityUsage("default", "ann", 200_000L, 0.0));
    site.usages.add(new EntityUsage("other", "bob", 900_000L, 0.0));
  }

  @Test
  void theTableHasWhatIsLeftOfUsage() throws Exception {
    FakeInvocation run = site.run("root", "pbsfs");
    assertEquals(0, site.status);
    List<String> lines = run.output().lines().toList();
    assertEquals("Fairshare usage units are in: cput", lines.get(0));
    assertTrue(
        lines.contains(
            "ann       : Grp: 0      cgrp: 10   Shares: 40     Usage: 100    Perc: 40.000%"),
        run.output());
    assertTrue(
        lines.contains(
            "bob       : Grp: 0      cgrp: 11   Shares: 60     Usage: 1      Perc: 60.000%"),
        run.output());
  }

  @Test
  void whoIsMoreDeserving() throws Exception {
    assertEquals("bob\n", site.run("root", "pbsfs", "-c", "ann", "bob").output());
  }

  /** The same two, of another scheduler object. */
  @Test
  void whoIsMoreDeservingForAnotherScheduler() throws Exception {
    String said = site.run("root", "pbsfs", "-I", "other", "-c", "ann", "bob").output();
    assertEquals("ann\n", said);
    assertTrue(
        site.run("root", "pbsfs", "-I", "other").output().contains("Usage: 900 "),
        "each has usages of its own");
  }

  @Test
  void whatIsChangedGoesToTheShard() throws Exception {
    site.run("root", "pbsfs", "-s", "ann", "12.5");
    site.run("root", "pbsfs", "-d");
    site.run("root", "pbsfs", "-e", "-I", "default");
    assertEquals(0, site.status);
    assertEquals(3, site.sent.size());
    ChangeUsage set = (ChangeUsage) site.sent.get(0).command();
    assertEquals(UsageChange.SET, set.getChange());
    assertEquals("ann", set.getEntity());
    assertEquals(12_500, set.getMilli());
    assertEquals(UsageChange.FADE, ((ChangeUsage) site.sent.get(1).command()).getChange());
    assertEquals(UsageChange.FORGET, ((ChangeUsage) site.sent.get(2).command()).getChange());
  }

  @Test
  void refusalsAreThoseOfPbs() throws Exception {
    FakeInvocation run = site.run("pbsu1", "pbsfs");
    assertEquals(1, site.status);
    assertTrue(run.errors().contains("Must be run by PBS_DAEMON_SERVICE_USER"), run.errors());
    run = site.run("root", "pbsfs", "-g", "nosuch");
    assertEquals("Fairshare Entity nosuch does not exist.\n", run.errors());
    assertEquals(1, site.status);
    run = site.run("root", "pbsfs", "-I", "nosuch");
    assertEquals("Scheduler nosuch does not exist\n", run.errors());
    run = site.run("root", "pbsfs", "-I", "bare");
    assertTrue(run.errors().contains("scheduler bare has no fair share"), run.errors());
    run = site.run("root", "pbsfs", "-s", "ann");
    assertEquals("Usage: pbsfs [-I sched_name] -s <fairshare_entity> <usage>\n", run.errors());
    assertEquals(List.of(), site.sent);
  }

  private FakeInvocation loading(String zone, String followed, Map<String, String> texts) {
    List<String> line = new ArrayList<>(List.of("sched-config-load", "default", zone, followed));
    Map<String, byte[]> files = new HashMap<>();
    texts.forEach(
        (name, text) -> {
          line.add("/p/" + name);
          files.put("/p/" + name, text.getBytes(StandardCharsets.UTF_8));
        });
    return new FakeInvocation("root", line, files, site.id());
  }

  @Test
  void aFileThatIsWrongIsNotSent() throws Exception {
    FakeInvocation run = loading("Mars", "-", Map.of("x", "by_queue: true\n"));
    site.run(run);
    assertEquals(1, site.status);
    assertTrue(run.errors().contains("'Mars' is no time zone"), run.errors());
    assertEquals(List.of(), site.sent.stream().map(FakeSite.Sent::command).toList());
  }

  @Test
  void allFilesGoInOneChange() throws Exception {
    FakeInvocation run =
        loading("UTC", "-", Map.of("sched_config", "fair_share: true\n", "resource_group", GROUP));
    site.run(run);
    assertEquals(0, site.status, run.errors());
    ChangeObject change = (ChangeObject) site.sent.get(0).command();
    assertEquals(1, site.sent.size());
    assertEquals(4, change.getAttributes().size());
    assertEquals("", change.getAttributes().get(2).getValue(), "no folder is followed any more");
    String text = change.getAttributes().get(1).getValue();
    assertEquals(GROUP, StoredPolicy.split(text).get("resource_group"));
    assertTrue(run.output().contains("decides by resource_group, sched_config; times are"));
    assertEquals(1, run.output().lines().count(), run.output());
  }

  @Test
  void theFolderThatIsFollowedGoesAlong() throws Exception {
    FakeInvocation run =
        loading("UTC", "/p", Map.of("sched_config", "fair_share: true\n", "resource_group", GROUP));
    site.run(run);
    assertEquals(0, site.status, run.errors());
    ChangeObject change = (ChangeObject) site.sent.get(0).command();
    assertEquals("policy_folder", change.getAttributes().get(2).getName());
    assertEquals("/p", change.getAttributes().get(2).getValue());
    assertTrue(
        run.output().contains("\nfrom now on changes of the files of /p are loaded within seconds"),
        run.output());
  }
}
