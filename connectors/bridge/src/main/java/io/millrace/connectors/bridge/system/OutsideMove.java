package io.millrace.connectors.bridge.system;

import java.time.Instant;
import java.util.Optional;

/** A job has changed its state, as a log of the outside system says. */
public record OutsideMove(
    OutsideId id, String account, Optional<OutsideTag> tag, OutsideState state, Instant at) {}
