package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An outside system whose answers a test gives, and an order for it. */
final class PlayedSystem {

  /**
   * Answers a question by its name; without arguments these are empty. What it does not support is
   * as it is in a system that says nothing of it.
   */
  interface Answers {
    Object to(String question, Object... arguments);
  }

  private PlayedSystem() {}

  static OutsideSystem of(Answers answers) {
    return (OutsideSystem)
        Proxy.newProxyInstance(
            PlayedSystem.class.getClassLoader(),
            new Class<?>[] {OutsideSystem.class},
            (proxy, method, arguments) -> {
              Object[] given = arguments == null ? new Object[0] : arguments;
              try {
                return answers.to(method.getName(), given);
              } catch (UnsupportedOperationException e) {
                if (!method.isDefault()) {
                  throw e;
                }
                return InvocationHandler.invokeDefault(proxy, method, given);
              }
            });
  }

  /** A run of one processor without a script. */
  static OutsideSubmission order(OutsideTag tag, String account) {
    return new OutsideSubmission(
        tag,
        account,
        "a",
        new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
        SomeAmounts.of(1, 0, Optional.empty()),
        new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
  }
}
