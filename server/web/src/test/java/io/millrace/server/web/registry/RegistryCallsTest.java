package io.millrace.server.web.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.registry.CompatibilityLevel;
import io.millrace.schemas.registry.MemoryRegistry;
import io.millrace.schemas.registry.RegisteredSchema;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.SchemaRegistry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;

class RegistryCallsTest {

  private static final Schema BOX =
      SchemaBuilder.record("Box").namespace("test").fields().requiredString("label").endRecord();

  /** A copy of what others write. */
  private static final class Copy implements SchemaRegistry {
    private final MemoryRegistry known = new MemoryRegistry();
    private boolean written;
    private boolean fails;
    private int asked;

    @Override
    public void refresh() throws RegistryException {
      asked++;
      if (fails) {
        throw new RegistryException(0, "no broker");
      }
      if (written) {
        known.register("test.Box", BOX);
      }
    }

    @Override
    public List<String> subjects() {
      return known.subjects();
    }

    @Override
    public List<Integer> versions(String subject) {
      return known.versions(subject);
    }

    @Override
    public int register(String subject, Schema schema) throws RegistryException {
      throw new RegistryException(403, "a copy");
    }

    @Override
    public Optional<RegisteredSchema> lookUp(String subject, Schema schema) {
      return known.lookUp(subject, schema);
    }

    @Override
    public Optional<Schema> byId(int id) {
      return known.byId(id);
    }

    @Override
    public Optional<RegisteredSchema> version(String subject, int version) {
      return known.version(subject, version);
    }

    @Override
    public boolean compatible(String subject, Schema schema) {
      return known.compatible(subject, schema);
    }

    @Override
    public CompatibilityLevel compatibility() {
      return known.compatibility();
    }

    @Override
    public void setCompatibility(CompatibilityLevel level) throws RegistryException {
      throw new RegistryException(403, "a copy");
    }

    @Override
    public void close() {}
  }

  private final Copy copy = new Copy();
  private final long[] nanos = {5};
  private final RegistryCalls calls = new RegistryCalls(copy, true, () -> nanos[0]);

  private String subjects() throws RegistryException {
    return calls.answer("GET", "/subjects", new byte[0]).toString();
  }

  @Test
  void whatOthersHaveRegisteredIsKnownASecondLater() throws RegistryException {
    copy.written = true;
    assertEquals("[]", subjects());
    nanos[0] += TimeUnit.SECONDS.toNanos(1);
    assertEquals("[\"test.Box\"]", subjects());
    subjects();
    assertEquals(1, copy.asked, "the brokers are asked once a second at most");
  }

  @Test
  void whatIsKnownIsAnsweredWithoutBrokers() throws RegistryException {
    copy.written = true;
    nanos[0] += TimeUnit.SECONDS.toNanos(1);
    subjects();
    copy.fails = true;
    nanos[0] += TimeUnit.SECONDS.toNanos(1);
    assertEquals("[\"test.Box\"]", subjects());
    assertEquals(2, copy.asked);
  }
}
