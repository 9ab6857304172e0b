package io.millrace.connectors.bridge.cluster;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.system.AccountCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Looks whether a cluster could be used as its file says, before anything is submitted. It starts
 * only commands that change nothing.
 */
public final class ClusterCheck {

  /** Accounts below are of the system itself. */
  public static final long UID_LEAST = 1000;

  private final ClusterFile file;
  private final CommandRunner runner;
  private final String self;
  private final AccountCommands commands;

  /**
   * @param self account of this process
   */
  public ClusterCheck(ClusterFile file, CommandRunner runner, String self) {
    this.file = file;
    this.runner = runner;
    this.self = self;
    this.commands = file.commands(Map.of());
  }

  /** All that was found, good and wrong. */
  public List<CheckLine> lines() throws InterruptedException {
    List<CheckLine> lines = new ArrayList<>();
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
                  + " here, or set 'commands' to their folder"));
    }
    if (file.observes()) {
      return lines;
    }
    boolean spool = spool(lines);
    for (String account : new LinkedHashSet<>(file.users().values())) {
      account(account, spool, lines);
    }
    return lines;
  }

  private List<String> missingPrograms() {
    return file.kind().programs().stream()
        .filter(it -> !Files.isExecutable(Path.of(file.program(it))))
        .toList();
  }

  private boolean spool(List<CheckLine> lines) {
    Path spool = Path.of(file.text("spool"));
    if (!Files.isDirectory(spool)) {
      lines.add(
          CheckLine.wrong(
              "there is no folder " + spool,
              "make it in a file system that all hosts of the cluster have there too"));
      return false;
    }
    lines.add(CheckLine.good("folder " + spool));
    return true;
  }

  private void account(String account, boolean spool, List<CheckLine> lines)
      throws InterruptedException {
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
      folder(account, lines);
    }
    if (lines.size() == before) {
      lines.add(CheckLine.good("account " + account));
    }
  }

  private void rights(String account, List<CheckLine> lines) throws InterruptedException {
    if (file.text("as").equals("self")) {
      if (!account.equals(self)) {
        lines.add(
            CheckLine.wrong(
                account + " is not the account of this process, " + self,
                "set 'as = sudo', or name " + self + " only"));
      }
      return;
    }
    if (!Files.isExecutable(Path.of(file.text("sudo")))) {
      lines.add(
          CheckLine.wrong(
              "there is no program " + file.text("sudo"), "install sudo, or set 'sudo' to it"));
      return;
    }
    List<String> programs = new ArrayList<>(List.of("/bin/mkdir"));
    file.kind().programsOfAccounts().forEach(it -> programs.add(file.program(it)));
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
  }

  private void folder(String account, List<CheckLine> lines) {
    Path folder = Path.of(file.text("spool"), account);
    String cure = "as root: install -d -o " + account + " -m 755 " + folder;
    try {
      if (!Files.isDirectory(folder)) {
        lines.add(CheckLine.wrong("there is no folder " + folder, cure));
      } else if (!Files.getOwner(folder).getName().equals(account)) {
        lines.add(
            CheckLine.wrong(folder + " belongs to " + Files.getOwner(folder).getName(), cure));
      } else if (!Files.isReadable(folder) || !Files.isExecutable(folder)) {
        lines.add(CheckLine.wrong(folder + " cannot be read by " + self, cure));
      }
    } catch (IOException e) {
      lines.add(CheckLine.wrong(folder + ": " + e.getMessage(), cure));
    }
  }
}
