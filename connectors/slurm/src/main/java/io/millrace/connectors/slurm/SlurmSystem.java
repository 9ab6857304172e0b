package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A Slurm cluster. */
public final class SlurmSystem implements OutsideSystem {

  private static final int NAME_MOST = 200;

  private static final List<String> QUEUE = List.of("squeue", "--json");

  private final ClusterFile file;
  private final SlurmDoor door;
  private final SlurmName cluster;
  private final SlurmFiles written;
  private final SlurmDatabase database;
  private final DatabaseEnds ends;

  public SlurmSystem(ClusterFile file, CommandRunner runner) {
    this(file, runner, InstantSource.system());
  }

  /**
   * @param clock by which questions for the database come in their pace
   */
  SlurmSystem(ClusterFile file, CommandRunner runner, InstantSource clock) {
    this.file = file;
    this.door = SlurmKind.door(file, runner);
    this.cluster = new SlurmName(file, door);
    this.written = new SlurmFiles(file, runner.files());
    this.database = new SlurmDatabase(file, runner, clock);
    this.ends = new DatabaseEnds(database, cluster::database, file.name(), clock);
  }

  @Override
  public Submitted submit(OutsideSubmission order) throws InterruptedException {
    return submit(order.tag(), order, List.of(), RunWrapper.of(file.text("spool"), order));
  }

  @Override
  public int tasksMost() {
    return file.tasksMost();
  }

  @Override
  public Submitted submitArray(OutsideTag array, List<OutsideSubmission> runs)
      throws InterruptedException {
    byte[] script = RunWrapper.ofArray(file.text("spool"), runs);
    return submit(array, runs.get(0), List.of("--array=1-" + runs.size()), script);
  }

  private Submitted submit(
      OutsideTag mark, OutsideSubmission order, List<String> array, byte[] script)
      throws InterruptedException {
    Optional<String> wrong = cluster.wrong();
    if (wrong.isPresent()) {
      return new Submitted.NotSent(wrong.get());
    }
    Optional<String> unnamed = order.amounts().unnamed(file.resources());
    if (unnamed.isPresent()) {
      return new Submitted.SubmissionRefused(unnamed.get());
    }
    List<String> words = new ArrayList<>();
    words.add("sbatch");
    words.add("--parsable");
    words.add("--no-requeue");
    words.add("--comment=" + mark);
    words.add("--wckey=" + mark);
    words.addAll(array);
    words.add("--job-name=" + name(order.name()));
    Optional<List<String>> shape = SlurmShape.words(order);
    if (shape.isEmpty()) {
      return new Submitted.SubmissionRefused(SlurmShape.refusal(order));
    }
    words.addAll(shape.get());
    if (!order.amounts().isEvenInResources(file.resources())) {
      return new Submitted.SubmissionRefused(SlurmGres.REFUSAL);
    }
    words.addAll(SlurmGres.words(order.amounts().hosts().get(0).asked(file.resources())));
    words.add("--output=/dev/null");
    words.add("--error=/dev/null");
    words.add("--chdir=/");
    order.place().queue().ifPresent(it -> words.add("--partition=" + it));
    if (!order.place().hosts().isEmpty()) {
      words.add("--nodelist=" + String.join(",", order.place().hosts()));
    }
    order.amounts().wallSeconds().ifPresent(it -> words.add("--time=" + time(it)));
    return SlurmWords.submitted(door.order(order.account(), words, script));
  }

  /** A name without what would break lines of others. */
  static String name(String name) {
    StringBuilder clean = new StringBuilder();
    name.codePoints()
        .limit(NAME_MOST)
        .map(it -> Character.isISOControl(it) ? '_' : it)
        .forEach(clean::appendCodePoint);
    return clean.isEmpty() ? "job" : clean.toString();
  }

  @Override
  public boolean isSubmitting(OutsideTag tag, String account) {
    return door.isSubmitting(tag, account);
  }

  @Override
  public Told<List<OutsideJob>> tagged() throws InterruptedException {
    return OutsideJob.ofCluster(snapshot(), file.name());
  }

  @Override
  public boolean snapshotHasTags() {
    return true;
  }

  @Override
  public Told<List<OutsideJob>> snapshot() throws InterruptedException {
    Set<String> clusters = new HashSet<>();
    Told<List<OutsideJob>> told = SlurmQueue.read(door.ask(QUEUE), file.resources(), clusters::add);
    if (told instanceof Told.Answered<List<OutsideJob>> answer) {
      Set<String> accounts =
          answer.value().stream().map(OutsideJob::account).collect(Collectors.toSet());
      Optional<String> wrong = cluster.wrong(clusters, accounts);
      return wrong.isPresent() ? Told.nothing(wrong.get()) : Told.of(ends.of(answer.value()));
    }
    return told;
  }

  /**
   * In the account's name, since a queue with {@code PrivateData=jobs} shows others nothing of its
   * jobs. Slurm's JSON has the whole queue, whatever numbers are asked for.
   */
  @Override
  public Told<Map<OutsideId, Optional<OutsideJob>>> byNumber(
      String account, Collection<OutsideId> ids) throws InterruptedException {
    Set<String> clusters = new HashSet<>();
    Told<List<OutsideJob>> told =
        SlurmQueue.read(door.queueAs(account, QUEUE), file.resources(), clusters::add);
    if (told instanceof Told.Answered<List<OutsideJob>>) {
      told = ofCluster(told, clusters);
    }
    return told instanceof Told.Answered<List<OutsideJob>> answer
        ? Told.of(byDatabase(account, OutsideJob.byNumber(answer.value(), ids)))
        : Told.nothing("as " + account + ": " + ((Told.Nothing<List<OutsideJob>>) told).why());
  }

  /** The same with what a database says of those that the queue does not show. */
  private Map<OutsideId, Optional<OutsideJob>> byDatabase(
      String account, Map<OutsideId, Optional<OutsideJob>> shown) throws InterruptedException {
    List<OutsideId> missing =
        shown.entrySet().stream()
            .filter(it -> it.getValue().isEmpty())
            .map(Map.Entry::getKey)
            .toList();
    if (missing.isEmpty() || !ends.isThere()) {
      return shown;
    }
    Map<OutsideId, Optional<OutsideJob>> all = new HashMap<>(shown);
    if (database.jobsAs(account, missing) instanceof Told.Answered<List<SacctJob>> answer) {
      answer.value().stream()
          .filter(it -> it.tellsEnd() && it.tag().isPresent() && missing.contains(it.id()))
          .forEach(it -> all.put(it.id(), Optional.of(it.job())));
    }
    return all;
  }

  @Override
  public DatabaseState database() throws InterruptedException {
    if (!ends.isThere()) {
      return DatabaseState.NONE;
    }
    return database.isDue() ? DatabaseState.ASKED : DatabaseState.SILENT;
  }

  /**
   * As the account: nobody can write another one's jobs into its answer. What is over before any
   * queue has shown it is found so.
   */
  @Override
  public Told<Map<OutsideTag, OutsideId>> inDatabase(
      String account, Collection<OutsideTag> marks, Duration since) throws InterruptedException {
    if (!ends.isThere()) {
      return Told.of(Map.of());
    }
    Told<List<SacctJob>> told = database.markedAs(account, marks, since);
    if (told instanceof Told.Nothing<List<SacctJob>> nothing) {
      return Told.nothing(nothing.why());
    }
    Map<OutsideTag, OutsideId> found = new HashMap<>();
    for (SacctJob job : ((Told.Answered<List<SacctJob>>) told).value()) {
      job.tag()
          .filter(it -> marks.contains(it) && job.account().equals(account))
          .ifPresent(it -> found.put(it, OutsideId.of(job.id().number())));
    }
    return Told.of(found);
  }

  /** What was answered, where it is an answer of the cluster. */
  private <T> Told<T> ofCluster(Told<T> told, Set<String> clusters) throws InterruptedException {
    Optional<String> wrong = cluster.wrong(clusters);
    return wrong.isPresent() ? Told.nothing(wrong.get()) : told;
  }

  @Override
  public Controlled control(OutsideId id, String account, OutsideAction action)
      throws InterruptedException {
    String number = named(id);
    List<String> words =
        switch (action) {
          case HOLD -> List.of("scontrol", "hold", number);
          case RELEASE -> List.of("scontrol", "release", number);
          case SUSPEND -> List.of("scontrol", "suspend", number);
          case RESUME -> List.of("scontrol", "resume", number);
          case DELETE -> List.of("scancel", number);
        };
    return SlurmWords.controlled(door.order(account, words, new byte[0]));
  }

  /** Slurm counts in minutes, and rounds up. */
  private static String time(long seconds) {
    return "0:" + seconds;
  }

  /** Its owner may make it shorter, and of a job that waits longer, too. */
  @Override
  public Controlled limit(OutsideId id, OutsideSubmission order, long wallSeconds, boolean begun)
      throws InterruptedException {
    List<String> words =
        List.of("scontrol", "update", "JobId=" + named(id), "TimeLimit=" + time(wallSeconds));
    return SlurmWords.controlled(door.order(order.account(), words, new byte[0]));
  }

  private static String named(OutsideId id) {
    return id.task() == 0 ? Long.toString(id.number()) : id.number() + "_" + id.task();
  }

  /** To the script too, which is a child of the wrapper and not of a step. */
  @Override
  public Controlled signal(OutsideId id, String account, int signal) throws InterruptedException {
    List<String> words = List.of("scancel", "--full", "--signal=" + signal, named(id));
    return SlurmWords.controlled(door.order(account, words, new byte[0]));
  }

  @Override
  public Told<OutsideChanges> changes(String cursor) throws InterruptedException {
    Told<OutsideChanges> told = written.changes(cursor);
    if (!(told instanceof Told.Answered<OutsideChanges> answer)) {
      return told;
    }
    List<OutsideRecord> records = ends.records();
    if (records.isEmpty()) {
      return told;
    }
    OutsideChanges said = answer.value();
    List<OutsideRecord> all = new ArrayList<>(said.records());
    all.addAll(records);
    return Told.of(new OutsideChanges(all, said.moves(), said.cursor(), said.atEnd(), said.gap()));
  }

  @Override
  public Told<OutsideInventory> inventory() throws InterruptedException {
    Told<OutsideInventory> told =
        SlurmHosts.read(
            door.ask(List.of("sinfo", "--json")), file.managedQueue(), file.resources());
    return told instanceof Told.Answered<OutsideInventory> ? ofCluster(told, Set.of()) : told;
  }

  @Override
  public boolean hasAccounting() {
    return written.hasAccounting();
  }

  @Override
  public boolean movesAreNumbered() {
    return true;
  }

  @Override
  public boolean recordsUsage() {
    return ends.isAnswering();
  }
}
