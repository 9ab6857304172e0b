package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.EntityAmount;
import io.millrace.schemas.fact.InputsRead;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsagesSet;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.origin.GroupAccounts;
import io.millrace.schemas.pbs.origin.OriginWords;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.PolicyInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A shard with queues and hosts of an Origin2000, and the cycles of its scheduler at times that a
 * test gives. Hosts h1 to h3 have four nodes of the machine each.
 */
final class OriginMachineRoom {

  /** A Monday, 10:00:00 of universal time. */
  static final long MONDAY_TEN = Instant.parse("2026-11-23T10:00:00Z").getEpochSecond();

  private static final String QUEUES = "SUBMIT_QUEUE submit\nBATCH_QUEUES b1@h1,b2@h2,b3@h3\n";

  private static final FactMeta META = new FactMeta(1L, 1L, new CommandId(new byte[16]), "u");

  final OriginFollower follower = new OriginFollower("default", 0);
  private final SchedulerState core = new SchedulerState("default", 0, Policies.STANDARD, 100);
  private final OriginCycles cycles = new OriginCycles(follower, 100, core.limits());
  private final Map<String, String> told = new HashMap<>();
  private List<OriginStart> starts = List.of();
  private String loaded = "";

  OriginMachineRoom(String options) {
    follower.keepJobs();
    for (String queue : List.of("submit", "b1", "b2", "b3", "d1", "other")) {
      written(Records.queue(queue));
    }
    for (String host : List.of("h1", "h2", "h3")) {
      written(Records.object(ObjectKind.NODE, host));
      follower.node(Records.node(host, host, 8, 2048L << 20));
      core.facts().node(Records.node(host, host, 8, 2048L << 20));
    }
    config(QUEUES + options);
  }

  void written(ClusterObject object) {
    follower.written(object);
    core.facts().written(object);
  }

  /** Loads a configuration without further files. */
  void config(String text) {
    load("=== time_zone\nUTC\n=== host\nh1\n=== config\n" + text);
  }

  void load(String text) {
    loaded = text;
    settings("600");
  }

  /** Sets scheduler_iteration. */
  void iteration(String seconds) {
    settings(seconds);
  }

  private void settings(String iteration) {
    written(
        Records.object(
            ObjectKind.SCHEDULER,
            "default",
            "scheduling",
            "True",
            "policy",
            "origin2000",
            "scheduler_iteration",
            iteration,
            AttributeTable.ORIGIN2000,
            loaded));
  }

  /** The shard tells what a user has used. */
  void used(String user, double figure) {
    EntityAmount amount = new EntityAmount(StartUsage.entity(user), StartUsage.milli(figure));
    follower.follow(new UsagesSet(META, "default", List.of(amount)));
  }

  /** The shard tells what the files of allocations have, read at a time. */
  void accounts(String allocations, String current, long readMs) {
    follower.follow(
        new InputsRead(
            META,
            "default",
            List.of(
                file(GroupAccounts.ALLOCATIONS, allocations, readMs),
                file(GroupAccounts.CURRENT, current, readMs))));
  }

  private static PolicyInput file(String name, String text, long readMs) {
    return PolicyInput.newBuilder()
        .setName(OriginWords.fileInput(name))
        .setContent(text)
        .setReadMs(readMs)
        .build();
  }

  /** The shard charges the start of a job of the group users. */
  void charged(String user, long figure) {
    String entity = StartUsage.entity("users:" + user);
    RunCharge charge = new RunCharge(1L, 1, entity, StartUsage.more(figure));
    follower.follow(new UsageCharged(META, "default", List.of(charge), 0L));
  }

  /** The shard tells what DEDICATED_TIME_COMMAND says of each name, given name and text in turn. */
  void dedicatedTimes(String... says) {
    List<PolicyInput> inputs = new ArrayList<>();
    for (int i = 0; i < says.length; i += 2) {
      inputs.add(
          PolicyInput.newBuilder()
              .setName(OriginWords.dedicated(says[i]))
              .setContent(says[i + 1])
              .setReadMs(1)
              .build());
    }
    follower.follow(new InputsRead(META, "default", inputs));
  }

  /** Queues a job in the submit queue. */
  void job(long number, String owner, String request, long at) {
    job(number, "submit", owner, request, at);
  }

  void job(long number, String queue, String owner, String request, long at) {
    Job job = Records.job(number, queue, 0, request);
    job.setCreatedMs(at * 1000);
    job.setEligibleMs(at * 1000);
    job.getSpec().setOwner(owner + "@h");
    job.getSpec().setGroup("users");
    follower.job(job);
    core.facts().job(job);
  }

  /** Runs a cycle; its starts are granted. Returns them as {@code JOB QUEUE NODE}. */
  List<String> cycle(long now) {
    OriginCycles.OriginCycleOutcome outcome = cycle(Instant.ofEpochSecond(now));
    for (OriginStart start : outcome.starts()) {
      follower.moved(start.number(), start.queue(), start.number());
      follower.granted(start.number(), Records.allocation(List.of(start.share())), now * 1000);
    }
    return outcome.starts().stream()
        .map(it -> it.number() + " " + it.queue() + " " + it.share().getNode())
        .toList();
  }

  OriginCycles.OriginCycleOutcome cycle(Instant now) {
    OriginCycles.OriginCycleOutcome outcome = cycles.run(now);
    starts = outcome.starts();
    while (cycles.hasReasons()) {
      var changes = cycles.takeReasons(100);
      told.keySet().removeAll(changes.cleared());
      told.putAll(
          changes.reasons().stream()
              .collect(Collectors.toMap(ClassReason::getClassKey, ClassReason::getSubject)));
    }
    return outcome;
  }

  boolean due(long now) {
    return cycles.due(now * 1000);
  }

  long dueS() {
    return cycles.dueMs() / 1000;
  }

  void ends(long number) {
    follower.gone(number);
    core.facts().gone(number);
  }

  void refused(long number, long now) {
    follower.withdraw(number);
    cycles.refused(number, "refused", now * 1000);
  }

  void leave() {
    cycles.leave();
  }

  /** What a waiting job was told; null for nothing. */
  String comment(long number) {
    return told.get(RequestClass.job(number));
  }

  NodeShare share(long number) {
    return starts.stream().filter(it -> it.number() == number).findFirst().orElseThrow().share();
  }
}
