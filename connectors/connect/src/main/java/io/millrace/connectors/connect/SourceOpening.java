package io.millrace.connectors.connect;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.host.CommandHosts;
import io.millrace.connectors.bridge.run.SteadyClock;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.forward.ServedTerms;
import io.millrace.connectors.forward.observe.ClusterLook;
import io.millrace.connectors.forward.observe.ClusterPicture;
import io.millrace.connectors.forward.observe.PictureReading;
import io.millrace.connectors.forward.observe.PictureTopics;
import io.millrace.connectors.forward.observe.Shown;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.SchemaRegistry;
import java.io.IOException;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Begins to look at a cluster. */
interface SourceOpening {

  /**
   * What a source looks with.
   *
   * @param watch with all that was shown before
   * @param records what is shown, as the topics have it
   * @param end of what is open
   */
  record SourceView(
      ClusterLook watch, Function<Shown, ProducerRecord<byte[], byte[]>> records, Runnable end) {}

  /**
   * @param cursor how far logs and accounting were read before; empty for their present end
   * @throws IOException in one line, when the topics cannot be read; it may be tried again
   */
  SourceView open(ServedTerms terms, String cursor) throws IOException;

  /** The cluster of the terms, and what the topics have of it. */
  static SourceView ofTopics(ServedTerms terms, String cursor) throws IOException {
    SchemaRegistry registry = null;
    CommandRunner runner = CommandHosts.of(terms.file());
    try {
      registry = Codecs.registry(terms.kafka());
      RecordCodec codec = Codecs.of(registry);
      OutsideSystem system = terms.file().kind().open(terms.file(), runner);
      ClusterPicture picture =
          new PictureReading(terms.kafka(), codec).before(terms.file(), system.hasAccounting());
      return new SourceView(
          new ClusterLook(terms.file().name(), system, picture, cursor, new SteadyClock()),
          shown -> PictureTopics.record(shown, codec),
          ends(registry, runner));
    } catch (RegistryException e) {
      ends(registry, runner).run();
      throw new IOException(e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      ends(registry, runner).run();
      throw e;
    }
  }

  private static Runnable ends(SchemaRegistry registry, CommandRunner runner) {
    return () -> {
      runner.close();
      if (registry != null) {
        registry.close();
      }
    };
  }
}
