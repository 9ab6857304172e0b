package io.millrace.connectors.local.host;

import io.millrace.connectors.local.run.LocalSettings;
import io.millrace.schemas.hostkey.HostKey;
import java.nio.file.Path;
import java.util.Map;

/**
 * Settings of an executor.
 *
 * @param key of the host, with the name under which nodes and orders know it
 * @param kafka client settings: bootstrap.servers, security, perhaps schema.registry.url
 * @param spool directory of the position, and of the runs
 * @param measured what the host has, in base units: ncpus as a number, mem in bytes, ...
 * @param durable whether the position is forced to the disk; see {@link LocalSettings}
 * @param takeOver whether it takes the host over from an executor whose spool is gone for good
 */
public record ExecutorSettings(
    HostKey key,
    Map<String, Object> kafka,
    Path spool,
    Map<String, Long> measured,
    boolean durable,
    boolean takeOver) {
  public ExecutorSettings {
    kafka = Map.copyOf(kafka);
    measured = Map.copyOf(measured);
  }

  /** The name under which nodes and orders know this host. */
  public String host() {
    return key.host();
  }
}
