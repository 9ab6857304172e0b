package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.HostileRecords;
import io.millrace.schemas.SeedSource;
import io.millrace.schemas.Seeds;
import io.millrace.schemas.Topics;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.TimerFailed;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Commands that can be decoded and make no sense, from each family of writers: each is refused, or
 * carried out as far as its writer may have it, and no shard stumbles.
 */
class HostileCommandsPropertyTest {
  private static final int COMMANDS = Seeds.NIGHT ? 20_000 : 400;

  /** After so many the shards begin anew: what a shard is told by another it believes. */
  private static final int BELIEVED = 40;

  private static final int DAY = 24 * 60 * 60 * 1000;

  private static final Map<CommandFamily, List<Role>> ROLES =
      Map.of(
          CommandFamily.USER, List.of(Role.USER, Role.OPERATOR, Role.MANAGER),
          CommandFamily.ENGINE, List.of(Role.ENGINE),
          CommandFamily.EXECUTOR, List.of(Role.EXECUTOR),
          CommandFamily.CAMPAIGN, List.of(Role.CAMPAIGN),
          CommandFamily.SITE, List.of(Role.SITE),
          CommandFamily.SHARD, List.of(Role.SHARD));

  private static final WireCodec CODEC = WireCodec.local();

  private SplittableRandom random;
  private TestShards shards;

  /** What no shard has said is an incident, which the administrator is to hear of. */
  private boolean believed;

  private HostileRecords hostile;

  private void begin(long seed) {
    random = new SplittableRandom(seed);
    shards = TestShards.threePartitions();
    List<String> jobs = new ArrayList<>();
    for (String owner : List.of("ann", "bob")) {
      jobs.add(shards.submit(Calls.job(owner, "workq", 1)));
      jobs.add(shards.submit(Calls.job(owner, "east", 1)));
      StartRun run = shards.running(owner);
      jobs.add(run.getJobId());
      if (owner.equals("ann")) {
        shards.started(run);
      }
    }
    jobs.add(shards.submit(Calls.held(Calls.job("ann", "west", 1), "u")));
    hostile = new HostileRecords(random, names(jobs));
    shards.observe(this::stepped);
  }

  private static Map<String, List<String>> names(List<String> jobs) {
    List<String> queues = List.of("workq", "east", "west", "none");
    List<String> hosts = List.of("n0", "e0", "w0", "none");
    return Map.ofEntries(
        Map.entry("job_id", jobs),
        Map.entry("other_id", jobs),
        Map.entry("for_job", jobs),
        Map.entry("id", jobs),
        Map.entry("queue", queues),
        Map.entry("name", List.of("workq", "east", "n0", "default", "es", "comment", "ncpus")),
        Map.entry("host", hosts),
        Map.entry("node", hosts),
        Map.entry("nodes", hosts),
        Map.entry("scheduler", List.of("default", "es", "ws", "none")),
        Map.entry("principal", List.of("ann", "bob", "root")),
        Map.entry("owner", List.of("ann", "bob")),
        Map.entry("executor", List.of(Calls.SPOOL, "other")),
        Map.entry("holds", List.of("u", "o", "s", "n", "uos", "xyz")),
        Map.entry("place", List.of("free", "pack", "scatter:excl", "group=host")),
        Map.entry("signal", List.of("suspend", "resume", "TERM", "9", "-3", "NOSUCH")),
        Map.entry("streams", List.of("O", "E", "OE", "X")),
        Map.entry("ways", List.of("S", "R", "D", "SRD", "Z")),
        Map.entry("value", List.of("True", "1", "p1", "n0", "12gb", "1:2:3")),
        Map.entry(
            "work",
            List.of(
                "answers",
                "array-deletion",
                "array-purge",
                "array-window",
                "changes",
                "forced-end",
                "leaving",
                "lost-runs",
                "lost-task",
                "roll-call",
                "routing-begin",
                "routing-job",
                "routing-pass",
                "stranded-runs",
                "snapshot",
                "none")),
        Map.entry("cursor", List.of("", "1", "a;b", "1;2;3", "n0;0", "1;-1;x", ";;;;")));
  }

  private void stepped(
      int shard, SpecificRecord command, CommandOutcome outcome, List<SpecificRecord> facts) {
    if (!believed) {
      assertNotEquals(PbsError.INCIDENT.code(), outcome.code(), () -> "incident by " + command);
    }
    assertTrue(facts.size() <= Context.FACTS_MAX, () -> facts.size() + " facts of " + command);
    for (SpecificRecord fact : facts) {
      assertTrue(!(fact instanceof TimerFailed), () -> fact + " by " + command);
      fits(fact, command);
    }
    for (Message message : outcome.messages()) {
      boolean exists = message.shard() >= 0 && message.shard() < TestShards.COUNT;
      assertTrue(exists, () -> "to shard " + message.shard() + " by " + command);
      fits(message.command(), command);
    }
    outcome.dispatch().forEach(order -> fits(order, command));
    outcome.replies().forEach(reply -> assertTrue(reply.partition() >= 0, command::toString));
    outcome.replies().forEach(reply -> fits(reply.reply(), command));
  }

  private static void fits(SpecificRecord written, SpecificRecord command) {
    assertTrue(
        CODEC.encode(written).length < Topics.MESSAGE_BYTES_MAX,
        () -> written.getSchema().getName() + " is too long by " + command.getSchema().getName());
  }

  private void hostile(CommandFamily family) {
    List<Catalogue.CatalogueEntry> types =
        Catalogue.get().commands().stream().filter(it -> family.maySend(it.schema())).toList();
    Catalogue.CatalogueEntry type = types.get(random.nextInt(types.size()));
    List<Role> roles = ROLES.get(CommandFamily.of(type.family()));
    Role role = roles.get(random.nextInt(roles.size()));
    SpecificRecord command = hostile.command(type.schema(), role, shards.nowMs);
    try {
      shards.send(family, random.nextInt(TestShards.COUNT), command);
      shards.run();
    } catch (RuntimeException e) {
      throw new AssertionError("by " + command, e);
    }
  }

  private void passTime() {
    int ms = random.nextInt(100) < 80 ? 61_000 : DAY;
    shards.pass(ms);
  }

  private void each(long seed, CommandFamily family) {
    begin(seed);
    for (int i = 0; i < COMMANDS; i++) {
      hostile(family);
      if (i % 100 == 99) {
        passTime();
      }
    }
  }

  @ParameterizedTest
  @SeedSource(value = 1, night = 10)
  void ofGateways(long seed) {
    each(seed, CommandFamily.USER);
  }

  @ParameterizedTest
  @SeedSource(value = 1, night = 10)
  void ofEngines(long seed) {
    each(seed, CommandFamily.ENGINE);
    aJobRuns();
  }

  @ParameterizedTest
  @SeedSource(value = 1, night = 10)
  void ofExecutors(long seed) {
    each(seed, CommandFamily.EXECUTOR);
    aJobRuns();
  }

  @ParameterizedTest
  @SeedSource(value = 1, night = 10)
  void ofShards(long seed) {
    believed = true;
    for (int i = 0; i < COMMANDS; i++) {
      if (i % BELIEVED == 0) {
        begin(seed + i);
      }
      hostile(CommandFamily.SHARD);
    }
  }

  /** A user's job, on a host and with an engine that nobody has spoken for. */
  private void aJobRuns() {
    shards.must(
        io.millrace.schemas.command.ChangeOperation.CREATE,
        io.millrace.schemas.common.ObjectKind.NODE,
        "fresh");
    shards.nodeUp("fresh", 4);
    shards.startEngine("default");
    String job = shards.submit(Calls.job("ann", "workq", 1));
    assertEquals(0, shards.grant(job, "default", "fresh", 1).getCode());
    StartRun order = shards.lastStart();
    assertEquals(job, order.getJobId());
    shards.started(order);
    CommandMeta meta = shards.executor("fresh");
    assertEquals("executor-fresh", meta.getPrincipal());
    shards.finished(order, 0);
    assertEquals(JobStatus.FINISHED, shards.status(job));
  }
}
