package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.schemas.hostkey.HostKey;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What a cluster is served with.
 *
 * @param file of the cluster
 * @param key of the cluster, which is that of all its nodes
 * @param kafka client settings
 * @param spool what has to be remembered
 */
public record ServedTerms(ClusterFile file, HostKey key, Map<String, Object> kafka, Path spool) {

  /**
   * The same with the key among the client settings.
   *
   * @throws IllegalArgumentException in one line, when it is not there or is none
   */
  public static ServedTerms of(ClusterFile file, Map<String, Object> settings, Path spool) {
    Map<String, Object> kafka = new HashMap<>(settings);
    Object text = kafka.remove(HostKey.PROPERTY);
    if (text == null) {
      throw new IllegalArgumentException("cluster " + file.name() + " has no key");
    }
    HostKey key = HostKey.of("@" + file.name(), text.toString());
    return new ServedTerms(file, key, kafka, spool.toAbsolutePath().normalize());
  }
}
