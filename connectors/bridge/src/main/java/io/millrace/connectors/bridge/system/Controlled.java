package io.millrace.connectors.bridge.system;

/** What became of an order about a job. */
public sealed interface Controlled {

  /** It was carried out or will be; the words of the outside system. */
  record Done(String words) implements Controlled {}

  /** The outside system says no. */
  record ControlRefused(String words) implements Controlled {}

  /** The outside system says that there is no such job, or that it has ended. */
  record OutsideJobGone(String words) implements Controlled {}

  /** Nobody knows. */
  record ControlUnclear(String why) implements Controlled {}
}
