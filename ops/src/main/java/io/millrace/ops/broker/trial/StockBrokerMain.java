package io.millrace.ops.broker.trial;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/**
 * Process entry of a broker as Kafka brings it: {@code StockBrokerMain SETTINGS READY}, with
 * settings as Kafka's own {@code server.properties}, and a file that is written when it serves.
 */
public final class StockBrokerMain {

  private StockBrokerMain() {}

  public static void main(String[] args) throws IOException {
    Properties settings = new Properties();
    try (Reader in = Files.newBufferedReader(Path.of(args[0]))) {
      settings.load(in);
    }
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "shutdown"));
    Path ready = Path.of(args[1]);
    Files.deleteIfExists(ready);
    server.startup();
    Files.writeString(ready, ProcessHandle.current().pid() + "\n");
    server.awaitShutdown();
  }
}
