package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.bridge.tail.FileTail;
import io.millrace.connectors.bridge.tail.TailPosition;
import io.millrace.connectors.bridge.tail.TailRead;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A Grid Engine cluster, by its commands. */
public final class SgeSystem implements OutsideSystem {

  private static final int TAIL_BYTES = 1 << 20;
  private static final int NAME_MOST = 100;

  /** So many jobs are asked for at one look, each with a command. */
  private static final int NUMBERS_AT_ONCE = 20;

  private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9_@][A-Za-z0-9_.@-]{0,260}");

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;
  private final SgeComplexes complexes;
  private final SgeCapacities capacities;
  private final FileTail accounting;
  private final Optional<FileTail> reporting;
  private final Optional<SgeEvents> events;

  public SgeSystem(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
    this.commands = file.commands(SgeKeys.environment(file));
    this.complexes = new SgeComplexes(file.resources(), file.given(SgeKeys.MEMORY));
    this.capacities = new SgeCapacities(file, runner, complexes);
    this.accounting = new FileTail(runner.files(), SgeKeys.accounting(file), TAIL_BYTES);
    this.reporting =
        file.given(SgeKeys.REPORTING)
            .map(it -> new FileTail(runner.files(), Path.of(it), TAIL_BYTES));
    this.events =
        file.given(SgeKeys.EVENTS)
            .map(it -> new SgeEvents(runner, commands.own(List.of(it, "-ts"))));
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
    return submit(array, runs.get(0), List.of("-t", "1-" + runs.size()), script);
  }

  private Submitted submit(
      OutsideTag mark, OutsideSubmission order, List<String> array, byte[] script)
      throws InterruptedException {
    Optional<String> unnamed = order.amounts().unnamed(file.resources());
    if (unnamed.isPresent()) {
      return new Submitted.SubmissionRefused(unnamed.get());
    }
    List<String> words = new ArrayList<>();
    words.add(file.program("qsub"));
    // Its owner's sge_request could have qsub wait for the job, or start a program of his.
    words.add("-clear");
    words.addAll(List.of("-terse", "-A", mark.toString()));
    words.addAll(List.of("-ac", "MILLRACE=" + mark));
    words.addAll(array);
    words.addAll(List.of("-r", "n", "-b", "n", "-S", "/bin/bash", "-wd", "/"));
    words.addAll(List.of("-o", "/dev/null", "-e", "/dev/null", "-N", name(order.name())));
    List<String> instances = instances(order.place());
    for (String instance : instances) {
      if (!QUEUE.matcher(instance).matches()) {
        return new Submitted.SubmissionRefused("'" + instance + "' is no name of a queue");
      }
    }
    if (!instances.isEmpty()) {
      words.addAll(List.of("-q", String.join(",", instances)));
    }
    SgeEnvironment environment = SgeEnvironment.of(file, order.amounts());
    if (!environment.refusal().isEmpty()) {
      return new Submitted.SubmissionRefused(environment.refusal());
    }
    Optional<String> refusal = SgeComplexes.refusal(order.amounts(), file.resources());
    if (refusal.isPresent()) {
      return new Submitted.SubmissionRefused(refusal.get());
    }
    words.addAll(environment.words());
    words.addAll(requests(order, order.amounts().wallSeconds()));
    Submitted answer = SgeWords.submitted(runner.run(commands.as(order.account(), words, script)));
    return file.reserves() ? SgeWords.inReservation(answer) : answer;
  }

  /** All that a job asks for by {@code -l}. */
  private List<String> requests(OutsideSubmission order, Optional<Long> wallSeconds) {
    List<String> words = new ArrayList<>();
    if (file.places()) {
      words.addAll(List.of("-l", file.text(SgeKeys.MANAGED) + "=TRUE"));
    }
    wallSeconds.ifPresent(it -> words.addAll(List.of("-l", "h_rt=" + it)));
    Optional<String> memory = file.given(SgeKeys.MEMORY);
    // Grid Engine multiplies it by the slots.
    long kb = order.amounts().widest().memoryKbOfSlot();
    if (memory.isPresent() && kb > 0) {
      words.addAll(List.of("-l", memory.get() + "=" + kb + "K"));
    }
    OutsideShare each = order.amounts().hosts().get(0);
    words.addAll(SgeComplexes.words(each.asked(file.resources()), each.slots()));
    return words;
  }

  /**
   * All requests anew, since qalter drops those that it is not told. Of a job that runs they would
   * be changed in qmaster's list only: its host ends it by the limit that it has begun with.
   */
  @Override
  public Controlled limit(OutsideId id, OutsideSubmission order, long wallSeconds, boolean begun)
      throws InterruptedException {
    if (begun) {
      return new Controlled.ControlRefused(
          "a Grid Engine does not change h_rt of a job that has begun");
    }
    if (id.task() > 0) {
      return new Controlled.ControlRefused(
          "a Grid Engine changes h_rt of all tasks of an array or of none");
    }
    List<String> words = new ArrayList<>(List.of(file.program("qalter")));
    words.addAll(requests(order, Optional.of(wallSeconds)));
    words.add(id.toString());
    return SgeWords.controlled(runner.run(commands.as(order.account(), words, new byte[0])));
  }

  /** The queue, on each host that is named. */
  private static List<String> instances(OutsideSubmission.OutsidePlace place) {
    Optional<String> queue = place.queue();
    return queue.isEmpty() || place.hosts().isEmpty()
        ? queue.stream().toList()
        : place.hosts().stream().map(it -> queue.get() + "@" + it).toList();
  }

  /** A name that Grid Engine takes. */
  static String name(String name) {
    StringBuilder clean = new StringBuilder();
    name.codePoints()
        .limit(NAME_MOST)
        .map(
            it -> it < 128 && (Character.isLetterOrDigit(it) || "._+-".indexOf(it) >= 0) ? it : '_')
        .forEach(clean::appendCodePoint);
    boolean good =
        !clean.isEmpty() && (Character.isLetter(clean.charAt(0)) || clean.charAt(0) == '_');
    return good ? clean.toString() : "J" + clean;
  }

  @Override
  public boolean isSubmitting(OutsideTag tag, String account) {
    return runner.isUnderWay(account, tag.toString());
  }

  @Override
  public Told<List<OutsideJob>> tagged() throws InterruptedException {
    List<String> words = List.of(file.program("qstat"), "-j", "*", "-xml");
    return OutsideJob.ofCluster(SgeQueue.details(runner.run(commands.own(words))), file.name());
  }

  @Override
  public Told<List<OutsideJob>> snapshot() throws InterruptedException {
    List<String> words = List.of(file.program("qstat"), "-f", "-r", "-u", "*", "-s", "prs", "-xml");
    return SgeQueue.read(runner.run(commands.own(words)), complexes);
  }

  /**
   * In our own name, from which qmaster hides nothing; a file of defaults can narrow the list. Of a
   * task the long form does not say whether it is over: the list is what is known of it.
   */
  @Override
  public Told<Map<OutsideId, Optional<OutsideJob>>> byNumber(
      String account, Collection<OutsideId> ids) throws InterruptedException {
    Map<OutsideId, Optional<OutsideJob>> said = new HashMap<>();
    ids.stream().filter(it -> it.task() > 0).forEach(it -> said.put(it, Optional.empty()));
    for (OutsideId id : ids.stream().filter(it -> it.task() == 0).limit(NUMBERS_AT_ONCE).toList()) {
      List<String> words = List.of(file.program("qstat"), "-j", id.toString(), "-xml");
      Told<List<OutsideJob>> told = SgeQueue.details(runner.run(commands.own(words)));
      if (told instanceof Told.Nothing<List<OutsideJob>> nothing) {
        return said.isEmpty() ? Told.nothing(nothing.why()) : Told.of(said);
      }
      said.putAll(
          OutsideJob.byNumber(((Told.Answered<List<OutsideJob>>) told).value(), List.of(id)));
    }
    return Told.of(said);
  }

  @Override
  public Controlled control(OutsideId id, String account, OutsideAction action)
      throws InterruptedException {
    String number = id.toString();
    List<String> words =
        switch (action) {
          case HOLD -> List.of(file.program("qhold"), number);
          case RELEASE -> List.of(file.program("qrls"), number);
          case SUSPEND -> List.of(file.program("qmod"), "-sj", number);
          case RESUME -> List.of(file.program("qmod"), "-usj", number);
          case DELETE -> List.of(file.program("qdel"), number);
        };
    return SgeWords.controlled(runner.run(commands.as(account, words, new byte[0])));
  }

  @Override
  public Told<OutsideChanges> changes(String cursor) {
    String[] parts = cursor.split(" ", 2);
    try {
      TailRead ends = read(accounting, parts[0]);
      List<OutsideRecord> records =
          ends.lines().stream().flatMap(it -> SgeAccounting.record(it).stream()).toList();
      String next = ends.position().toString();
      boolean atEnd = ends.atEnd();
      List<OutsideMove> logged = new ArrayList<>();
      if (reporting.isPresent()) {
        TailRead log = read(reporting.get(), parts.length > 1 ? parts[1] : "");
        log.lines().forEach(it -> SgeReporting.move(it).ifPresent(logged::add));
        next = next + " " + log.position();
        atEnd &= log.atEnd();
      }
      // Who follows tells each once: they are taken where nothing can keep them from being told.
      List<OutsideMove> moves = new ArrayList<>(events.map(SgeEvents::moves).orElse(List.of()));
      moves.addAll(logged);
      return Told.of(new OutsideChanges(records, moves, next, atEnd, ends.gap()));
    } catch (IOException e) {
      return Told.nothing("accounting cannot be read: " + e.getMessage());
    }
  }

  private static TailRead read(FileTail tail, String cursor) throws IOException {
    Optional<TailPosition> from = TailPosition.read(cursor);
    return from.isPresent()
        ? tail.read(from.get())
        : new TailRead(List.of(), tail.end(), true, false, 0);
  }

  @Override
  public Told<OutsideInventory> inventory() throws InterruptedException {
    List<String> words = List.of(file.program("qhost"), "-xml", "-q");
    OutsideAnswer answer = runner.run(commands.own(words));
    Told<OutsideInventory> told =
        file.reserves() ? SgeHosts.alive(answer) : SgeHosts.read(answer, file.given("queue"));
    return told instanceof Told.Answered<OutsideInventory> found
        ? Told.of(
            new OutsideInventory(capacities.of(found.value().hosts()), found.value().queues()))
        : told;
  }

  @Override
  public boolean hasAccounting() {
    return true;
  }

  @Override
  public boolean movesAreNumbered() {
    return events.isPresent();
  }

  @Override
  public boolean recordsUsage() {
    return true;
  }
}
