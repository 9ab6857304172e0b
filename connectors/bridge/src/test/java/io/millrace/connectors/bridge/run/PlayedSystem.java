package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An outside system without arrays whose answers a test gives, and an order for it. */
final class PlayedSystem {

  /** Answers a question by its name; without arguments these are empty. */
  interface Answers {
    Object to(String question, Object... arguments);
  }

  private PlayedSystem() {}

  static OutsideSystem of(Answers answers) {
    return (OutsideSystem)
        Proxy.newProxyInstance(
            PlayedSystem.class.getClassLoader(),
            new Class<?>[] {OutsideSystem.class},
            (proxy, method, arguments) ->
                method.getName().endsWith("Most")
                    ? InvocationHandler.invokeDefault(proxy, method)
                    : method.getName().equals("snapshotHasTags")
                        ? hasTags(answers)
                        : answers.to(
                            method.getName(), arguments == null ? new Object[0] : arguments));
  }

  /** Where no test says so the queue shows none. */
  private static boolean hasTags(Answers answers) {
    try {
      return (boolean) answers.to("snapshotHasTags");
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }

  /** A run of one processor without a script. */
  static OutsideSubmission order(OutsideTag tag, String account) {
    return new OutsideSubmission(
        tag,
        account,
        "a",
        OutsideSubmission.OutsidePlace.of(Optional.empty()),
        new OutsideAmounts(1, 0, Optional.empty()),
        new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
  }
}
