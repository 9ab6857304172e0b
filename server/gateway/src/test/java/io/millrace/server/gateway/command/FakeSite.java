package io.millrace.server.gateway.command;

import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.CommandIds;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.link.OutsidePicture;
import io.millrace.server.gateway.link.ShardLink;
import io.millrace.server.gateway.query.FreeNode;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.query.QueryException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/** A cluster in memory: objects and jobs that a test puts in, and answers that it chooses. */
public final class FakeSite implements ShardLink, ClusterView, Queries {

  public static final long NOW_MS = Instant.parse("2026-11-20T15:36:00Z").toEpochMilli();

  /** A command that was sent, and to which shard. */
  public record Sent(int shard, CommandId id, SpecificRecord command) {}

  final Map<String, ClusterObject> objects = new TreeMap<>();
  public final Map<Long, Job> jobs = new TreeMap<>();

  /** How often somebody wanted to know what is booked of a node. */
  public int bookingsAsked;

  /** By their numbers. */
  public final Map<Long, Reservation> reservations = new TreeMap<>();

  public final List<PastReservation> past = new ArrayList<>();
  public final List<ReservationWhole> wholes = new ArrayList<>();

  /** What happens by and by: the next of it each time that somebody has looked at a job. */
  public final Deque<Runnable> meanwhile = new ArrayDeque<>();

  /** How often all jobs were listed. */
  public final AtomicInteger lists = new AtomicInteger();

  public final List<Dependent> dependents = new ArrayList<>();
  public final List<Queue> queues = new ArrayList<>();
  public final List<Node> nodes = new ArrayList<>();
  public final List<Scheduler> schedulers = new ArrayList<>();
  public final List<EntityUsage> usages = new ArrayList<>();
  public final Map<String, Reason> reasons = new HashMap<>();
  public final List<Sent> sent = new ArrayList<>();
  private final Map<CommandId, Reply> remembered = new LinkedHashMap<>();
  private Function<Sent, Reply> answers = this::accept;
  private long nextNumber = 1;
  long invocations;

  /** Whether the next looks at one job find it, as while it goes from shard to shard. */
  public final Deque<Boolean> looks = new ArrayDeque<>();

  /** Observed clusters by their names. */
  public final Map<String, OutsidePicture> outside = new HashMap<>();

  private String home = "/var/spool/pbs";

  /** Shards that give no answer, and how it shows. */
  public final Map<Integer, LinkException.LinkFailureKind> dark = new HashMap<>();

  /** So many looks at one job fail. */
  public int failures;

  /** So many lists of all jobs fail. */
  public int listFailures;

  /** A fresh cluster: server vm, queue workq in the default partition of shard 0. */
  public FakeSite() {
    put(
        ObjectKind.SERVER,
        "server",
        "server_host",
        "vm",
        "default_queue",
        "workq",
        "scheduling",
        "True");
    put(ObjectKind.QUEUE, "workq", "queue_type", "Execution", "enabled", "True", "started", "True");
    put(ObjectKind.PARTITION, "pbs-default", "shard", "0", "scheduler", "default");
    put(ObjectKind.SCHEDULER, "default", "scheduling", "True", "shard", "0");
  }

  public void put(ObjectKind kind, String name, String... pairs) {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      attributes.add(new Attribute(pairs[i], pairs[i + 1]));
    }
    objects.put(kind + "/" + name, new ClusterObject(kind, name, 1L, attributes, 1L));
  }

  /** From now on commands are answered so; null repeats what an accepting shard says. */
  public void answer(Function<Sent, Reply> with) {
    answers = with == null ? this::accept : with;
  }

  /** All commands are refused with this code and text. */
  public void refuse(int code, String... lines) {
    answers = s -> new Reply(s.id(), code, List.of(lines), false);
  }

  public Site site() {
    Clock clock = Clock.fixed(Instant.ofEpochMilli(NOW_MS), ZoneOffset.UTC);
    return new Site(this, this, this, clock, "vm", home);
  }

  /** Where the gateway's home is from now on. */
  public void home(Path folder) {
    home = folder.toString();
  }

  /** An ordinary user's or root's command line with no files and no input. */
  public FakeInvocation run(String user, String... line) throws Exception {
    return run(new FakeInvocation(user, List.of(line), new HashMap<>(), id()));
  }

  public java.util.UUID id() {
    return new java.util.UUID(NOW_MS << 16 | 0x7000, ++invocations);
  }

  public int status;

  public FakeInvocation run(FakeInvocation invocation) throws Exception {
    status = new CommandTable(site()).run(invocation);
    return invocation;
  }

  private Reply accept(Sent command) {
    List<String> ids = new ArrayList<>();
    if (command.command() instanceof SubmitJobs submission) {
      submission.getJobs().forEach(j -> ids.add(nextNumber++ + ".vm"));
    }
    return new Reply(command.id(), 0, ids, false);
  }

  @Override
  public CompletableFuture<Reply> send(
      String client,
      int shard,
      CommandId id,
      SpecificRecord command,
      Consumer<String> interim,
      Duration patience) {
    Sent arrived = new Sent(shard, id, command);
    sent.add(arrived);
    if (dark.containsKey(shard)) {
      return CompletableFuture.failedFuture(new LinkException(dark.get(shard), "it is dark"));
    }
    // As a shard does, the answer to an id is remembered and repeated.
    return CompletableFuture.completedFuture(
        remembered.computeIfAbsent(id, i -> answers.apply(arrived)));
  }

  @Override
  public int replyPlace() {
    return 3;
  }

  @Override
  public Optional<ClusterObject> find(ObjectKind kind, String name) {
    return Optional.ofNullable(objects.get(kind + "/" + name));
  }

  @Override
  public List<ClusterObject> all(ObjectKind kind) {
    return objects.values().stream().filter(o -> o.getKind() == kind).toList();
  }

  @Override
  public List<Integer> shards() {
    return List.of(0);
  }

  @Override
  public Optional<ShardOwner> owner(int shard) {
    return Optional.of(new ShardOwner(shard, "127.0.0.1:1", NOW_MS));
  }

  @Override
  public void barrier() {}

  @Override
  public Optional<OutsidePicture> outside(String cluster) {
    return Optional.ofNullable(outside.get(cluster));
  }

  @Override
  public Optional<Job> job(long number) throws QueryException {
    Boolean found = looks.poll();
    if (Boolean.FALSE.equals(found)) {
      return Optional.empty();
    }
    if (failures > 0) {
      failures--;
      throw new QueryException("shard 0 has no owner");
    }
    Optional<Job> seen = Optional.ofNullable(jobs.get(number));
    if (!meanwhile.isEmpty()) {
      meanwhile.remove().run();
    }
    return seen;
  }

  @Override
  public void jobs(JobFilter filter, RecordReceiver<Job> each)
      throws QueryException, InterruptedException {
    lists.incrementAndGet();
    if (listFailures > 0) {
      listFailures--;
      throw new QueryException("shard 0 has no owner");
    }
    for (Job job : jobs.values()) {
      boolean finished = job.getStatus() == io.millrace.schemas.state.JobStatus.FINISHED;
      boolean queue = filter.queue().map(job.getSpec().getQueue()::equals).orElse(true);
      boolean owner = filter.owner().map(job.getSpec().getOwner()::equals).orElse(true);
      boolean behind = job.getNumber() > filter.after();
      boolean listed = queue && owner && behind && !JobNumbers.isSubjob(job.getNumber());
      if (listed && (filter.history() || !finished) && !each.accept(job)) {
        return;
      }
    }
  }

  @Override
  public List<Queue> queues() {
    return queues;
  }

  @Override
  public List<Node> nodes() {
    return nodes;
  }

  @Override
  public List<Reservation> reservations() {
    return new ArrayList<>(reservations.values());
  }

  @Override
  public List<Reservation> reservationRows() {
    return reservations();
  }

  @Override
  public List<FreeNode> freeNodes(long fromMs, long toMs) {
    Set<String> booked = new TreeSet<>();
    for (Reservation each : reservations.values()) {
      for (BookedTime time : BookedTime.of(each)) {
        if (time.startMs() < toMs && time.endMs() > fromMs) {
          time.booked().forEach(it -> booked.add(it.getNode()));
        }
      }
    }
    return nodes.stream()
        .filter(it -> it.getUp() && !booked.contains(it.getName()))
        .map(
            it ->
                new FreeNode(
                    it.getName(),
                    it.getHost(),
                    it.getHoldings().stream().map(Holding::getNumber).toList()))
        .toList();
  }

  @Override
  public List<NodeBooking> bookings(int shard, String node) {
    bookingsAsked++;
    List<NodeBooking> found = new ArrayList<>();
    for (Reservation each : reservations.values()) {
      each.getBooked().stream()
          .filter(it -> it.getNode().equals(node))
          .map(
              it ->
                  new NodeBooking(
                      node,
                      each.getNumber(),
                      each.getSpec().getStartMs(),
                      each.getSpec().getEndMs(),
                      it.getAmounts(),
                      it.getExclusive(),
                      List.of()))
          .forEach(found::add);
    }
    return found;
  }

  @Override
  public List<PastReservation> pastReservations() {
    return past;
  }

  @Override
  public List<ReservationWhole> wholes() {
    return wholes;
  }

  @Override
  public Optional<Reservation> reservation(long number) {
    return Optional.ofNullable(reservations.get(number));
  }

  @Override
  public List<Scheduler> schedulers(int shard) {
    return schedulers;
  }

  @Override
  public List<Scheduler> schedulers() {
    return schedulers;
  }

  @Override
  public List<EntityUsage> usages(int shard) {
    return usages;
  }

  @Override
  public Optional<Reason> reason(int shard, String scheduler, String classKey) {
    return Optional.ofNullable(reasons.get(classKey));
  }

  @Override
  public List<Job> subjobs(Job array, int from) {
    return jobs.values().stream()
        .filter(job -> JobNumbers.isSubjob(job.getNumber()))
        .filter(job -> JobNumbers.array(job.getNumber()) == array.getNumber())
        .filter(job -> JobNumbers.index(job.getNumber()) >= from)
        .toList();
  }

  @Override
  public List<Dependent> dependents(Job job) {
    return dependents;
  }

  @Override
  public OptionalInt birth(long job) {
    long number = JobNumbers.array(job);
    return number > 0 && number < 1000 ? OptionalInt.of(0) : OptionalInt.empty();
  }

  /** Keeps the import of the id maker honest: ids carry the invocation's time. */
  public static long timeOf(CommandId id) {
    byte[] bytes = id.bytes();
    return CommandIds.timeMs(new java.util.UUID(java.nio.ByteBuffer.wrap(bytes).getLong(), 0L));
  }
}
