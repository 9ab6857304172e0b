package io.millrace.schedulers.core.policy;

/**
 * Stands in for a policy whose text cannot be obeyed: nothing starts, and whoever waits is told
 * why.
 *
 * @param problem what is wrong with the text, one line
 */
public record WrongPolicy(String problem) implements Policy {

  @Override
  public String name() {
    return "wrong";
  }

  @Override
  public boolean preempts() {
    return false;
  }
}
