package io.millrace.ops.faults.scenario;

import io.millrace.ops.home.Home;
import io.millrace.ops.installation.Installation;
import io.millrace.ops.word.Console;
import java.io.IOException;
import java.util.List;

/** A scenario of one home, with a broker of its own. */
public abstract class HomeScenario implements Scenario {
  private Installation installation;

  /** Arguments of {@code up}. */
  public abstract List<String> upArguments();

  @Override
  public final TestedSystem up(Home home, Console console)
      throws IOException, InterruptedException {
    installation = Installation.up(home, upArguments(), console);
    return TestedSystem.of(installation);
  }

  /** What was started. */
  final Installation installation() {
    return installation;
  }

  @Override
  public final List<String> victims() {
    return installation.parts();
  }
}
