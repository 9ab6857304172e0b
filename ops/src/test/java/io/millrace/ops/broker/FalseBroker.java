package io.millrace.ops.broker;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;

/**
 * Another account's program on a port where a broker should be. It knows no password and tries to
 * get one, or whatever else clients send: one way after the other, a connection each.
 */
public final class FalseBroker implements AutoCloseable {

  /** How it answers a login. */
  public enum Way {
    /** It knows no other mechanism than the one that sends the password. */
    PLAIN_ONLY,
    /** It takes part in SCRAM with a salt of its own, and ends with a signature by chance. */
    OWN_SALT,
    /** It says yes to everything. */
    YES
  }

  private static final int FRAME_MAX = 16 << 20;

  private final ServerSocket socket;
  private final List<Way> ways;
  private final AtomicInteger connections = new AtomicInteger();
  private final List<byte[]> frames = new CopyOnWriteArrayList<>();
  private final List<String> passwords = new CopyOnWriteArrayList<>();
  private final Map<Way, Set<String>> users = new ConcurrentHashMap<>();
  private final Map<Way, AtomicInteger> refused = new ConcurrentHashMap<>();
  private final Set<String> beyondLogin = new ConcurrentSkipListSet<>();

  public FalseBroker(int port, Way... ways) throws IOException {
    this(port, new ServerSocket(), ways);
  }

  /** One that speaks TLS, with a certificate of its own. */
  public FalseBroker(int port, SSLContext tls, Way... ways) throws IOException {
    this(port, tls.getServerSocketFactory().createServerSocket(), ways);
  }

  private FalseBroker(int port, ServerSocket socket, Way... ways) throws IOException {
    this.ways = List.of(ways);
    for (Way way : Way.values()) {
      users.put(way, new ConcurrentSkipListSet<>());
      refused.put(way, new AtomicInteger());
    }
    this.socket = socket;
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress("127.0.0.1", port));
    background(this::accept);
  }

  public int port() {
    return socket.getLocalPort();
  }

  /** Passwords that were told. */
  public List<String> passwords() {
    return passwords;
  }

  /** Names that began a login and were answered in this way. */
  public Set<String> users(Way way) {
    return users.get(way);
  }

  /** How many handshakes were answered with the offer of PLAIN alone. */
  public int offeredPlain() {
    return refused.get(Way.PLAIN_ONLY).get();
  }

  public int connections() {
    return connections.get();
  }

  /** Kinds of requests that are sent to a broker only once it is trusted. */
  public Set<String> beyondLogin() {
    return beyondLogin;
  }

  /** Whether a secret came in, as it is, as its bytes, or in base 64. */
  public boolean received(String secret) {
    List<byte[]> forms = new ArrayList<>();
    forms.add(secret.getBytes(StandardCharsets.UTF_8));
    forms.add(Base64.getEncoder().encode(forms.get(0)));
    if (secret.matches("([0-9a-f]{2})+")) {
      forms.add(HexFormat.of().parseHex(secret));
      forms.add(Base64.getEncoder().encode(forms.get(2)));
    }
    return frames.stream()
        .map(frame -> new String(frame, StandardCharsets.ISO_8859_1))
        .anyMatch(
            frame ->
                forms.stream()
                    .map(form -> new String(form, StandardCharsets.ISO_8859_1))
                    .anyMatch(frame::contains));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static void background(Runnable work) {
    Thread thread = new Thread(work, "false-broker");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        Way way = ways.get(connections.getAndIncrement() % ways.size());
        background(() -> serve(client, way));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket client, Way way) {
    try (client) {
      DataInputStream in = new DataInputStream(client.getInputStream());
      DataOutputStream out = new DataOutputStream(client.getOutputStream());
      while (!socket.isClosed()) {
        int length = in.readInt();
        if (length < 0 || length > FRAME_MAX) {
          return;
        }
        byte[] frame = new byte[length];
        in.readFully(frame);
        frames.add(frame);
        ByteBuffer answer = answer(ByteBuffer.wrap(frame), way);
        if (answer == null) {
          return;
        }
        out.writeInt(answer.remaining());
        out.write(answer.array(), answer.arrayOffset() + answer.position(), answer.remaining());
        out.flush();
      }
    } catch (IOException | RuntimeException e) {
      return; // the client has gone, or sends what is no request
    }
  }

  /** The answer to a request; null to hang up. */
  private ByteBuffer answer(ByteBuffer frame, Way way) {
    RequestHeader header = RequestHeader.parse(frame);
    ByteBufferAccessor body = new ByteBufferAccessor(frame);
    short version = header.apiVersion();
    switch (header.apiKey()) {
      case API_VERSIONS -> {
        return framed(header, versions());
      }
      case SASL_HANDSHAKE -> {
        String asked = new SaslHandshakeRequestData(body, version).mechanism();
        return framed(header, handshake(asked, way));
      }
      case SASL_AUTHENTICATE -> {
        byte[] told = new SaslAuthenticateRequestData(body, version).authBytes();
        return framed(header, new SaslAuthenticateResponseData().setAuthBytes(login(told, way)));
      }
      default -> {
        beyondLogin.add(header.apiKey().name());
        return null;
      }
    }
  }

  private static ByteBuffer framed(RequestHeader header, ApiMessage body) {
    return RequestUtils.serialize(
        header.toResponseHeader().data(),
        header.toResponseHeader().headerVersion(),
        body,
        header.apiVersion());
  }

  private static ApiVersionsResponseData versions() {
    ApiVersionsResponseData data = new ApiVersionsResponseData();
    for (ApiKeys key : ApiKeys.brokerApis()) {
      data.apiKeys()
          .add(
              new ApiVersionsResponseData.ApiVersion()
                  .setApiKey(key.id)
                  .setMinVersion(key.oldestVersion())
                  .setMaxVersion(key.latestVersion()));
    }
    return data;
  }

  private SaslHandshakeResponseData handshake(String asked, Way way) {
    if (way == Way.PLAIN_ONLY) {
      refused.get(way).incrementAndGet();
      boolean plain = asked.equals("PLAIN");
      return new SaslHandshakeResponseData()
          .setErrorCode((plain ? Errors.NONE : Errors.UNSUPPORTED_SASL_MECHANISM).code())
          .setMechanisms(List.of("PLAIN"));
    }
    return new SaslHandshakeResponseData().setMechanisms(List.of(asked, "PLAIN"));
  }

  private byte[] login(byte[] told, Way way) {
    String text = new String(told, StandardCharsets.UTF_8);
    String[] plain = text.split("\0", -1);
    if (plain.length == 3) {
      passwords.add(plain[2]);
      users.get(way).add(plain[1]);
      return new byte[0];
    }
    if (text.startsWith("n,,n=") || text.startsWith("n,a=")) {
      String name = text.replaceFirst("^.*?[, ]n=([^,]*),.*$", "$1");
      users.get(way).add(name);
      if (way == Way.OWN_SALT) {
        String nonce = text.replaceFirst("^.*,r=([^,]*).*$", "$1");
        return ("r=" + nonce + "more,s=" + base64("a salt by chance") + ",i=4096").getBytes();
      }
      return new byte[0];
    }
    return way == Way.OWN_SALT ? ("v=" + base64("x".repeat(64))).getBytes() : new byte[0];
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
