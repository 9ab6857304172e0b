package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.SudoWords;
import io.millrace.connectors.bridge.question.QueryPace;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The database of a Slurm, where it has one, as {@code sacct} tells it. It is asked for single jobs
 * of ours only. Records come into it some time after what they tell of, after hours where slurmdbd
 * was away: that it has none of a job says nothing. While it does not answer, whoever asks is told
 * nothing without a command but once in a while: each would take as long as a command may.
 */
final class SlurmDatabase {

  private static final Duration LEAST = Duration.ofSeconds(5);
  private static final Duration MOST = Duration.ofSeconds(300);

  /** After so many questions in a row without an answer nothing is expected of it. */
  private static final int UNANSWERED = 2;

  private static final String PLUGIN = "accounting_storage/slurmdbd";

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;
  private final InstantSource clock;

  /** Of questions in a row without an answer; null when the last one was answered. */
  private QueryPace silent;

  private int unanswered;
  private String untold = "";

  /** A question for jobs, in whosever name. */
  private interface SacctQuestion {
    Told<List<SacctJob>> ask() throws InterruptedException;
  }

  /**
   * @param clock by which one that does not answer is left alone
   */
  SlurmDatabase(ClusterFile file, CommandRunner runner, InstantSource clock) {
    this.file = file;
    this.runner = runner;
    this.clock = clock;
    this.commands = file.commands(SlurmKeys.environment(file));
  }

  /** Whether the cluster has one, as {@code scontrol show config} or its file here says. */
  static boolean isIn(Map<String, String> settings) {
    return settings.getOrDefault("AccountingStorageType", "").equals(PLUGIN);
  }

  /**
   * What its file here says of it. Where slurmrestd serves no command is started unasked, and who
   * only looks has no runs.
   */
  Optional<Boolean> given() {
    boolean served = file.given(SlurmKeys.REST).isPresent() || file.observes();
    return file.given(SlurmKeys.DATABASE)
        .map(it -> it.equals("yes"))
        .or(() -> served ? Optional.of(false) : Optional.empty());
  }

  /** Whether the cluster says that it has one; nothing where it does not answer. */
  Told<Boolean> isThere() throws InterruptedException {
    OutsideAnswer said =
        runner.run(commands.own(List.of(file.program("scontrol"), "show", "config")));
    Map<String, String> settings = SlurmKeys.settings(said.out());
    return said.isGood() && settings.containsKey("ClusterName")
        ? Told.of(isIn(settings))
        : Told.nothing("scontrol show config: " + said.trouble());
  }

  /** Whether a question is asked now. */
  synchronized boolean isDue() {
    return silent == null || silent.isDue(clock.instant());
  }

  /** Whether an answer is to be expected. */
  synchronized boolean isAnswering() {
    return unanswered < UNANSWERED;
  }

  private synchronized void note(Told<List<SacctJob>> told, Instant begun) {
    if (told instanceof Told.Nothing<List<SacctJob>> nothing) {
      silent = silent == null ? new QueryPace(LEAST, MOST) : silent;
      silent.failed(begun, Duration.between(begun, clock.instant()));
      unanswered++;
      untold = nothing.why();
    } else {
      silent = null;
      unanswered = 0;
    }
  }

  private synchronized String untold() {
    return untold;
  }

  private Told<List<SacctJob>> when(SacctQuestion due) throws InterruptedException {
    if (!isDue()) {
      return Told.nothing(untold());
    }
    Instant begun = clock.instant();
    Told<List<SacctJob>> told = due.ask();
    note(told, begun);
    return told;
  }

  /** Jobs by their numbers, as this process's own account is told of them. */
  Told<List<SacctJob>> jobs(Collection<OutsideId> ids) throws InterruptedException {
    return when(
        () -> read(runner.run(commands.own(words("--allusers", "--jobs=" + numbers(ids))))));
  }

  /** The same as an account is told of them: where those of others are hidden, of its own only. */
  Told<List<SacctJob>> jobsAs(String account, Collection<OutsideId> ids)
      throws InterruptedException {
    return when(() -> as(account, words("--user=" + account, "--jobs=" + numbers(ids))));
  }

  /** Jobs of an account with some marks that were there at some time since a while ago. */
  Told<List<SacctJob>> markedAs(String account, Collection<OutsideTag> marks, Duration since)
      throws InterruptedException {
    String all = marks.stream().map(OutsideTag::toString).collect(Collectors.joining(","));
    String begin = "--starttime=now-" + since.toSeconds();
    return when(() -> as(account, words("--user=" + account, "--wckeys=" + all, begin)));
  }

  /** What the starting of the same as an account says. */
  OutsideAnswer asked(String account, Collection<OutsideId> ids) throws InterruptedException {
    return runner.run(
        commands.queueAs(account, words("--user=" + account, "--jobs=" + numbers(ids))));
  }

  /** As an account, or as this process's own where sudo does not start it as that. */
  private Told<List<SacctJob>> as(String account, List<String> words) throws InterruptedException {
    OutsideAnswer said = runner.run(commands.queueAs(account, words));
    boolean refused = SudoWords.refused(said);
    Told<List<SacctJob>> told = read(refused ? runner.run(commands.own(words)) : said);
    return told instanceof Told.Answered<List<SacctJob>> answer
        ? Told.of(answer.value().stream().map(it -> it.of(account)).toList())
        : told;
  }

  private Told<List<SacctJob>> read(OutsideAnswer answer) {
    return SacctJson.read(answer, file.text(SlurmKeys.CLUSTER_NAME));
  }

  private List<String> words(String... more) {
    return Stream.concat(Stream.of(file.program("sacct"), "--json"), Arrays.stream(more)).toList();
  }

  /** Each number once, also that of an array for all of its tasks. */
  private static String numbers(Collection<OutsideId> ids) {
    TreeSet<Long> numbers = new TreeSet<>();
    ids.forEach(it -> numbers.add(it.number()));
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
