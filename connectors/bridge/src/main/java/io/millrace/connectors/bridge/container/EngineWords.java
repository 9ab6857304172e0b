package io.millrace.connectors.bridge.container;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.SudoWords;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What the programs of container engines say in their own name, as docker's and podman's do. A
 * command that ran in a container has printed something else, or ends with a status of its own.
 */
final class EngineWords {

  /** The container was looked at, and nothing was begun in it. */
  private static final Pattern NOT_BEGUN =
      Pattern.compile(
          "Error(: | response from daemon: )No such container: .*"
              + "|Error response from daemon: Container \\S+ is (not running|restarting|paused).*"
              + "|Error: (can only create exec sessions on running containers|no container with"
              + " name or ID).*"
              + "|.*permission denied while trying to connect to the Docker daemon socket.*"
              + "|cannot exec in a (stopped|deleted|paused) state.*"
              + "|(OCI runtime exec failed|Error: \\S*runc): exec failed: unable to start container"
              + " process: exec: .*"
              + "|Error: crun: executable file `.*");

  /** The engine was lost, or has lost the command. */
  private static final Pattern BROKEN_OFF =
      Pattern.compile(
          "Error response from daemon: .*|error during connect: .*|error waiting for .*"
              + "|Cannot connect to (the Docker daemon|Podman).*|OCI runtime .*|.*unexpected EOF"
              + "|Error: .*(container|runc|crun|conmon|exec session|OCI).*");

  private EngineWords() {}

  /** Whether the engine says that it has begun no command. */
  static boolean notBegun(OutsideAnswer answer) {
    return isAll(answer, NOT_BEGUN.asMatchPredicate());
  }

  /** Whether it says that it knows no account of that name, so that nothing was begun. */
  static boolean hasNoAccount(OutsideAnswer answer) {
    return isAll(answer, SudoWords::isOfNobody);
  }

  private static boolean isAll(OutsideAnswer answer, Predicate<String> own) {
    List<String> said = lines(answer.said());
    return answer.isWhole() && answer.status() != 0 && said.size() == 1 && own.test(said.get(0));
  }

  private static List<String> lines(String text) {
    return text.lines().filter(it -> !it.isBlank()).toList();
  }

  /** Whether it says last that it does not know how a command has ended. */
  static boolean brokenOff(OutsideAnswer answer) {
    List<String> said = lines(answer.said());
    return answer.isWhole()
        && answer.status() != 0
        && !said.isEmpty()
        && BROKEN_OFF.matcher(said.get(said.size() - 1)).matches();
  }

  static String absent(ContainerTerms terms) {
    return "there is no container " + terms.container() + "; see 'container'";
  }

  static String notRunning(ContainerTerms terms, String state) {
    String cure =
        switch (state) {
          case "paused" -> "unpause it";
          case "restarting" -> "see its log";
          default -> "start it";
        };
    return "container " + terms.container() + " is " + state + "; " + cure;
  }

  /** Why nothing is started in it, in one line with its cure. */
  static String trouble(OutsideAnswer answer, ContainerTerms terms) {
    String said = answer.trouble().replace(';', ',');
    if (SudoWords.refused(answer)) {
      return said + "; put the line of sudo that container_sudo = yes needs into /etc/sudoers.d";
    }
    if (!answer.isWhole() && answer.ending() != ProcessEnding.NOT_STARTED) {
      return "the container engine does not answer: " + said + "; see its log";
    }
    if (said.contains("o such container") || said.contains("no container with name")) {
      return absent(terms);
    }
    if (said.contains("is not running") || said.contains("running containers")) {
      return notRunning(terms, "not running");
    }
    if (said.contains("is paused")) {
      return notRunning(terms, "paused");
    }
    if (said.contains("is restarting")) {
      return notRunning(terms, "restarting");
    }
    if (said.contains("permission denied while trying to connect")) {
      return "the container engine does not listen to this account"
          + "; set 'container_sudo = yes', or give the account the engine's socket";
    }
    if (said.contains("Cannot connect to") || said.contains("error during connect")) {
      return "no container engine answers: " + said + "; start it, or see 'container_socket'";
    }
    if (said.contains("unable to find user")) {
      return "container "
          + terms.container()
          + " has no account "
          + terms.account()
          + " in its /etc/passwd; see 'container_account'";
    }
    return "nothing is started in container "
        + terms.container()
        + ": "
        + said
        + "; it needs timeout, env and id of GNU's coreutils in /usr/bin";
  }
}
