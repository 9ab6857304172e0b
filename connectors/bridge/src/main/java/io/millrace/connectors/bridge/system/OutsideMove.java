package io.millrace.connectors.bridge.system;

import java.time.Instant;
import java.util.Optional;

/**
 * A job is new or has changed its state, as a log of the outside system says.
 *
 * @param id its number
 * @param account whose job it is; of none where the line does not say so, which then is of a job
 *     that is known by its number
 * @param tag the mark of a run
 * @param state what it does
 * @param at since when
 * @param name of a job that is new; empty of any other
 */
public record OutsideMove(
    OutsideId id,
    String account,
    Optional<OutsideTag> tag,
    OutsideState state,
    Instant at,
    Optional<String> name) {}
