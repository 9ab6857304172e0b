package io.millrace.connectors.bridge.cluster;

import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Looks whether a cluster could be used as its file says, before anything is submitted. It starts
 * only commands that change nothing.
 */
public final class ClusterCheck {

  /** Accounts below are of the system itself. */
  public static final long UID_LEAST = 1000;

  /** What a job asks for that is never submitted. */
  private static final long MEMORY_KB = 1024;

  /** USR1. */
  private static final int SIGNAL = 10;

  /** As date prints it. */
  private static final DateTimeFormatter ZONE = DateTimeFormatter.ofPattern("xx", Locale.ROOT);

  private final ClusterFile file;
  private final CommandRunner runner;
  private final String self;
  private final AccountCommands commands;
  private final OutsideFiles files;

  /**
   * @param self account of this process
   */
  public ClusterCheck(ClusterFile file, CommandRunner runner, String self) {
    this.file = file;
    this.runner = runner;
    this.self = TransportKeys.account(file).orElse(self);
    this.commands = file.commands(Map.of());
    this.files = runner.files();
  }

  /** All that was found, good and wrong. */
  public List<CheckLine> lines() throws InterruptedException {
    List<CheckLine> lines = new ArrayList<>();
    if (TransportKeys.isFar(file) && !reaches(lines)) {
      return lines;
    }
    try {
      look(lines);
    } catch (IOException e) {
      lines.add(CheckLine.wrong("files cannot be looked at: ", said(e), "try it again"));
    }
    return lines;
  }

  private static String said(IOException e) {
    return String.valueOf(e.getMessage());
  }

  /** Whether the host of the commands is spoken to, and has the time zone of this one. */
  private boolean reaches(List<CheckLine> lines) throws InterruptedException {
    OutsideAnswer zone = runner.run(commands.own(List.of("/bin/date", "+%z %s")));
    String host = self + " " + TransportKeys.place(file);
    if (!zone.isGood()) {
      lines.add(
          CheckLine.wrong(
              "no connection as " + host + ": ",
              zone.trouble(),
              TransportKeys.isSsh(file)
                  ? "see 'ssh_host', 'ssh_account' and 'ssh_key', and the log of its sshd"
                  : "see 'container', 'container_account' and 'container_engine'"));
      return false;
    }
    String own = ZONE.format(OffsetDateTime.now(ZoneId.systemDefault()));
    String[] words = zone.out().strip().split(" ", 2);
    clock(words.length > 1 ? words[1] : "").ifPresent(lines::add);
    lines.add(
        words[0].equals(own)
            ? CheckLine.good("connection as " + host)
            : CheckLine.wrong(
                "the time zone there is " + words[0] + ", and here " + own,
                "give this process that of the other host in TZ: times of accounting are read"
                    + " with it"));
    return true;
  }

  /** What is wrong with the clock there. */
  private Optional<CheckLine> clock(String seconds) {
    if (!seconds.matches("[0-9]{1,12}")) {
      return Optional.of(CheckLine.wrong("date there says no time", "see what /bin/date is there"));
    }
    long apart = Math.abs(Instant.now().getEpochSecond() - Long.parseLong(seconds));
    return apart <= file.number("clock_skew_s")
        ? Optional.empty()
        : Optional.of(
            CheckLine.wrong(
                "the clock there differs by " + apart + " s",
                "have both follow one clock (NTP), or raise 'clock_skew_s'"));
  }

  private void look(List<CheckLine> lines) throws IOException, InterruptedException {
    List<String> missing = missingPrograms();
    if (missing.isEmpty()) {
      lines.add(
          CheckLine.good("programs of " + file.kind().name() + " in " + file.text("commands")));
      lines.addAll(file.kind().check(file, runner));
    } else {
      lines.add(
          CheckLine.wrong(
              file.text("commands") + " has no " + String.join(", ", missing),
              "install the client commands of "
                  + file.kind().name()
                  + (TransportKeys.isFar(file) ? " there" : " here")
                  + ", or set 'commands' to their folder"));
    }
    if (file.observes()) {
      return;
    }
    runner.unseen().map(this::unseen).ifPresent(lines::add);
    Path folder = Path.of(file.text("spool"));
    Optional<CheckLine> wrong = new SpoolCheck(files, folder).wrong();
    lines.add(wrong.orElse(CheckLine.good("folder " + folder)));
    for (String account : new LinkedHashSet<>(file.users().values())) {
      account(account, wrong.isEmpty(), lines);
    }
  }

  /** Whether a command is under way is not known then, and so none is given again. */
  private CheckLine unseen(String why) {
    return CheckLine.wrong(
        "a submission without an answer whose job is not found would wait for ever: ",
        why,
        "mount /proc with gid= of a group that " + self + " is in, or without hidepid");
  }

  private List<String> missingPrograms() throws IOException {
    List<String> missing = new ArrayList<>();
    for (String program : file.kind().programs()) {
      if (!files.isExecutable(Path.of(file.program(program)))) {
        missing.add(program);
      }
    }
    return missing;
  }

  private void account(String account, boolean spool, List<CheckLine> lines)
      throws IOException, InterruptedException {
    OutsideAnswer id = runner.run(commands.own(List.of("/usr/bin/id", "-u", "--", account)));
    String said = id.out().strip();
    if (!id.isGood() || !said.matches("[0-9]{1,10}")) {
      lines.add(
          CheckLine.wrong(
              "there is no account " + account,
              "make it, or change the 'user.' lines that name it"));
      return;
    }
    if (Long.parseLong(said) < UID_LEAST) {
      lines.add(
          CheckLine.wrong(
              account + " has the uid " + said + ": accounts below " + UID_LEAST + " get no jobs",
              "name the account of a person in the 'user.' lines"));
      return;
    }
    int before = lines.size();
    rights(account, lines);
    if (spool) {
      lines.addAll(new SpoolCheck(files, Path.of(file.text("spool"))).wrong(account, self));
    }
    if (lines.size() == before) {
      lines.add(CheckLine.good("account " + account));
    }
  }

  private void rights(String account, List<CheckLine> lines)
      throws IOException, InterruptedException {
    if (file.text("as").equals("self")) {
      if (!account.equals(self)) {
        lines.add(
            CheckLine.wrong(
                account + " is not the account of this process, " + self,
                "set 'as = sudo', or name " + self + " only"));
      }
      return;
    }
    if (file.text("as").equals(ClusterKeys.ENGINE)) {
      byEngine(account, lines);
    } else {
      bySudo(account, lines);
    }
  }

  /** The engine looks for accounts in a file of its own, and so may find another one. */
  private void byEngine(String account, List<CheckLine> lines) throws InterruptedException {
    OutsideAnswer who = runner.run(commands.as(account, List.of("/usr/bin/id", "-u"), new byte[0]));
    String said = who.out().strip();
    if (!who.isGood() || !said.matches("[0-9]{1,10}")) {
      lines.add(
          CheckLine.wrong(
              "the engine starts nothing as " + account + ": ",
              who.trouble(),
              "put the account into /etc/passwd of the container, or set 'as = sudo'; with"
                  + " container_sudo = yes, see that there is a line of sudo for it"));
    } else if (Long.parseLong(said) < UID_LEAST) {
      lines.add(
          CheckLine.wrong(
              "for the engine " + account + " has the uid " + said,
              "give the account another uid in /etc/passwd of the container"));
    }
  }

  private void bySudo(String account, List<CheckLine> lines)
      throws IOException, InterruptedException {
    if (!files.isExecutable(Path.of(file.text("sudo")))) {
      lines.add(
          CheckLine.wrong(
              "there is no program " + file.text("sudo"), "install sudo, or set 'sudo' to it"));
      return;
    }
    List<String> programs = new ArrayList<>();
    file.given(ClusterKeys.STARTER).ifPresent(programs::add);
    if (programs.isEmpty()) {
      programs.addAll(List.of("/bin/mkdir", "/bin/rm"));
      file.kind().programsOfAccounts(file).forEach(it -> programs.add(file.program(it)));
    }
    for (String program : programs) {
      OutsideCommand question =
          commands.own(List.of(file.text("sudo"), "-n", "-l", "-u", account, "--", program));
      OutsideAnswer answer = runner.run(question);
      if (!answer.isGood()) {
        lines.add(
            CheckLine.wrong(
                self
                    + " may not start "
                    + program
                    + " as "
                    + account
                    + " ("
                    + answer.trouble()
                    + ")",
                "add to /etc/sudoers.d: "
                    + self
                    + " ALL=("
                    + account
                    + ") NOPASSWD: "
                    + String.join(", ", programs)));
        return;
      }
    }
    if (file.given(ClusterKeys.STARTER).isPresent()) {
      starter(account, file.text(ClusterKeys.STARTER), lines);
    }
  }

  /** The starter has a file of its own, which root has written: both files mean the same. */
  private void starter(String account, String program, List<CheckLine> lines)
      throws InterruptedException {
    OutsideAnswer said =
        runner.run(
            commands.own(List.of(file.text("sudo"), "-n", "-u", account, "--", program, "check")));
    if (!said.isGood()) {
      lines.add(
          CheckLine.wrong(
              program + " does not serve " + account + ": " + said.trouble(),
              "as root, write its file, /etc/millrace/outside"));
      return;
    }
    int before = lines.size();
    for (String key : List.of("system", "commands", "spool")) {
      String own = key + " " + file.text(key);
      Optional<String> other =
          said.out().lines().filter(it -> it.startsWith(key + " ") && !it.equals(own)).findFirst();
      if (other.isPresent()) {
        lines.add(
            CheckLine.wrong(
                "the file of "
                    + program
                    + " says '"
                    + other.get()
                    + "', this one "
                    + key
                    + " = "
                    + file.text(key),
                "as root, put '" + own + "' into /etc/millrace/outside"));
      }
    }
    if (lines.size() == before) {
      words(account, program, lines);
    }
  }

  /** Whether it takes what a job can ask for: one of an earlier distribution knows less. */
  private void words(String account, String program, List<CheckLine> lines)
      throws InterruptedException {
    for (List<String> words : orders(account, program)) {
      List<String> question = new ArrayList<>();
      question.addAll(List.of(file.text("sudo"), "-n", "-u", account, "--", program, "check"));
      question.addAll(words);
      OutsideAnswer said = runner.run(commands.own(question));
      if (!said.isGood()) {
        lines.add(
            CheckLine.wrong(
                program + " refuses what jobs can ask for: ",
                said.trouble(),
                "as root, install that of this distribution"));
        return; // one that refuses a word most often refuses others
      }
    }
  }

  /** The words behind the starter of submissions, of one host and of two, and of orders. */
  private List<List<String>> orders(String account, String program) throws InterruptedException {
    List<List<String>> started = new ArrayList<>();
    CommandRunner noted =
        command -> {
          int at = command.words().indexOf(program);
          if (at < 0) {
            return runner.run(command);
          }
          started.add(command.words().subList(at + 1, command.words().size()));
          return OutsideAnswer.notStarted("it is only looked at", System.nanoTime());
        };
    OutsideSystem system = file.kind().open(file, noted);
    Map<String, Long> resources = new TreeMap<>();
    file.resources().keySet().forEach(it -> resources.put(it, 1L));
    OutsideShare share = new OutsideShare(1, MEMORY_KB, 1, resources);
    OutsideSubmission order = null;
    for (List<String> hosts : List.of(List.of("n1", "n2"), List.of("n1"))) {
      order =
          new OutsideSubmission(
              new OutsideTag(file.name(), "1", 1),
              account,
              "check",
              new OutsideSubmission.OutsidePlace(
                  file.given("queue"), file.places() ? hosts : List.of()),
              new OutsideAmounts(Collections.nCopies(hosts.size(), share), Optional.of(60L)),
              new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
      system.submit(order);
    }
    OutsideId number = OutsideId.of(1);
    for (OutsideAction action : OutsideAction.values()) {
      system.control(number, account, action);
    }
    system.signal(number, account, SIGNAL);
    system.limit(number, order, 60, false);
    return started;
  }
}
