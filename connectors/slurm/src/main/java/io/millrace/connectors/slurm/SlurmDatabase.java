package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.SudoWords;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.time.Duration;
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
 * was away: that it has none of a job says nothing.
 */
final class SlurmDatabase {

  private static final String PLUGIN = "accounting_storage/slurmdbd";

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;

  SlurmDatabase(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
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

  /** Jobs by their numbers, as this process's own account is told of them. */
  Told<List<SacctJob>> jobs(Collection<OutsideId> ids) throws InterruptedException {
    return read(runner.run(commands.own(words("--allusers", "--jobs=" + numbers(ids)))));
  }

  /** The same as an account is told of them: where those of others are hidden, of its own only. */
  Told<List<SacctJob>> jobsAs(String account, Collection<OutsideId> ids)
      throws InterruptedException {
    return as(account, words("--user=" + account, "--jobs=" + numbers(ids)));
  }

  /** Jobs of an account with some marks that were there at some time since a while ago. */
  Told<List<SacctJob>> markedAs(String account, Collection<OutsideTag> marks, Duration since)
      throws InterruptedException {
    String all = marks.stream().map(OutsideTag::toString).collect(Collectors.joining(","));
    String begin = "--starttime=now-" + since.toSeconds();
    return as(account, words("--user=" + account, "--wckeys=" + all, begin));
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
