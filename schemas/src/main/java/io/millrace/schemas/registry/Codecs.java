package io.millrace.schemas.registry;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.WireCodec;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** Opens the codec of a process, using the registry that its client settings name. */
public final class Codecs {

  /** Setting of a Confluent-compatible registry's URL; without it the topic {@code schemas}. */
  public static final String REGISTRY_URL = "schema.registry.url";

  private Codecs() {}

  /**
   * Loads the ids of the catalogue. The registry stays open as long as the process: an id that
   * another build registers later is looked up when it is met.
   *
   * @param clientConfig bootstrap.servers, security settings, and perhaps {@link #REGISTRY_URL}
   * @throws RegistryException in one line, when a record is not registered or nothing answers
   */
  public static RecordCodec open(Map<String, Object> clientConfig) throws RegistryException {
    SchemaRegistry registry = registry(clientConfig);
    try {
      return of(registry);
    } catch (RegistryException e) {
      registry.close();
      throw e;
    }
  }

  /**
   * The codec of a part that may end before its process, by a registry that the part closes itself.
   *
   * @throws RegistryException in one line, when a record is not registered or nothing answers
   */
  public static RecordCodec of(SchemaRegistry registry) throws RegistryException {
    return new WireCodec(new RegistryIds(registry));
  }

  /** Opens the codec with settings from a properties file. */
  public static RecordCodec open(Properties clientConfig) throws RegistryException {
    Map<String, Object> config = new HashMap<>();
    clientConfig.forEach((key, value) -> config.put(key.toString(), value));
    return open(config);
  }

  /** The registry that the settings name. */
  public static SchemaRegistry registry(Map<String, Object> clientConfig) throws RegistryException {
    Map<String, Object> kafka = new HashMap<>(clientConfig);
    Object url = kafka.remove(REGISTRY_URL);
    if (url == null || url.toString().isBlank()) {
      return TopicRegistry.open(kafka);
    }
    try {
      return new ConfluentRegistry(URI.create(url.toString().strip()));
    } catch (IllegalArgumentException e) {
      throw new RegistryException(REGISTRY_URL + ": " + e.getMessage(), e);
    }
  }
}
