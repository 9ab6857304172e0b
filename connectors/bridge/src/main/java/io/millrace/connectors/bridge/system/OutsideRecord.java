package io.millrace.connectors.bridge.system;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A record of an accounting file on a job that is over.
 *
 * @param id its number
 * @param account whose job it was
 * @param tag the mark of a run
 * @param submitted when it was submitted
 * @param end how it ended
 * @param certain false when other users could have written a record that looks like this; then the
 *     queue has to agree
 * @param fields all fields by their names, those too that are not used
 */
public record OutsideRecord(
    OutsideId id,
    String account,
    Optional<OutsideTag> tag,
    Optional<Instant> submitted,
    OutsideEnd end,
    boolean certain,
    Map<String, String> fields) {}
