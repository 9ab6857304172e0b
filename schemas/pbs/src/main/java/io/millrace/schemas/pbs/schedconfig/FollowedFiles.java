package io.millrace.schemas.pbs.schedconfig;

import io.millrace.schemas.pbs.schedconfig.InputSource.InputKind;
import io.millrace.schemas.pbs.schedconfig.options.PolicyFinding;
import io.millrace.schemas.state.PolicyInput;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Files of a PBS scheduler that the server reads again whenever they change, where the scheduler
 * object names their folder (its attribute {@code policy_folder}). What was read counts instead of
 * what was loaded. {@code sched_config} itself is none of them: as in PBS it counts when somebody
 * says so.
 */
public final class FollowedFiles {
  /** Names of the files. */
  public static final List<String> NAMES =
      List.of(
          SitePolicyFolder.HOLIDAYS,
          SitePolicyFolder.DEDICATED_TIME,
          SitePolicyFolder.RESOURCE_GROUP);

  private FollowedFiles() {}

  /**
   * The inputs of a scheduler object: those files that were loaded.
   *
   * @param text of {@link StoredPolicy#join}
   */
  public static List<InputSource> sources(String text, String folder) {
    Map<String, String> loaded = StoredPolicy.split(text);
    return NAMES.stream()
        .filter(loaded::containsKey)
        .map(
            name ->
                new InputSource(InputSource.ofFile(name), InputKind.FILE, 0, folder + "/" + name))
        .toList();
  }

  /** What is wrong with the content of an input; empty when nothing is, or for another input. */
  public static Optional<String> refuse(String input, String content) {
    return NAMES.stream()
        .filter(name -> InputSource.ofFile(name).equals(input))
        .flatMap(name -> SitePolicyFolder.read(Map.of(name, content)).findings().stream())
        .filter(PolicyFinding::wrong)
        .map(PolicyFinding::text)
        .findFirst();
  }

  /**
   * The text that counts: the one that was loaded, with what was read of its files since then.
   *
   * @param text of {@link StoredPolicy#join}
   * @param folder that is followed; empty for none
   * @param inputs of the scheduler object
   */
  public static String inForce(String text, String folder, Collection<PolicyInput> inputs) {
    if (folder.isEmpty()) {
      return text;
    }
    Map<String, String> texts = StoredPolicy.split(text);
    for (PolicyInput input : inputs) {
      for (String name : NAMES) {
        if (input.getReadMs() != 0 && InputSource.ofFile(name).equals(input.getName())) {
          texts.replace(name, input.getContent());
        }
      }
    }
    return StoredPolicy.join(texts, texts.getOrDefault(JoinedFiles.ZONE, "").strip());
  }
}
