package io.millrace.schemas.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.schemas.GenericWire;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.SchemaRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.MessageFormatter;
import org.apache.kafka.common.header.Header;

/**
 * One line of JSON for each record: topic, partition, offset, time, key, type, value, and headers
 * where there are any. For {@code kafka-console-consumer --formatter
 * io.millrace.schemas.console.ConsoleFormatter} with these {@code --formatter-property}s:
 *
 * <ul>
 *   <li>{@code schema.registry.url=URL}: a Confluent-compatible registry; or
 *   <li>{@code bootstrap.servers=HOST:PORT}: the topic {@code schemas} there, with the security
 *       settings of {@code config=FILE} where the broker asks for any.
 * </ul>
 */
public final class ConsoleFormatter implements MessageFormatter {

  private final JsonFactory json = new JsonFactory();
  private SchemaRegistry registry;
  private JsonRecords records;

  @Override
  public void configure(Map<String, ?> properties) {
    Map<String, Object> config = new HashMap<>();
    Object file = properties.get("config");
    if (file != null) {
      config.putAll(read(Path.of(file.toString())));
    }
    for (String name : new String[] {"bootstrap.servers", Codecs.REGISTRY_URL}) {
      if (properties.get(name) != null) {
        config.put(name, properties.get(name).toString());
      }
    }
    if (!config.containsKey("bootstrap.servers") && !config.containsKey(Codecs.REGISTRY_URL)) {
      throw new IllegalArgumentException(
          "where are the schemas? --formatter-property bootstrap.servers=HOST:PORT"
              + " (and config=FILE), or schema.registry.url=URL");
    }
    try {
      registry = Codecs.registry(config);
    } catch (RegistryException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    records = new JsonRecords(new GenericWire(this::schema));
  }

  private Optional<Schema> schema(int id) throws UndecodableRecord {
    try {
      return registry.byId(id);
    } catch (RegistryException e) {
      throw new UndecodableRecord("schema id " + id + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, Object> read(Path file) {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("config=" + file + " cannot be read: " + e.getMessage(), e);
    }
    Map<String, Object> config = new HashMap<>();
    properties.forEach((key, value) -> config.put(key.toString(), value));
    return config;
  }

  @Override
  public void writeTo(ConsumerRecord<byte[], byte[]> record, PrintStream output) {
    StringWriter line = new StringWriter();
    try (JsonGenerator out = json.createGenerator(line)) {
      out.writeStartObject();
      out.writeStringField("topic", record.topic());
      out.writeNumberField("partition", record.partition());
      out.writeNumberField("offset", record.offset());
      out.writeNumberField("timestamp", record.timestamp());
      out.writeStringField("key", record.key() == null ? null : JsonRecords.key(record.key()));
      writeValue(out, record);
      if (record.headers().iterator().hasNext()) {
        out.writeObjectFieldStart("headers");
        for (Header header : record.headers()) {
          out.writeStringField(header.key(), JsonRecords.text(orEmpty(header.value())));
        }
        out.writeEndObject();
      }
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    output.write(bytes, 0, bytes.length);
  }

  private static byte[] orEmpty(byte[] bytes) {
    return bytes == null ? new byte[0] : bytes;
  }

  private void writeValue(JsonGenerator out, ConsumerRecord<byte[], byte[]> record)
      throws IOException {
    byte[] value = record.value();
    if (value == null) {
      out.writeNullField("value");
    } else if (record.topic().equals(Topics.DISPATCH) && HostKey.isSealed(value)) {
      // The key is the host, which alone can read it.
      out.writeNumberField("sealed_bytes", value.length);
    } else {
      records.writeDecoded(out, value);
    }
  }

  @Override
  public void close() {
    if (registry != null) {
      registry.close();
    }
  }
}
