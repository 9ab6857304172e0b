package io.millrace.connectors.local.host;

import io.millrace.connectors.local.run.LocalSettings;
import java.nio.file.Path;
import java.util.Map;

/**
 * Settings of an executor.
 *
 * @param host name under which nodes and orders know this host
 * @param kafka client settings: bootstrap.servers, security, perhaps schema.registry.url
 * @param spool directory of the position, and of the runs
 * @param measured what the host has, in base units: ncpus as a number, mem in bytes, ...
 * @param durable whether the position is forced to the disk; see {@link LocalSettings}
 * @param takeOver whether it takes the host over from an executor whose spool is gone for good
 */
public record ExecutorSettings(
    String host,
    Map<String, Object> kafka,
    Path spool,
    Map<String, Long> measured,
    boolean durable,
    boolean takeOver) {
  public ExecutorSettings {
    kafka = Map.copyOf(kafka);
    measured = Map.copyOf(measured);
  }
}
