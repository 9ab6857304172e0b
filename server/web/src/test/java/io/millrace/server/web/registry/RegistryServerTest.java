package io.millrace.server.web.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.SchemaIds;
import io.millrace.schemas.registry.CompatibilityLevel;
import io.millrace.schemas.registry.ConfluentRegistry;
import io.millrace.schemas.registry.MemoryRegistry;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.RegistryIds;
import io.millrace.schemas.registry.SchemaText;
import io.millrace.server.http.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests both sides of the REST protocol: the client for real registries calls the server. */
class RegistryServerTest {

  private final MemoryRegistry table = new MemoryRegistry();
  private RegistryServer server;
  private ConfluentRegistry client;

  @BeforeEach
  void start() throws IOException {
    server = new RegistryServer(table, 0, false);
    client = new ConfluentRegistry(server.uri());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static SchemaBuilder.FieldAssembler<Schema> box() {
    return SchemaBuilder.record("Box").namespace("test").fields().requiredString("label");
  }

  @Test
  void theWholeCatalogueIsRegisteredAndFound() throws RegistryException {
    for (Catalogue.CatalogueEntry entry : Catalogue.get().entries()) {
      client.register(entry.fullName(), entry.schema());
    }
    assertEquals(
        Catalogue.get().entries().stream().map(Catalogue.CatalogueEntry::fullName).toList(),
        client.subjects());
    SchemaIds ids = new RegistryIds(client);
    for (Catalogue.CatalogueEntry entry : Catalogue.get().entries()) {
      int id = ids.idOf(entry.fullName());
      assertEquals(SchemaText.published(entry.schema()), ids.writerSchema(id).orElseThrow());
    }
    assertTrue(ids.writerSchema(99_999).isEmpty());
  }

  @Test
  void aRecordThatIsNotRegisteredIsNamed() {
    RegistryException refused =
        assertThrows(RegistryException.class, () -> new RegistryIds(client));
    assertTrue(
        refused.getMessage().startsWith("this build's schema of io.millrace.schemas."),
        refused.getMessage());
  }

  @Test
  void aSchemaKeepsItsIdAndTheNextVersionGetsAnother() throws RegistryException {
    int first = client.register("test.Box", box().endRecord());
    assertEquals(first, client.register("test.Box", box().endRecord()));
    Schema wider = box().name("colour").type().stringType().stringDefault("").endRecord();
    assertTrue(client.compatible("test.Box", wider));
    int second = client.register("test.Box", wider);
    assertEquals(List.of(1, 2), client.versions("test.Box"));
    assertEquals(2, client.lookUp("test.Box", wider).orElseThrow().version());
    assertEquals(wider, client.byId(second).orElseThrow());
    assertEquals(wider, client.version("test.Box", 2).orElseThrow().schema());
    assertTrue(client.version("test.Box", 3).isEmpty());
    assertTrue(client.lookUp("test.Box", box().requiredInt("n").endRecord()).isEmpty());
    assertEquals(List.of(), client.versions("test.Nothing"));
  }

  @Test
  void anIncompatibleSchemaIsRefusedWith409() throws RegistryException {
    client.register("test.Box", box().endRecord());
    Schema broken = box().requiredInt("weight").endRecord();
    assertFalse(client.compatible("test.Box", broken));
    RegistryException refused =
        assertThrows(RegistryException.class, () -> client.register("test.Box", broken));
    assertEquals(409, refused.code());
    assertTrue(refused.getMessage().contains("weight"), refused.getMessage());
    assertFalse(refused.getMessage().contains("\n"));
    client.setCompatibility(CompatibilityLevel.NONE);
    assertEquals(CompatibilityLevel.NONE, client.compatibility());
    client.register("test.Box", broken);
    assertEquals(List.of(1, 2), client.versions("test.Box"));
  }

  @Test
  void wrongRequestsGetTheirCodes() throws Exception {
    client.register("test.Box", box().endRecord());
    assertEquals("404 40401", get("/subjects/test.Nothing/versions"));
    assertEquals("404 40402", get("/subjects/test.Box/versions/7"));
    assertEquals("422 42202", get("/subjects/test.Box/versions/seven"));
    assertEquals("404 40403", get("/schemas/ids/77"));
    assertEquals("404 404", get("/nonsense"));
    assertEquals("422 42201", send("POST", "/subjects/a/versions", "{\"schema\":\"{\"}"));
    assertEquals("422 42201", send("POST", "/subjects/a/versions", "no JSON"));
    assertEquals("422 42203", send("PUT", "/config", "{\"compatibility\":\"SOME\"}"));
    assertEquals("200 -", get("/subjects/test.Box/versions/latest"));
    assertEquals("200 -", get("/schemas/ids/1/schema"));
    assertEquals("200 -", get("/schemas/ids/1/versions"));
  }

  @Test
  void aReadOnlyServerKnowsWhatItHasAndTakesNothing() throws Exception {
    table.register("test.Box", box().endRecord());
    try (RegistryServer reading = new RegistryServer(table, 0, true)) {
      ConfluentRegistry reader = new ConfluentRegistry(reading.uri());
      assertEquals(1, reader.register("test.Box", box().endRecord()));
      Schema wider = box().name("colour").type().stringType().stringDefault("").endRecord();
      assertEquals(
          403,
          assertThrows(RegistryException.class, () -> reader.register("test.Box", wider)).status());
      Schema broken = box().requiredInt("weight").endRecord();
      assertEquals(
          409,
          assertThrows(RegistryException.class, () -> reader.register("test.Box", broken))
              .status());
      assertEquals(
          403,
          assertThrows(
                  RegistryException.class, () -> reader.setCompatibility(CompatibilityLevel.NONE))
              .status());
    }
  }

  @Test
  void withACertificateItSpeaksHttps(@TempDir Path folder) throws Exception {
    table.register("test.Box", box().endRecord());
    TestCertificate certificate = TestCertificate.of(folder, "ip:127.0.0.1");
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (RegistryServer secure =
        new RegistryServer(table, any, Optional.of(certificate.tls()), true)) {
      assertEquals("https", secure.uri().getScheme());
      HttpClient trusting = HttpClient.newBuilder().sslContext(trust(certificate)).build();
      HttpRequest request = HttpRequest.newBuilder(secure.uri().resolve("/schemas/ids/1")).build();
      HttpResponse<String> answer = trusting.send(request, HttpResponse.BodyHandlers.ofString());
      assertEquals(200, answer.statusCode());
      assertTrue(answer.body().contains("Box"), answer.body());
    }
  }

  private static SSLContext trust(TestCertificate certificate)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(certificate.chain())) {
      store.setCertificateEntry(
          "test", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  @Test
  void anAbsentRegistryIsOneLine() {
    URI gone = server.uri();
    server.close();
    RegistryException e =
        assertThrows(RegistryException.class, () -> new ConfluentRegistry(gone).subjects());
    assertEquals(0, e.code());
    assertTrue(
        e.getMessage().startsWith("schema registry " + gone + " cannot be reached: "),
        e.getMessage());
  }

  private String get(String path) throws Exception {
    return send("GET", path, "");
  }

  private String send(String method, String path, String body) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(server.uri() + path))
                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    Matcher code = Pattern.compile("\"error_code\":(\\d+)").matcher(answer.body());
    return answer.statusCode() + " " + (code.find() ? code.group(1) : "-");
  }
}
