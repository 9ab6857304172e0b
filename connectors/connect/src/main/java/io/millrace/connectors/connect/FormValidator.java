package io.millrace.connectors.connect;

import io.millrace.connectors.bridge.cluster.ClusterKey.ClusterKeyForm;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Validates a setting as the key of a cluster file. */
record FormValidator(ClusterKeyForm form) implements ConfigDef.Validator {

  @Override
  public void ensureValid(String name, Object value) {
    if (value == null) {
      return; // not given, and need not be
    }
    form.wrong(value.toString())
        .ifPresent(
            why -> {
              throw new ConfigException(name + " " + why.replaceAll("\\p{Cc}", "?"));
            });
  }

  /** As Connect shows it. */
  @Override
  public String toString() {
    return form.words();
  }
}
