package io.millrace.server.web.event;

import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/**
 * Makes what is told of facts, found by {@link java.util.ServiceLoader}: who knows them is in other
 * modules.
 */
public interface FactText {

  /** Names of the facts of which something is told. */
  Set<String> facts();

  /** What is told of one of them. */
  Optional<ChangeText.ToldChange> of(SpecificRecord fact);
}
