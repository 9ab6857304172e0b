package io.millrace.schedulers.dialects.origin2000.state;

import io.millrace.schedulers.dialects.origin2000.usage.Allocations;
import java.util.Optional;

/** One thing that a cycle does, or with TEST_ONLY would do. */
public sealed interface OriginAction {

  /** A job's request is changed to what its nodes hold. */
  record SetResource(String job, String resource, String value) implements OriginAction {}

  record Comment(String job, String text) implements OriginAction {}

  record OriginMove(String job, String from, String to) implements OriginAction {}

  /**
   * A start.
   *
   * @param accepted false when the server refused it
   */
  record OriginJobStart(String job, String queue, String host, boolean accepted)
      implements OriginAction {}

  /**
   * A job that can never run is deleted.
   *
   * @param figures what its group has used, when that is the reason
   */
  record OriginDeletion(String job, String reason, Optional<Allocations.Figures> figures)
      implements OriginAction {}

  record SwitchCounters(String host, String mode, boolean done) implements OriginAction {}

  record WouldRun(String job, long nodes, String queue, String host) implements OriginAction {}

  record WouldDelete(String job, String reason) implements OriginAction {}
}
