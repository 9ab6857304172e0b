package io.millrace.server.core.shard;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.command.Tick;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Message;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;

/**
 * Four shards in memory that send each other messages through first-in first-out inboxes. All that
 * would pass through Kafka is encoded and decoded, so that nobody can share a record by accident.
 */
public final class TestShards {
  public static final int COUNT = 4;
  public static final long START_MS = 1_700_000_000_000L;
  public static final String ROOT = "root";

  private static final WireCodec CODEC = WireCodec.local();
  private static final long MINUTE_MS = 60_000;
  private static final long HALF_HOUR_MS = 30 * MINUTE_MS;
  private static final int STEPS_MAX = 200_000;

  /** A command with the family that sent it. */
  private record Received(CommandFamily from, String host, SpecificRecord command) {}

  /** Sees each step after it was done. */
  public interface Observer {
    void stepped(
        int shard, SpecificRecord command, CommandOutcome outcome, List<SpecificRecord> facts);
  }

  public final Calls calls = new Calls();
  public long nowMs = START_MS;

  /** How far the broker's clock is ahead of everybody else's; negative: behind. */
  public long brokerAheadMs;

  private final List<Tables> tables = new ArrayList<>();
  private final List<Shard> shards = new ArrayList<>();
  private final List<ArrayDeque<Received>> inboxes = new ArrayList<>();
  private final List<List<SpecificRecord>> ledgers = new ArrayList<>();
  private final Map<CommandId, List<Reply>> replies = new HashMap<>();
  private final List<SpecificRecord> dispatch = new ArrayList<>();
  private final TreeSet<Integer> silent = new TreeSet<>();
  private Observer observer = (shard, command, outcome, facts) -> {};

  public TestShards() {
    for (int i = 0; i < COUNT; i++) {
      tables.add(WatchedTable.tables(i, COUNT));
      shards.add(new Shard(tables.get(i)));
      inboxes.add(new ArrayDeque<>());
      ledgers.add(new ArrayList<>());
    }
  }

  /** Shards with the first objects of a cluster: server "mill", queue "workq". */
  public static TestShards initialised() {
    TestShards all = new TestShards();
    all.initialise();
    return all;
  }

  public void initialise() {
    send(0, Calls.initialise(calls.silent("shard-0", Role.SHARD, nowMs), "mill", ROOT));
    run();
  }

  /**
   * A cluster of three partitions in three shards: queues workq, east and west, nodes n0, e0 and w0
   * of 4 cpus in them, schedulers "default", "es" and "ws" with engines of the first epoch.
   */
  public static TestShards threePartitions() {
    TestShards all = initialised();
    all.must(ChangeOperation.CREATE, ObjectKind.NODE, "n0");
    for (String side : List.of("east", "west")) {
      String letter = side.substring(0, 1);
      all.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, letter + "s");
      all.must(ChangeOperation.SET, ObjectKind.SCHEDULER, letter + "s", "partition=p" + side);
      all.queue(side, "p" + side);
      all.must(ChangeOperation.CREATE, ObjectKind.NODE, letter + "0", "partition=p" + side);
    }
    for (String host : List.of("n0", "e0", "w0")) {
      all.nodeUp(host, 4);
    }
    for (String scheduler : List.of("default", "es", "ws")) {
      all.startEngine(scheduler);
    }
    return all;
  }

  public void observe(Observer newObserver) {
    observer = newObserver;
  }

  public Tables tables(int shard) {
    return tables.get(shard);
  }

  public List<SpecificRecord> ledger(int shard) {
    return ledgers.get(shard);
  }

  public <F> List<F> facts(int shard, Class<F> type) {
    return ledgers.get(shard).stream().filter(type::isInstance).map(type::cast).toList();
  }

  public <F> List<F> facts(Class<F> type) {
    List<F> all = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      all.addAll(facts(i, type));
    }
    return all;
  }

  public List<SpecificRecord> dispatch() {
    return dispatch;
  }

  public StartRun lastStart() {
    return last(StartRun.class);
  }

  public KillRun lastKill() {
    return last(KillRun.class);
  }

  private <T> T last(Class<T> type) {
    List<T> found = dispatch.stream().filter(type::isInstance).map(type::cast).toList();
    return found.isEmpty() ? null : found.get(found.size() - 1);
  }

  public void silence(int shard, boolean on) {
    if (on) {
      silent.add(shard);
    } else {
      silent.remove(shard);
    }
  }

  public boolean silent(int shard) {
    return silent.contains(shard);
  }

  public int waiting(int shard) {
    return inboxes.get(shard).size();
  }

  /** A command from the family whose role it has. */
  public void send(int shard, SpecificRecord command) {
    send(CommandFamily.of(Envelope.ofCommand(command).getRole()), shard, command);
  }

  /** An executor's from the host that it names. */
  public void send(CommandFamily from, int shard, SpecificRecord command) {
    boolean report = from == CommandFamily.EXECUTOR;
    send(from, report ? HostRule.named(command).orElse("") : "", shard, command);
  }

  /** A command that has proven to come from this host. */
  void send(CommandFamily from, String host, int shard, SpecificRecord command) {
    inboxes.get(shard).add(new Received(from, host, throughTheWire(command)));
  }

  /** All that the shards know and have told, to be compared. */
  List<Object> everything() {
    List<Object> all = new ArrayList<>();
    for (int shard = 0; shard < COUNT; shard++) {
      for (var rows = tables(shard).freeze(); rows.hasNext(); ) {
        Map.Entry<String, SpecificRecord> row = rows.next();
        all.add(Map.entry(row.getKey(), throughTheWire(row.getValue())));
      }
      all.add(ledger(shard).size());
    }
    all.add(dispatch.size());
    return all;
  }

  public static SpecificRecord throughTheWire(SpecificRecord record) {
    try {
      return CODEC.decode(CODEC.encode(record));
    } catch (UndecodableRecord e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lets a shard handle its next command; false when there is none or the shard is silent. */
  public boolean step(int shard) {
    Received next = silent.contains(shard) ? null : inboxes.get(shard).poll();
    if (next == null) {
      return false;
    }
    SpecificRecord command = next.command();
    long timeMs = ++nowMs + brokerAheadMs;
    CommandOutcome outcome = shards.get(shard).handle(next.from(), next.host(), command, timeMs);
    List<SpecificRecord> facts = new ArrayList<>();
    outcome.facts().forEach(fact -> facts.add(throughTheWire(fact)));
    ledgers.get(shard).addAll(facts);
    for (CommandOutcome.AddressedReply reply : outcome.replies()) {
      Reply decoded = (Reply) throughTheWire(reply.reply());
      replies.computeIfAbsent(decoded.getId(), id -> new ArrayList<>()).add(decoded);
    }
    for (Message message : outcome.messages()) {
      if (CommandFamily.SHARD.refusal(message.command()).isPresent()) {
        throw new AssertionError("no shard may send " + message.command());
      }
      send(CommandFamily.SHARD, message.shard(), message.command());
    }
    outcome.dispatch().forEach(order -> dispatch.add(throughTheWire(order)));
    observer.stepped(shard, command, outcome, facts);
    return true;
  }

  /**
   * Lets some commands of a shard's inbox overtake others, and come twice: a broker does neither,
   * and who can bear both can bear whatever befalls him.
   */
  public void disorder(int shard, Random random, Predicate<SpecificRecord> some) {
    List<Received> inbox = new ArrayList<>(inboxes.get(shard));
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < inbox.size(); i++) {
      if (some.test(inbox.get(i).command())) {
        places.add(i);
      }
    }
    if (places.isEmpty()) {
      return;
    }
    int one = places.get(random.nextInt(places.size()));
    int other = places.get(random.nextInt(places.size()));
    Collections.swap(inbox, one, other);
    if (random.nextInt(4) == 0) {
      inbox.add(inbox.get(one));
    }
    inboxes.set(shard, new ArrayDeque<>(inbox));
  }

  /** Until no shard that has an owner has anything to do. */
  public void run() {
    int steps = 0;
    boolean busy = true;
    while (busy) {
      busy = false;
      for (int i = 0; i < COUNT; i++) {
        busy |= step(i);
      }
      if (++steps > STEPS_MAX) {
        throw new AssertionError("the shards do not come to rest: " + inboxes);
      }
    }
  }

  /**
   * Lets time pass, with a tick for each shard, as often as timers keep it busy. The last half hour
   * goes by in minutes, so that what is done each minute is done as often as it would be.
   */
  public void pass(long ms) {
    long endMs = nowMs + ms;
    nowMs += Math.max(0, ms - HALF_HOUR_MS);
    while (nowMs < endMs) {
      nowMs = Math.min(endMs, nowMs + MINUTE_MS);
      do {
        for (int i = 0; i < COUNT; i++) {
          if (!silent.contains(i)) {
            send(i, new Tick(calls.silent("shard-" + i, Role.SHARD, nowMs)));
          }
        }
        run();
      } while (due());
    }
  }

  private boolean due() {
    boolean due = false;
    for (int i = 0; i < COUNT; i++) {
      due |= !silent.contains(i) && shards.get(i).nextTimerMs() <= nowMs + brokerAheadMs;
    }
    return due;
  }

  /** All replies to a command, interim ones too. */
  public List<Reply> replies(CommandMeta meta) {
    return replies.getOrDefault(meta.getId(), List.of());
  }

  public Map<CommandId, List<Reply>> replies() {
    return replies;
  }

  /** The final answer; null when there is none yet. */
  public Reply answer(CommandMeta meta) {
    return replies(meta).stream().filter(r -> !r.getInterim()).findFirst().orElse(null);
  }

  /** Sends a command, lets the shards run, and returns its answer or null. */
  public Reply ask(int shard, SpecificRecord command) {
    send(shard, command);
    run();
    return answer(Envelope.ofCommand(command));
  }

  public CommandMeta user(String name) {
    return calls.meta(name, Role.USER, nowMs);
  }

  public CommandMeta operator() {
    return calls.meta("op", Role.OPERATOR, nowMs);
  }

  public CommandMeta manager() {
    return calls.meta(ROOT, Role.MANAGER, nowMs);
  }

  public CommandMeta executor(String host) {
    return calls.silent("executor-" + host, Role.EXECUTOR, nowMs);
  }

  public CommandMeta engine(String scheduler) {
    return calls.meta("engine-" + scheduler, Role.ENGINE, nowMs);
  }

  /** Submits through shard 0; the id of the first job. */
  public String submit(NewJob... jobs) {
    CommandMeta meta = user(jobs[0].getSpec().getOwner());
    Reply reply = ask(0, Calls.submit(meta, List.of(), jobs));
    if (reply.getCode() != 0) {
      throw new AssertionError(reply.toString());
    }
    return reply.getLines().get(0);
  }

  public Reply qmgr(ChangeOperation operation, ObjectKind kind, String name, String... pairs) {
    return ask(0, Calls.change(manager(), operation, kind, name, pairs));
  }

  /** A directive that is expected to succeed. */
  public void must(ChangeOperation operation, ObjectKind kind, String name, String... pairs) {
    Reply reply = qmgr(operation, kind, name, pairs);
    if (reply == null || reply.getCode() != 0) {
      throw new AssertionError(operation + " " + kind + " " + name + ": " + reply);
    }
  }

  public void queue(String name, String partition) {
    must(
        ChangeOperation.CREATE,
        ObjectKind.QUEUE,
        name,
        "queue_type=e",
        "enabled=t",
        "started=t",
        "partition=" + partition);
  }

  public void nodeUp(String host, long ncpus) {
    send(0, Calls.nodeUp(executor(host), host, ncpus));
    run();
  }

  /** Starts an engine; its epoch. */
  public long startEngine(String scheduler) {
    ask(0, Calls.startEngine(engine(scheduler), scheduler, false));
    return epoch(scheduler);
  }

  public long epoch(String scheduler) {
    return tables(shardOfScheduler(scheduler)).schedulers().get(scheduler).getEpoch();
  }

  public int shardOfScheduler(String scheduler) {
    return Integer.parseInt(
        Context.attribute(PartitionTable.scheduler(tables(0), scheduler), "shard", "-1"));
  }

  public int shardOfQueue(String queue) {
    return PartitionTable.shardOf(tables(0), PartitionTable.queue(tables(0), queue));
  }

  /** The shard in which the job is and is not in transit; -1 for none. */
  public int where(String jobId) {
    int found = -1;
    for (int i = 0; i < COUNT; i++) {
      Job job = tables(i).jobs().get(Keys.number(Keys.jobNumber(jobId)));
      if (job != null && job.getStatus() != JobStatus.TRANSIT) {
        if (found >= 0) {
          throw new AssertionError(jobId + " is in shards " + found + " and " + i);
        }
        found = i;
      }
    }
    return found;
  }

  /** The job, wherever it is; null for none. */
  public Job job(String jobId) {
    int shard = where(jobId);
    return shard < 0 ? null : tables(shard).jobs().get(Keys.number(Keys.jobNumber(jobId)));
  }

  /** Proposes to run a job of one chunk on a node, as the present engine of the scheduler. */
  public Reply grant(String jobId, String scheduler, String node, long ncpus) {
    NodeShare share = Calls.share(node, 1, ncpus);
    return ask(
        shardOfScheduler(scheduler),
        Calls.run(engine(scheduler), scheduler, epoch(scheduler), jobId, share));
  }

  /** A job of one cpu in workq that runs on n0. */
  public StartRun running(String owner) {
    String job = submit(Calls.job(owner, "workq", 1));
    Reply reply = grant(job, "default", "n0", 1);
    if (reply.getCode() != 0) {
      throw new AssertionError(reply.toString());
    }
    return lastStart();
  }

  public void started(StartRun order) {
    send(order.getShard(), Calls.started(executor(order.getHost()), order));
    run();
  }

  /** A start as a host says whose clock is wrong. */
  public void started(StartRun order, long startedMs) {
    ReportRunStarted report = Calls.started(executor(order.getHost()), order);
    report.setStartedMs(startedMs);
    send(order.getShard(), report);
    run();
  }

  public void finished(StartRun order, int exitStatus) {
    send(order.getShard(), Calls.finished(executor(order.getHost()), order, exitStatus));
    run();
  }

  public List<Holding> holdings(int shard, String node) {
    return tables(shard).nodes().get(node).getHoldings();
  }

  /** Sends a command without letting anybody handle it yet; its envelope. */
  public CommandMeta post(int shard, SpecificRecord command) {
    send(shard, command);
    return Envelope.ofCommand(command);
  }

  public int code(int shard, SpecificRecord command) {
    return ask(shard, command).getCode();
  }

  public JobStatus status(String jobId) {
    return job(jobId).getStatus();
  }

  /** The node record in each shard that has one, by shard. */
  public Map<Integer, Node> node(String name) {
    Map<Integer, Node> found = new TreeMap<>();
    for (int i = 0; i < COUNT; i++) {
      Node node = tables(i).nodes().get(name);
      if (node != null) {
        found.put(i, node);
      }
    }
    return found;
  }
}
