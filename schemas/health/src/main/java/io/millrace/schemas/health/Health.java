package io.millrace.schemas.health;

import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.SocketText;
import io.millrace.schemas.program.UsageException;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Whether a part can serve, and at which address it says so. For all threads. */
public final class Health {

  /** The option of each part. */
  public static final String OPTION = "--health";

  /** The option of each part that says where its numbers are sent. */
  public static final String OTLP = "--otlp";

  private static final String STARTING = "it starts";
  private static final int PORT_MOST = 65_535;

  private final PartKind part;
  private final Measures measures;
  private volatile Supplier<String> obstacle = () -> STARTING;

  Health(PartKind part, Measures measures) {
    this.part = part;
    this.measures = measures;
    measures.answer(Metric.READY, into -> into.is(obstacle().isEmpty() ? 1 : 0, part.text()));
    process();
  }

  /** Adds the options to those of a part. */
  public static ProgramOptions addTo(ProgramOptions options) {
    return options
        .value(OPTION, "[ADDRESS:]PORT", "tell /live, /ready and /metrics there, in plain HTTP")
        .value(OTLP, "URL", "send the numbers there too, by OTLP over HTTP (.../v1/metrics)");
  }

  /**
   * Begins to tell of this process, where that is asked for; it is starting still.
   *
   * @throws IOException in one line when nobody can listen there
   */
  public static Health begin(PartKind part, GivenOptions options)
      throws IOException, UsageException {
    Optional<InetSocketAddress> address = address(options);
    Health health = new Health(part, Measures.ofProcess());
    if (address.isPresent()) {
      for (HealthDoor door : ServiceLoader.load(HealthDoor.class)) {
        door.open(address.get(), health);
      }
    }
    if (options.has(OTLP)) {
      URI receiver = receiver(options.require(OTLP), options);
      for (MetricSender sender : ServiceLoader.load(MetricSender.class)) {
        sender.begin(receiver, health);
      }
    }
    return health;
  }

  /** Where numbers are sent. */
  public static URI receiver(String text, GivenOptions options) throws UsageException {
    try {
      URI receiver = new URI(text);
      boolean http = List.of("http", "https").contains(String.valueOf(receiver.getScheme()));
      // A password there would be in each list of processes, and nobody would send it.
      boolean plain = receiver.getUserInfo() == null && receiver.getPort() <= PORT_MOST;
      if (http && receiver.getHost() != null && plain) {
        return receiver;
      }
    } catch (URISyntaxException e) {
      throw options.wrong(OTLP + ": " + e.getMessage());
    }
    throw options.wrong(
        OTLP + " takes an address such as http://collector:4318/v1/metrics, without a password");
  }

  /** The address of the option. */
  public static Optional<InetSocketAddress> address(GivenOptions options) throws UsageException {
    try {
      return options.get(OPTION).map(SocketText::parse);
    } catch (IllegalArgumentException e) {
      throw options.wrong(OPTION + ": " + e.getMessage());
    }
  }

  /**
   * From now on it can serve unless the source says in words what is in the way.
   *
   * @param source quick; an empty text for nothing
   */
  public void ready(Supplier<String> source) {
    obstacle = source;
  }

  /** What is in the way of serving, in one line; empty for nothing. */
  public String obstacle() {
    return obstacle.get();
  }

  public PartKind part() {
    return part;
  }

  /** Its numbers as they are now. */
  public MetricSnapshots snapshots() {
    return measures.snapshots(part);
  }

  /** Its numbers as text for Prometheus. */
  public byte[] metrics() {
    return measures.text(part);
  }

  private void process() {
    long startedMs = ManagementFactory.getRuntimeMXBean().getStartTime();
    measures.answer(Metric.STARTED, into -> into.is(startedMs / 1000.0));
    measures.answer(Metric.PROCESSOR, into -> into.is(processorS()));
    measures.answer(Metric.HEAP_USED, into -> into.is(heap().getUsed()));
    measures.answer(Metric.HEAP_MOST, into -> into.is(heap().getMax()));
  }

  private static double processorS() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .map(used -> used.toNanos() / (double) TimeUnit.SECONDS.toNanos(1))
        .orElse(0.0);
  }

  private static MemoryUsage heap() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
  }
}
