package io.millrace.connectors.bridge.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Makes the commands of a cluster: in our own name, or in that of an account by sudo.
 *
 * @param sudo path of sudo; empty when all accounts are our own
 * @param starter path of millrace-outside, the one program that sudo then starts; it knows the
 *     commands by their names
 * @param environment of all commands
 * @param limit of their time
 * @param outputMost bytes that those in our own name may print
 * @param byEngine whether the container engine starts commands in the names of accounts
 */
public record AccountCommands(
    Optional<String> sudo,
    Optional<String> starter,
    Map<String, String> environment,
    Duration limit,
    int outputMost,
    boolean byEngine) {

  /** Names that need no quotes anywhere. */
  public static final Pattern PLAIN_ACCOUNT = Pattern.compile("[A-Za-z_][A-Za-z0-9._-]{0,31}");

  /** Bytes that one in the name of an account may print, whose owner may have it print anything. */
  static final int ACCOUNT_OUTPUT_MOST = 1 << 20;

  /** Commands that no container engine starts. */
  public AccountCommands(
      Optional<String> sudo,
      Optional<String> starter,
      Map<String, String> environment,
      Duration limit,
      int outputMost) {
    this(sudo, starter, environment, limit, outputMost, false);
  }

  /** A command in our own name. */
  public OutsideCommand own(List<String> words) {
    return new OutsideCommand(words, new byte[0], environment, limit, outputMost);
  }

  /** A command in the name of an account. */
  public OutsideCommand as(String account, List<String> words, byte[] input) {
    return as(account, words, input, Math.min(outputMost, ACCOUNT_OUTPUT_MOST));
  }

  /** A question in the name of an account whose answer is a whole queue, as long as our own. */
  public OutsideCommand queueAs(String account, List<String> words) {
    return as(account, words, new byte[0], outputMost);
  }

  private OutsideCommand as(String account, List<String> words, byte[] input, int most) {
    if (!PLAIN_ACCOUNT.matcher(account).matches()) {
      throw new IllegalArgumentException(account + ": no name of an account");
    }
    List<String> all = new ArrayList<>();
    sudo.ifPresent(it -> all.addAll(List.of(it, "-n", "-u", account, "--")));
    if (sudo.isPresent() && starter.isPresent()) {
      String program = words.get(0);
      all.addAll(List.of(starter.get(), program.substring(program.lastIndexOf('/') + 1)));
      all.addAll(words.subList(1, words.size()));
    } else {
      all.addAll(words);
    }
    Optional<String> by = byEngine ? Optional.of(account) : Optional.empty();
    return new OutsideCommand(all, input, environment, limit, most, by);
  }
}
