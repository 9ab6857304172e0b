package io.millrace.server.campaigns.door;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.PartKind;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.server.campaigns.streams.CampaignServer;
import io.millrace.server.campaigns.streams.ClusterWatch;
import io.millrace.server.gateway.QueryToken;
import io.millrace.server.gateway.link.ClusterCache;
import io.millrace.server.gateway.query.QueryClient;
import io.millrace.server.http.HttpListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;

/** Process entry of the campaign server. Exit status: 0 ended as asked, 1 failed, 2 usage. */
public final class CampaignsMain {

  private static final ProgramOptions OPTIONS =
      Health.addTo(ProgramOptions.ofProcess("campaigns", "Runs campaigns: bags of many tasks."))
          .value("--home", "DIR", "home folder")
          .kafka();

  private CampaignsMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    try {
      serve(OPTIONS.parse(arguments));
    } catch (UsageException e) {
      System.exit(e.tell());
    } catch (IOException | RegistryException | KafkaException e) {
      Throwable cause = e.getCause() instanceof KafkaException ? e.getCause() : e;
      System.err.println("campaigns: " + cause.getMessage());
      System.exit(1);
    }
  }

  private static void serve(GivenOptions options)
      throws IOException, RegistryException, UsageException, InterruptedException {
    Path home = Path.of(options.require("--home")).toAbsolutePath();
    Health health = Health.begin(PartKind.CAMPAIGNS, options);
    Map<String, Object> kafka = options.kafka();
    RecordCodec codec = Codecs.open(kafka);
    QueryToken token = QueryToken.of(home);
    ClusterCache cluster = new ClusterCache(kafka, codec);
    cluster.start();
    CampaignServer server =
        new CampaignServer(kafka, codec, home.resolve("data").resolve("campaigns"));
    ClusterWatch watch =
        new ClusterWatch(server, cluster, new QueryClient(cluster, codec, token, home));
    HttpListener door = CampaignDoor.open(server, token.get(), home);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  door.close();
                  watch.close();
                  server.close();
                  cluster.close();
                },
                "close"));
    health.ready(server::obstacle);
    server.start();
    watch.start();
    if (server.awaitBegin()) {
      System.out.println("ready");
    }
    Optional<String> failure = server.awaitEnd();
    if (failure.isPresent()) {
      System.err.println("campaigns: ended by " + failure.get());
      // Threads of a stopped server must not keep the useless process alive.
      Runtime.getRuntime().halt(1);
    }
  }
}
