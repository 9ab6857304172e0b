package io.millrace.server.gateway.print;

import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.DynamicResources;
import io.millrace.schemas.pbs.schedconfig.InputSource;
import io.millrace.schemas.state.PolicyInput;
import io.millrace.schemas.state.Scheduler;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What comes to a scheduler's policy from outside, in words. */
public final class InputText {

  private InputText() {}

  /** All inputs in one line; empty for none. */
  static String all(List<PolicyInput> inputs) {
    return inputs.stream().map(InputText::one).collect(Collectors.joining(", "));
  }

  private static String one(PolicyInput input) {
    String content = input.getContent();
    String said = input.getName() + "=" + (content.isEmpty() ? "?" : InputSource.brief(content));
    return input.getProblem().isEmpty()
        ? said
        : said + " (" + AttributeTable.NOT_READ + ": " + input.getProblem() + ")";
  }

  /**
   * A sentence about what the server has of a resource by a program.
   *
   * @param run of the scheduler object
   * @param programs the text of its attribute {@link AttributeTable#SERVER_DYN_RES}
   * @return empty where no program says it
   */
  public static Optional<String> sentence(
      Scheduler run, String programs, String resource, Times times) {
    Map<String, String> known = DynamicResources.parse(programs);
    if (!known.containsKey(resource)) {
      return Optional.empty();
    }
    String begin = "What the server has of " + resource + " is what " + known.get(resource);
    Optional<PolicyInput> input =
        run.getInputs().stream().filter(it -> it.getName().equals(resource)).findFirst();
    if (input.isEmpty()) {
      return Optional.of(begin + " says, which has not been asked yet (server_dyn_res).");
    }
    PolicyInput its = input.get();
    String said =
        its.getContent().isEmpty()
            ? ", which has not said it yet"
            : ": " + its.getContent() + ", since " + times.ctime(its.getReadMs());
    String problem =
        its.getProblem().isEmpty()
            ? ""
            : "; not read since " + times.ctime(its.getFailedMs()) + ": " + its.getProblem();
    return Optional.of(begin + " says (server_dyn_res)" + said + problem + ".");
  }
}
