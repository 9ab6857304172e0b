package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** One installation below a temporary folder. Ends with {@link #close}. */
final class Site implements AutoCloseable {

  /**
   * Longer than the sum of the parts' time limits, so that the launcher itself reports what is
   * missing.
   */
  private static final Duration START = Duration.ofSeconds(600);

  private static final int START_TRIES = 3;

  /** The launcher's message when a part did not start in time on a busy machine. */
  private static final Pattern IMPATIENT =
      Pattern.compile(" cannot serve after \\d+ s| no command got through for \\d+ s| stand still");

  /** How long the last runs of a closed installation may take to end. */
  private static final Duration LAST_RUNS = Duration.ofSeconds(20);

  /** Whether to test everything that takes long; see docs/decisions/0027. */
  static final boolean NIGHT = Boolean.getBoolean("millrace.night");

  /** How long a client retries; where a refusal is expected, see {@link #SOON_REFUSED}. */
  private static final int CLIENT_S = 60;

  /** Prefix for a line of shell whose commands are to give up after their default time. */
  static final String SOON_REFUSED = "unset MILLRACE_CLIENT_TIMEOUT_S; ";

  /** Longer than a client retries. */
  static final Duration COMMAND = Duration.ofSeconds(90);

  private static final Duration STATE = Duration.ofSeconds(180);

  /** Held in a field, so that the level stays set: the clients of this process log each step. */
  private static final Logger KAFKA = Logger.getLogger("org.apache.kafka");

  static {
    KAFKA.setLevel(Level.WARNING);
  }

  /**
   * Without the second compiler and without much warming up, which do not pay off in the short life
   * of most test installations.
   */
  private static final String SHORT_LIFE = "-XX:TieredStopAtLevel=1 -Dmillrace.warmup=once";

  private static final Pattern TOLD_OF_IT =
      Pattern.compile("(?m)^Picked up JAVA_TOOL_OPTIONS: .*\n");

  private final Path folder;
  private final Path checkout;
  private final Path root;
  private final Shell shell;
  private final Shell launching;
  private final ObjectMapper json = new ObjectMapper();
  private final List<Account> users = new ArrayList<>();

  private Site(Path folder, Path checkout, Path root) {
    this.folder = folder;
    this.checkout = checkout;
    this.root = root;
    this.shell = shell();
    this.launching =
        shell()
            .with("JAVA_TOOL_OPTIONS", SHORT_LIFE)
            .with("MILLRACE_JAVA_OPTIONS", launchersArchive());
  }

  /** Options with which a launcher starts a third sooner, where .ci/run has made its archive. */
  private String launchersArchive() {
    Path archive = checkout.resolve("ops/target/dist/cds/launcher.jsa");
    return Files.exists(archive)
        ? "-XX:SharedArchiveFile=" + archive + " -Xlog:cds=off -Xlog:cds+dynamic=off"
        : "";
  }

  private Shell shell() {
    return new Shell(folder)
        .with("MILLRACE_NO_BUILD", "1")
        .with("MILLRACE_CLIENT_TIMEOUT_S", Integer.toString(CLIENT_S))
        .with("PATH", home().bin() + ":" + System.getenv("PATH"));
  }

  /** The folder of an installation that was not started yet. */
  static Site prepare(String name) throws IOException, InterruptedException {
    Path checkout = Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
    Leftovers.remove();
    Path folder = Files.createTempDirectory("millrace-" + name);
    Leftovers.mark(folder);
    open(folder);
    return new Site(folder, checkout, folder.resolve("home"));
  }

  /** The same installation with another folder below this one; must not be closed. */
  Site at(String name) throws IOException {
    Path below = Files.createDirectory(folder.resolve(name));
    open(below);
    return new Site(below, checkout, root);
  }

  private static void open(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  Home home() {
    return new Home(root);
  }

  /** The installation's folder, through which all users may pass. */
  Path folder() {
    return folder;
  }

  /** An ordinary user, who is removed when the site has been closed. */
  Account user(String name) throws IOException, InterruptedException {
    Account user = Account.ordinary(name, folder);
    users.add(user);
    return user;
  }

  /** Whether the checkout is below a folder that is closed to this user. */
  private boolean cannotEnter(Account account) throws IOException, InterruptedException {
    return run(account, folder, "test -r " + libraries()).status() != 0;
  }

  /** Aborts a test that takes a user who can run the build. */
  void assumeOpenTo(Account account, String test) throws IOException, InterruptedException {
    Assumptions.assumeFalse(
        cannotEnter(account), test + ": " + account.name() + " cannot enter " + checkout);
  }

  /** A folder that belongs to this user. */
  Path folderOf(Account account, String name) throws IOException, InterruptedException {
    Path made = Files.createDirectory(folder.resolve(name));
    account.own(folder, made);
    return made;
  }

  Path program(String name) {
    return checkout.resolve("ops/target/dist/bin/" + name);
  }

  Path libraries() {
    return checkout.resolve("ops/target/dist/lib");
  }

  Path checkout() {
    return checkout;
  }

  Shell.Answer up(String... options) throws IOException, InterruptedException {
    Shell.Answer answer = launcher("up", String.join(" ", options));
    if (answer.status() == 0) {
      await(STATE, "every executor serves", () -> ExecutorNodes.allServe(this));
    }
    return answer;
  }

  /**
   * Runs a subcommand of the launcher. Parts that do not serve in time are tried up to two more
   * times: the next {@code up} starts what is missing. The answer has what all tries printed.
   */
  Shell.Answer launcher(String word, String options) throws IOException, InterruptedException {
    String line = checkout + "/millrace " + word + " --home " + home().root() + " " + options;
    Shell.Answer answer = launch(line);
    for (int i = 1; i < START_TRIES && answer.status() != 0 && impatient(word, answer); i++) {
      System.out.println("e2e: " + word + " once more: " + answer);
      answer = answer.and(launch(line));
    }
    return answer;
  }

  private Shell.Answer launch(String line) throws IOException, InterruptedException {
    Shell.Answer answer = launching.run(folder, START, line);
    String said = TOLD_OF_IT.matcher(answer.err()).replaceAll("");
    return new Shell.Answer(line, answer.status(), answer.out(), said, answer.tookMs());
  }

  private static boolean impatient(String word, Shell.Answer answer) {
    return List.of("up", "upgrade", "backup").contains(word)
        && IMPATIENT.matcher(answer.err()).find();
  }

  /** Kills parts as {@link #kill(String...)} does, and starts them again. */
  void killAndUp(String... parts) throws IOException, InterruptedException {
    kill(parts);
    up("").must();
  }

  /**
   * Kills parts at once: these, and at night all, as each start takes seconds of processor time and
   * {@link SurvivalIT} kills everything.
   */
  void kill(String... parts) throws IOException, InterruptedException {
    Map<String, ProcessHandle> victims = processes();
    if (!NIGHT) {
      victims.keySet().retainAll(Set.of(parts));
      assertEquals(Set.of(parts), victims.keySet(), "those alive");
    }
    kill(victims.values());
  }

  /** One directive of qmgr as the owner of the installation; it has no apostrophes. */
  String qmgr(String directive) throws IOException, InterruptedException {
    return run("qmgr -c '" + directive + "'").must();
  }

  /** A line of shell as the owner of the installation. */
  Shell.Answer run(String line) throws IOException, InterruptedException {
    return shell.run(folder, COMMAND, line);
  }

  /** What a line of shell prints, as the owner of the installation, whether it fails or not. */
  String told(String line) throws IOException, InterruptedException {
    return run(line).out();
  }

  /** A line of shell as this user, in this directory. */
  Shell.Answer run(Account account, Path directory, String line)
      throws IOException, InterruptedException {
    return run(account, directory, COMMAND, line);
  }

  /** Runs a line that may take longer than {@link #COMMAND} as this user, in this directory. */
  Shell.Answer run(Account account, Path directory, Duration patience, String line)
      throws IOException, InterruptedException {
    return shell.run(account, directory, patience, line);
  }

  /** All jobs with all attributes, finished ones included, by id. */
  Map<String, JsonNode> jobs() throws IOException, InterruptedException {
    JsonNode answer = json.readTree(look("qstat", "-xf", "-F", "json"));
    Map<String, JsonNode> jobs = new LinkedHashMap<>();
    answer.path("Jobs").properties().forEach(job -> jobs.put(job.getKey(), job.getValue()));
    return jobs;
  }

  JsonNode job(String id) throws IOException, InterruptedException {
    return json.readTree(look("qstat", "-xf", "-F", "json", id)).path("Jobs").path(id);
  }

  /**
   * What a command prints that changes nothing, as the owner of the installation. It is run by the
   * real client only where the gateway does not answer this process at once.
   */
  String look(String... words) throws IOException, InterruptedException {
    Optional<String> printed = GatewayCall.ask(home().socket(), words);
    return printed.isPresent() ? printed.get() : run(String.join(" ", words)).must();
  }

  String state(String id) throws IOException, InterruptedException {
    return job(id).path("job_state").asText();
  }

  void awaitState(String id, String state) throws IOException, InterruptedException {
    await(STATE, id + " is " + state, () -> stateNow(id).equals(state));
  }

  private String stateNow(String id) throws IOException, InterruptedException {
    return state(id);
  }

  /**
   * Waits for a condition; fails with a description of it when the time is over. A failing command
   * counts as "not yet"; the failure message includes the last one.
   */
  static void await(Duration patience, String what, Callable<Boolean> condition)
      throws InterruptedException {
    AtomicReference<Shell.Failed> failed = new AtomicReference<>();
    boolean so =
        Polling.within(
            patience,
            () -> {
              failed.set(null);
              try {
                return condition.call();
              } catch (Shell.Failed e) {
                failed.set(e);
                return false;
              }
            });
    if (!so) {
      throw new AssertionError("not within " + patience.toSeconds() + " s: " + what, failed.get());
    }
  }

  Map<String, Object> client(KafkaPrincipal principal) throws IOException {
    return ClientSettings.read(home().client(principal));
  }

  ClusterSettings cluster() throws IOException {
    return ClusterSettings.read(home());
  }

  /** Live processes of the parts, by the names of their pid files. */
  Map<String, ProcessHandle> processes() throws IOException {
    Map<String, ProcessHandle> alive = new LinkedHashMap<>();
    try (Stream<Path> marks = Files.list(home().root().resolve("run"))) {
      for (Path mark : marks.filter(file -> file.toString().endsWith(".pid")).toList()) {
        String part = mark.getFileName().toString().replace(".pid", "");
        process(mark).ifPresent(process -> alive.put(part, process));
      }
    }
    return alive;
  }

  /**
   * The process of a pid file, if its command line names this home: the number alone could belong
   * to another process by now.
   */
  private Optional<ProcessHandle> process(Path mark) throws IOException {
    String marked;
    try {
      marked = Files.readString(mark);
    } catch (NoSuchFileException e) {
      return Optional.empty(); // it has ended since the marks were listed
    }
    long pid = Long.parseLong(marked.split(" ")[0]);
    Path line = Path.of("/proc/" + pid + "/cmdline");
    try {
      return Files.readString(line).contains(home().root().toString())
          ? ProcessHandle.of(pid)
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Sends SIGKILL to processes and returns when they are gone. */
  static void kill(Collection<ProcessHandle> processes) throws InterruptedException {
    Machine.kill(List.copyOf(processes));
  }

  /**
   * Closes the installation; each step is done whatever happened in those before it, since
   * leftovers would disturb other tests.
   */
  @Override
  public void close() throws IOException, InterruptedException {
    try {
      stop();
    } finally {
      try {
        Machine.killAllOf(folder);
      } finally {
        try {
          if (Boolean.getBoolean("millrace.e2e.keep")) {
            Leftovers.keep(folder);
          } else {
            FolderTree.delete(folder);
          }
        } finally {
          removeUsers();
        }
      }
    }
  }

  /**
   * Stops the jobs first, so that their executors see them end. The parts are killed, since nobody
   * needs what an orderly end would leave, and that takes seconds of processor time.
   */
  private void stop() throws IOException, InterruptedException {
    if (Files.exists(home().settings())) {
      run("qdel $(qselect)");
      awaitLastRuns();
      kill(processes().values());
    }
  }

  /** Waits for the last runs, but not for long: the executor that would close them may be gone. */
  private void awaitLastRuns() throws IOException, InterruptedException {
    Polling.within(
        LAST_RUNS,
        () ->
            !hasRuns()
                || processes().keySet().stream().noneMatch(part -> part.startsWith("executor")));
  }

  /** Whether a host of this home has a run folder that is not closed. */
  private boolean hasRuns() throws IOException {
    Path hosts = home().root().resolve("spool");
    if (!Files.exists(hosts)) {
      return false;
    }
    try (DirectoryStream<Path> spools = Files.newDirectoryStream(hosts)) {
      for (Path spool : spools) {
        if (!FolderTree.isFree(spool.resolve("runs"))) {
          return true;
        }
      }
    }
    return false;
  }

  private void removeUsers() throws IOException, InterruptedException {
    if (!users.isEmpty()) {
      try {
        users.remove(users.size() - 1).remove(folder.getParent());
      } finally {
        removeUsers();
      }
    }
  }
}
