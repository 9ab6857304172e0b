package io.millrace.ops.cycles;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.OneLine;
import io.millrace.ops.word.Word;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.output.CycleDone;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** {@code ./millrace cycles}. */
public final class CyclesWord implements Word {

  private static final int USUAL = 20;
  private static final int MOST = 10_000;
  private static final Logger KAFKA = Logger.getLogger("org.apache.kafka");

  @Override
  public String name() {
    return "cycles";
  }

  @Override
  public String summary() {
    return "what the last cycles of the schedulers did ([SCHEDULER], -f follows)";
  }

  @Override
  public int run(List<String> arguments, Console console) throws IOException, UsageException {
    GivenOptions options =
        HomeOption.only("cycles", "Shows the last cycles of all schedulers, or of one.")
            .flag("--follow", "-f", "goes on with each further one")
            .value("--last", "N", "how many (default " + USUAL + ")")
            .operands("[SCHEDULER]")
            .parse(arguments);
    if (options.operands().size() > 1) {
      throw options.wrong("'" + options.operands().get(1) + "': one scheduler, or none for all");
    }
    Home home = HomeOption.of(options);
    if (!Files.exists(home.settings())) {
      throw new IOException(home.root() + " is no home of Millrace");
    }
    int last = options.number("--last", USUAL, 1, MOST);
    String scheduler = options.operands().isEmpty() ? "" : options.operands().get(0);
    Map<String, Object> kafka =
        new HashMap<>(ClientSettings.read(home.client(KafkaPrincipal.MONITOR)));
    kafka.put("bootstrap.servers", ClusterSettings.read(home).bootstrapServers());
    kafka.put("default.api.timeout.ms", 10_000);
    // A broker that is away is told in one line.
    KAFKA.setLevel(Level.OFF);
    try {
      RecordCodec codec = Codecs.open(kafka);
      kafka.remove(Codecs.REGISTRY_URL);
      try (KafkaConsumer<byte[], byte[]> consumer =
          new KafkaConsumer<>(kafka, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
        CycleReader reader = new CycleReader(consumer, codec, scheduler);
        show(reader, scheduler, last, options.has("--follow"), console);
      }
    } catch (RegistryException | KafkaException e) {
      throw new IOException("the cycles cannot be read: " + OneLine.of(e), e);
    }
    return 0;
  }

  static void show(CycleReader reader, String scheduler, int last, boolean follow, Console console)
      throws IOException {
    CycleTable table = new CycleTable(ZoneId.systemDefault());
    List<CycleDone> cycles = reader.last(last);
    if (cycles.isEmpty() && !scheduler.isEmpty() && !follow) {
      throw new IOException("no cycle of a scheduler " + scheduler + " is kept");
    }
    console.say(CycleTable.head());
    cycles.forEach(cycle -> console.say(table.row(cycle)));
    Following following = new Following(reader, table, console, System.err, System::nanoTime);
    while (follow && console.isHeard()) {
      following.look();
    }
  }
}
