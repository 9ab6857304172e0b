package io.millrace.connectors.bridge.system;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run that is to be submitted.
 *
 * @param tag its mark
 * @param account whose job it becomes
 * @param name as its owner calls it; what the outside system does not take in a name is replaced
 * @param place where it is to run
 * @param amounts what it is to have there
 * @param work what it does
 */
public record OutsideSubmission(
    OutsideTag tag,
    String account,
    String name,
    OutsidePlace place,
    OutsideAmounts amounts,
    SubmittedScript work) {

  /**
   * Where a run is to run.
   *
   * @param queue queue or partition; empty for the usual one
   * @param hosts as the outside system calls them, each once, in the order of what the run is to
   *     have of each; none where that chooses
   */
  public record OutsidePlace(Optional<String> queue, List<String> hosts) {

    public OutsidePlace {
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * What a run does.
   *
   * @param script text of the script, which names its interpreter in its first line
   * @param arguments of the script
   * @param environment variables beside those of the outside system
   * @param folder where it begins
   */
  public record SubmittedScript(
      byte[] script, List<String> arguments, Map<String, String> environment, String folder) {}
}
