package io.millrace.connectors.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that is moved by hand. */
public final class HandClock implements InstantSource {

  private Instant now = Instant.parse("2026-11-25T10:00:00Z");

  @Override
  public Instant instant() {
    return now;
  }

  public void pass(Duration time) {
    now = now.plus(time);
  }
}
