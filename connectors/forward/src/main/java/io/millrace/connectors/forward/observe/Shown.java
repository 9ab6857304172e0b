package io.millrace.connectors.forward.observe;

import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/**
 * A record that is to be shown.
 *
 * @param topic where
 * @param key of it
 * @param record what is there from now on; empty when nothing is any more
 */
public record Shown(String topic, String key, Optional<SpecificRecord> record) {}
