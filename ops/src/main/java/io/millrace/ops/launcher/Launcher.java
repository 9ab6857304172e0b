package io.millrace.ops.launcher;

import io.millrace.connectors.local.LockFile;
import io.millrace.ops.backup.Backup;
import io.millrace.ops.backup.Restore;
import io.millrace.ops.bench.Bench;
import io.millrace.ops.demo.Demo;
import io.millrace.ops.faults.Faults;
import io.millrace.ops.gridengine.CaseCommand;
import io.millrace.ops.gridengine.PolicyCommand;
import io.millrace.ops.home.Home;
import io.millrace.ops.init.InitException;
import io.millrace.ops.simulate.Simulate;
import io.millrace.server.gateway.help.Page;
import io.millrace.server.gateway.help.Syntax;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Entry of the words that the script {@code millrace} does not pass on to the gateway. */
public final class Launcher {

  /** Less than qterm gives the end of the server to begin. */
  private static final long QTERM_WAITS_MS = 12_000;

  private static final long LOCK_LOOK_MS = 100;

  private static final String HELP =
      """
      usage: ./millrace WORD [options]

        up        start Millrace, and what is missing of it
        down      stop it; running scripts go on
        upgrade   replace the parts of a home by those of this build; running scripts go on
        status    its processes, shards and their owners
        demo      start it, run a sweep of real scripts, show the result
        simulate  replay a workload trace, or a recorded session of a Grid Engine (--case DIR)
        bench     measure it
        faults    kill its parts at random under load, and count what got lost
        policy    check, explain or load a policy
        accounting  write the accounting files of all that the ledger holds anew (--into DIR)
        token     make, list and revoke tokens with which users reach the door for HTTP
        backup    write all of a home that cannot be made again into one file
        restore   make a home from such a file
        acls      print the broker's access rules, for a cluster that you run yourself

      qsub, qstat, qselect, qdel, qhold, qrls, qalter, qmove, qrerun, qsig, pbsdsh, pbsnodes, qmgr,
      qenable, qdisable, qstart, qstop, qterm, tracejob and why go to the gateway. Each word has
      --help.""";

  private Launcher() {}

  /** What this program tells of itself, for its manual page. */
  public static Page page() {
    String words = HELP.substring(HELP.indexOf("\n\n") + 2, HELP.lastIndexOf("\n\n"));
    return new Page(
        "millrace",
        "start, stop, examine and measure a Millrace system",
        Syntax.of("", "usage: ./millrace WORD [options]"),
        List.of(),
        List.of(
            new Page.Section("words", List.of(words)),
            new Page.Section("help", List.of("Each word has --help."))),
        Commands.NAMES);
  }

  public static void main(String[] args) {
    int status;
    try {
      status = run(List.of(args));
    } catch (HelpRequested help) {
      System.out.println(help.getMessage());
      status = 0;
    } catch (UsageException e) {
      System.err.println(e.getMessage());
      status = 2;
    } catch (PartFailed | InitException | IOException e) {
      System.err.println("millrace: " + OneLine.of(e));
      status = 1;
    } catch (InterruptedException e) {
      status = 130;
    }
    System.out.flush();
    System.exit(status);
  }

  private static int run(List<String> args)
      throws IOException, InterruptedException, UsageException, PartFailed, InitException {
    if (args.isEmpty() || args.get(0).equals("--help") || args.get(0).equals("help")) {
      throw new HelpRequested(HELP);
    }
    Console console = new Console(System.out, System.getenv("MILLRACE_TERMINAL") != null);
    List<String> rest = args.subList(1, args.size());
    return switch (args.get(0)) {
      case "up" -> up(rest, console);
      case "down" -> down(rest, console);
      case "upgrade" -> upgrade(rest, console);
      case "status" -> status(rest, console);
      case "faults" -> Faults.run(rest, console);
      case "demo" -> demo(rest, console);
      case "bench" -> Bench.run(rest, console);
      case "simulate" ->
          CaseCommand.asked(rest) ? CaseCommand.run(rest, console) : Simulate.run(rest, console);
      case "policy" -> PolicyCommand.run(rest, console);
      case "accounting" -> AccountingFiles.run(rest, console);
      case "backup" -> Backup.run(rest, console);
      case "restore" -> Restore.run(rest, console);
      case "acls" -> AclLines.run(rest, console);
      case "token" -> TokenCommand.run(rest, console);
      default ->
          throw new UsageException(
              "millrace: there is no word '" + args.get(0) + "' (see ./millrace --help)");
    };
  }

  static int up(List<String> args, Console console)
      throws IOException, InterruptedException, UsageException, PartFailed, InitException {
    Options options =
        Up.options("up", "Starts Millrace, and what is missing of it. A second up is harmless.")
            .parse(args);
    Home home = home(options);
    Up up = new Up(home, options, console);
    if (up.isWanted()) {
      up.check();
    }
    try (FileChannel lock = lock(home, console)) {
      if (!up.isWanted()) {
        console.say("nothing is started: ./millrace down was the last word");
        return 0;
      }
      up.run();
    }
    up.next();
    return 0;
  }

  private static int demo(List<String> args, Console console)
      throws IOException, InterruptedException, UsageException, PartFailed, InitException {
    Options options =
        Up.options("demo", "Starts what is missing, runs a sweep of scripts and shows its result.")
            .parse(args);
    Home home = home(options);
    Up up = new Up(home, options, console);
    up.check();
    try (FileChannel lock = lock(home, console)) {
      up.run();
    }
    return new Demo(home, console).run();
  }

  private static int down(List<String> args, Console console)
      throws IOException, InterruptedException, UsageException, PartFailed {
    Options options =
        homeOnly("down", "Stops Millrace. Running scripts go on.")
            .flag(
                Down.SERVER,
                "all but executors and broker, as qterm does; fails where another ./millrace"
                    + " stays at work")
            .parse(args);
    Home home = home(options);
    // Before anything is made in a folder that is somebody else's.
    if (!Files.exists(home.settings())) {
      throw new IOException(home.root() + " is no home of Millrace: nothing to stop");
    }
    boolean serverOnly = options.has(Down.SERVER);
    try (FileChannel lock = serverOnly ? lockSoon(home, QTERM_WAITS_MS) : lock(home, console)) {
      // First: should this end half-way, nobody is to start again what was stopped.
      Down.remember(home);
      if (serverOnly) {
        console.say(Down.BEGUN);
      }
      new Down(home, console, Distribution.current(), serverOnly).run();
    }
    return 0;
  }

  private static int upgrade(List<String> args, Console console)
      throws IOException, InterruptedException, UsageException, PartFailed, InitException {
    Home home =
        home(
            homeOnly(
                    "upgrade",
                    "Replaces the parts of a home by those of this build, with the settings of"
                        + " its last up. Running\nscripts go on. A home that a newer build has used"
                        + " is refused. See docs/upgrade.md.")
                .parse(args));
    Upgrade upgrade = new Upgrade(home, console);
    upgrade.check();
    try (FileChannel lock = lock(home, console)) {
      upgrade.run();
    }
    return 0;
  }

  private static int status(List<String> args, Console console) throws IOException, UsageException {
    Options options =
        homeOnly(
            "status", "Shows the parts, the shards and their owners; exit 1 when a part is down.");
    return new Status(home(options.parse(args)), console).run();
  }

  /** The options of a word that needs to know the home and nothing else. */
  public static Options homeOnly(String word, String purpose) {
    return new Options(word, purpose)
        .value("--home", "DIR", "home folder (default $MILLRACE_HOME, else var in the checkout)");
  }

  /** The option, else what the script made of the environment and the checkout. */
  public static Home home(Options options) throws UsageException {
    String given = options.get("--home").orElse(System.getProperty("millrace.home", ""));
    if (given.isBlank()) {
      throw options.wrong("--home is missing");
    }
    return new Home(Path.of(given));
  }

  /** The numbers of the processes that are parts of the home and alive. */
  public static List<Long> processes(Home home) throws IOException {
    return new Processes(home).alive().values().stream().map(PidFile::pid).toList();
  }

  /** One launcher at a time changes what runs; the others wait. */
  public static FileChannel lock(Home home, Console console) throws IOException {
    home.create();
    FileChannel channel = LockFile.open(home.lock());
    if (channel.tryLock() == null) {
      console.say(another(home) + "; waiting for its end");
      channel.lock();
    }
    return channel;
  }

  /**
   * For qterm, whose user sees nothing of a launcher that waits: no longer than for the {@code up
   * --keep} of each minute.
   */
  static FileChannel lockSoon(Home home, long waitMs) throws IOException, InterruptedException {
    home.create();
    FileChannel channel = LockFile.open(home.lock());
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
    while (channel.tryLock() == null) {
      if (System.nanoTime() >= deadline) {
        channel.close();
        throw new IOException(another(home) + "; try again when it has ended");
      }
      Thread.sleep(LOCK_LOOK_MS); // a lock of files tells nobody that it is free
    }
    return channel;
  }

  private static String another(Home home) {
    return "another ./millrace is at work in " + home.root();
  }
}
