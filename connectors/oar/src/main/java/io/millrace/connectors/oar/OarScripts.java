package io.millrace.connectors.oar;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.RunWrapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The scripts that jobs start. OAR takes a command line and no script, and its API would leave a
 * script that it is given where everybody can read it. So each is written below the spool, in the
 * name of its account, into a folder that nobody else can look into.
 */
final class OarScripts {

  /** The command to write a script has failed in the name of its account. */
  static final class ScriptRefused extends IOException {
    private static final long serialVersionUID = 1L;

    ScriptRefused(String text) {
      super(text);
    }
  }

  private static final String FOLDER = "scripts";

  /** What starts a script, whose path follows. */
  static final String SHELL = "/bin/bash";

  /** The command of a job of ours. */
  private static final Pattern COMMAND =
      Pattern.compile(SHELL + " /\\S*/(mr\\.[^/\\s]+)\\.[0-9a-f]{8}");

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;

  /** Accounts whose folder is there. */
  private final Set<String> made = ConcurrentHashMap.newKeySet();

  OarScripts(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
    this.commands = file.commands(Map.of());
  }

  static String folder(String spool, String account) {
    return spool + "/" + account + "/" + FOLDER;
  }

  /**
   * Writes the script of a run. A second submission of the run gets a file of its own: a job of the
   * first one may be reading its file.
   *
   * @return its path, of letters that mean nothing to a shell
   * @throws ScriptRefused in one line when the account may not write it, or has no room
   * @throws IOException in one line when nobody's script could be written
   */
  String write(OutsideSubmission order) throws IOException, InterruptedException {
    String account = order.account();
    String folder = folder(file.text("spool"), account);
    if (!made.contains(account)) {
      List<String> words = List.of("/bin/mkdir", "-p", "-m", "700", folder);
      carryOut(account, words, new byte[0], folder);
      made.add(account);
    }
    String path = folder + "/" + order.tag() + "." + UUID.randomUUID().toString().substring(0, 8);
    if (!RunWrapper.PLAIN_PATH.matcher(path).matches()) {
      throw new IllegalArgumentException(path + ": no plain path");
    }
    List<String> words =
        List.of(file.program("dd"), "of=" + path, "conv=excl,fsync", "status=none");
    carryOut(account, words, text(order), path);
    return path;
  }

  /** The run that a command starts; empty for another command. */
  static Optional<OutsideTag> run(String command) {
    Matcher form = COMMAND.matcher(command.strip());
    return form.matches() ? OutsideTag.read(form.group(1)) : Optional.empty();
  }

  private void carryOut(String account, List<String> words, byte[] input, String path)
      throws IOException, InterruptedException {
    OutsideAnswer answer = runner.run(commands.as(account, words, input));
    if (!answer.isGood()) {
      // Somebody may have taken the folder away.
      made.remove(account);
      String text = path + " cannot be written: " + answer.trouble();
      throw answer.isWhole() ? new ScriptRefused(text) : new IOException(text);
    }
  }

  /** It deletes its own file, which its shell has open. */
  private byte[] text(OutsideSubmission order) {
    String wrapper =
        new String(RunWrapper.of(file.text("spool"), order), StandardCharsets.US_ASCII);
    int line = wrapper.indexOf('\n') + 1;
    String whole = wrapper.substring(0, line) + "/bin/rm -f -- \"$0\"\n" + wrapper.substring(line);
    return whole.getBytes(StandardCharsets.US_ASCII);
  }
}
