package io.millrace.schemas.hostkey;

import java.util.Optional;

/** The keys of the hosts that may have executors. */
public interface HostKeys {

  /** Where no host has a key. */
  HostKeys NONE = host -> Optional.empty();

  /** The key of a host; empty when it has none, or has it no more. */
  Optional<HostKey> of(String host);
}
