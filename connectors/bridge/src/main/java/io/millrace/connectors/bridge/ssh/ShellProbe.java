package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.sshd.client.session.ClientSession;

/**
 * Tries whether words come through the login shell of an account as they are, before anything else
 * is sent. A csh takes an exclamation mark and a line's end within quotes for something else, a
 * fish a backslash; and what start files print would stand among answers.
 */
final class ShellProbe {

  private static final List<String> WORDS =
      List.of(
          "plain", "", " ", "a b", "'", "''", "\"", "\\", "a\\", "\\'", "!x", "!!", "$HOME",
          "$(id)", "`id`", "a\nb", "\n", "*", "?", "~", "[a]", "{a,b}", ";", "&", "|", ">x", "#x",
          "%1", "=ls", "-n", "\u00fc", "\t");

  private static final int MOST = 64 * 1024;

  private ShellProbe() {}

  /**
   * @throws SshFault when a word would be anything but itself
   */
  static void require(ClientSession session, SshTerms terms) throws SshFault, InterruptedException {
    List<String> words = new ArrayList<>(List.of("/usr/bin/printf", "%s\\0"));
    words.addAll(WORDS);
    OutsideCommand command = new OutsideCommand(words, new byte[0], Map.of(), terms.limit(), MOST);
    OutsideAnswer answer = SshCommand.run(session, ShellLine.of(command), command);
    if (!answer.isWhole()) {
      throw new SshFault(
          "the login shell of "
              + terms
              + " does not answer: "
              + answer.trouble()
              + "; see the log of its sshd");
    }
    if (!answer.out().equals(String.join("\0", WORDS) + "\0")) {
      throw new SshFault(
          "the login shell of "
              + terms
              + " changes words, or its start files print something; give it /bin/sh (chsh), start"
              + " files that print nothing, and no ForceCommand");
    }
  }
}
