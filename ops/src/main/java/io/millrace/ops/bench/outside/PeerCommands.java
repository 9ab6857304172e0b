package io.millrace.ops.bench.outside;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.ops.outside.peer.PeerCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A system's own commands, as an ordinary account gives them. */
enum PeerCommands {
  SLURM(
      new SlurmKind(),
      List.of("sbatch", "--parsable", "-o", "/dev/null"),
      "-H",
      List.of("scancel"),
      List.of("squeue", "--json"),
      "{\"errors\":[],\"jobs\":[]}"),

  GRID_ENGINE(
      new SgeKind(),
      List.of("qsub", "-terse", "-o", "/dev/null", "-e", "/dev/null"),
      "-h",
      List.of("qdel"),
      List.of("qstat", "-u", "*", "-s", "prs", "-xml"),
      "<?xml version='1.0'?>\n<job_info><queue_info/><job_info/></job_info>");

  static final Path REAL = Path.of("/usr/bin");

  private static final Pattern NUMBER = Pattern.compile("(?s)\\s*([0-9]{1,18})\\b.*");
  private static final Pattern COUNT = Pattern.compile("\\bcount:([0-9]{1,15})\\b");
  private static final Duration PATIENCE = Duration.ofSeconds(300);
  private static final int SAID_MOST = 1 << 24;

  /** A queue shows tens of thousands of jobs that are over, for as long as they are remembered. */
  private static final int QUEUE_MOST = 1 << 29;

  private final OutsideKind kind;
  private final List<String> submit;
  private final String held;
  private final List<String> delete;
  private final List<String> ask;
  private final String empty;

  PeerCommands(
      OutsideKind kind,
      List<String> submit,
      String held,
      List<String> delete,
      List<String> ask,
      String empty) {
    this.kind = kind;
    this.submit = submit;
    this.held = held;
    this.delete = delete;
    this.ask = ask;
    this.empty = empty;
  }

  static PeerCommands of(PeerCluster cluster) {
    return cluster == PeerCluster.SLURM ? SLURM : GRID_ENGINE;
  }

  List<String> names() {
    return kind.programs();
  }

  /** The command that submits. */
  String submitting() {
    return submit.get(0);
  }

  /** The command that asks for the queue. */
  String asking() {
    return ask.get(0);
  }

  /** All that ask. */
  List<String> questions() {
    return this == SLURM ? List.of("squeue", "sinfo", "scontrol") : List.of("qstat", "qhost");
  }

  /** Program of the daemon that decides, where its package has it; perhaps a link. */
  private Path master() {
    return Path.of(this == SLURM ? "/usr/sbin/slurmctld" : "/usr/lib/gridengine/sge_qmaster");
  }

  /** Number of the process of that daemon. */
  long daemon() throws IOException {
    return process(master());
  }

  /** Number of a process of a program, which may be named by a link to it. */
  static long process(Path program) throws IOException {
    String real = program.toRealPath().toString();
    return ProcessHandle.allProcesses()
        .filter(it -> it.info().command().filter(real::equals).isPresent())
        .mapToLong(ProcessHandle::pid)
        .findAny()
        .orElseThrow(() -> new IOException("there is no process of " + program));
  }

  /** How many requests the daemon says that it has served; empty where it does not say so. */
  OptionalLong served() throws IOException, InterruptedException {
    return this == SLURM
        ? OptionalLong.of(served(must(List.of(REAL.resolve("sdiag").toString()))))
        : OptionalLong.empty();
  }

  /** The sum over all types of messages, each of which stands once more by user. */
  static long served(String sdiag) {
    long sum = 0;
    boolean byType = false;
    for (String line : sdiag.lines().toList()) {
      if (line.startsWith("Remote Procedure Call statistics by")) {
        byType = line.contains("message type");
      }
      Matcher count = COUNT.matcher(line);
      if (byType && count.find()) {
        sum += Long.parseLong(count.group(1));
      }
    }
    return sum;
  }

  /** What that says when nothing is there. */
  String empty() {
    return empty;
  }

  /** Words that make a command an account's. */
  static List<String> become() {
    return List.of("/sbin/runuser", "-u", PeerCluster.ACCOUNT, "--");
  }

  static Map<String, String> environment() {
    return Map.of("SGE_ROOT", "/var/lib/gridengine", "SGE_CELL", "default");
  }

  /** Submits a script; its number. */
  long submit(Path script) throws IOException, InterruptedException {
    return number(submission(script, List.of()));
  }

  /** The same of a job that does not begin. */
  long submitHeld(Path script) throws IOException, InterruptedException {
    return number(submission(script, List.of(held)));
  }

  private static long number(List<String> words) throws IOException, InterruptedException {
    Matcher said = NUMBER.matcher(must(words));
    if (!said.matches()) {
      throw new IOException(words + " says no number");
    }
    return Long.parseLong(said.group(1));
  }

  private List<String> submission(Path script, List<String> more) {
    List<String> words = new ArrayList<>(become());
    words.add(REAL.resolve(submit.get(0)).toString());
    words.addAll(submit.subList(1, submit.size()));
    words.addAll(more);
    words.add(script.toString());
    return words;
  }

  /** A line of shell that submits a script so many times. */
  List<String> loop(Path script, int times) {
    return loop(submission(script, List.of()), times);
  }

  /** The same of jobs that do not begin. */
  List<String> loopHeld(Path script, int times) {
    return loop(submission(script, List.of(held)), times);
  }

  private static List<String> loop(List<String> submission, int times) {
    List<String> words = new ArrayList<>(become());
    String line = String.join(" ", submission.subList(words.size(), submission.size()));
    words.addAll(
        List.of("/bin/bash", "-c", "for i in $(seq " + times + "); do " + line + "; done"));
    return words;
  }

  void delete(long number) throws IOException, InterruptedException {
    must(List.of(REAL.resolve(delete.get(0)).toString(), Long.toString(number)));
  }

  /** Deletes all jobs of the account. */
  void deleteAll() throws IOException, InterruptedException {
    must(List.of(REAL.resolve(delete.get(0)).toString(), "-u", PeerCluster.ACCOUNT));
  }

  /** The whole queue. */
  String queue() throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(ask);
    words.set(0, REAL.resolve(ask.get(0)).toString());
    return must(words, environment(), QUEUE_MOST);
  }

  static String must(List<String> words) throws IOException, InterruptedException {
    return must(words, environment());
  }

  /**
   * What a command prints.
   *
   * @throws IOException in one line, when it does not end well
   */
  static String must(List<String> words, Map<String, String> environment)
      throws IOException, InterruptedException {
    return must(words, environment, SAID_MOST);
  }

  private static String must(List<String> words, Map<String, String> environment, int most)
      throws IOException, InterruptedException {
    OutsideAnswer answer =
        new ProcessRunner()
            .run(new OutsideCommand(words, new byte[0], environment, PATIENCE, most));
    if (!answer.isGood()) {
      throw new IOException(String.join(" ", words) + ": " + answer.trouble());
    }
    return answer.out();
  }
}
