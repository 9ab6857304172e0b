package io.millrace.server.web.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.SchemaRegistry;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.HttpLimits;
import io.millrace.server.http.HttpListener;
import io.millrace.server.http.HttpRefusal;
import io.millrace.server.http.HttpService;
import io.millrace.server.http.ReceivedRequest;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Answers Confluent's REST calls. Read-only when asked to be: there is no login here, and the
 * schemas of a cluster are registered when it is initialised.
 */
public final class RegistryServer implements AutoCloseable {

  private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final int REQUEST_BYTES_MAX = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final HttpLimits LIMITS =
      new HttpLimits(
          new HttpLimits.Connections(256, 256),
          REQUEST_BYTES_MAX,
          new HttpLimits.HttpMemoryLimits(0, 16L << 20, 16L << 20),
          new HttpLimits.Workers(2, 64),
          new HttpLimits.HttpTimeLimits(PATIENCE, PATIENCE, PATIENCE, PATIENCE, PATIENCE));

  private static final int INTERNAL = 50001;
  private static final int WRONG = 42201;

  private final HttpListener listener;
  private final boolean secure;

  /**
   * On loopback.
   *
   * @param port 0 for any free one
   */
  public RegistryServer(SchemaRegistry registry, int port, boolean readOnly) throws IOException {
    this(
        registry,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        Optional.empty(),
        readOnly);
  }

  /**
   * At an address.
   *
   * @param tls certificate and key; empty for plain HTTP
   */
  public RegistryServer(
      SchemaRegistry registry,
      InetSocketAddress address,
      Optional<SslContext> tls,
      boolean readOnly)
      throws IOException {
    secure = tls.isPresent();
    listener =
        HttpListener.open(
            new HttpListener.ListenerAddress("schema-registry", address, tls),
            LIMITS,
            new ConfluentProtocol(new RegistryCalls(registry, readOnly)));
  }

  public URI uri() {
    return URI.create((secure ? "https://" : "http://") + HttpListener.text(listener.address()));
  }

  @Override
  public void close() {
    listener.close();
  }

  private record ConfluentProtocol(RegistryCalls calls) implements HttpService {

    /** There is no login here. */
    @Override
    public Early early(ReceivedRequest head) {
      return Early.goOn(false, Map.of());
    }

    @Override
    public HttpAnswer answer(ReceivedRequest request) {
      try {
        return json(200, calls.answer(request.method(), request.target(), request.body()));
      } catch (RegistryException e) {
        return error(e);
      }
    }

    @Override
    public HttpAnswer refusal(HttpRefusal why, String text) {
      return switch (why) {
        case TOO_LARGE ->
            error(
                new RegistryException(
                    WRONG, "a request may have at most " + REQUEST_BYTES_MAX + " bytes"));
        case NOT_HTTP, NO_MEMORY, BUSY, LATE -> error(new RegistryException(why.status(), text));
        case INTERNAL -> error(new RegistryException(INTERNAL, "internal error: see the log"));
      };
    }

    private static HttpAnswer error(RegistryException e) {
      JsonNode body =
          JsonNodeFactory.instance
              .objectNode()
              .put("error_code", e.code() == 0 ? INTERNAL : e.code())
              .put("message", e.getMessage());
      return json(e.status() == 0 ? 500 : e.status(), body);
    }

    private static HttpAnswer json(int status, JsonNode body) {
      return HttpAnswer.whole(status, MEDIA_TYPE, body.toString().getBytes(StandardCharsets.UTF_8));
    }
  }
}
