package io.millrace.ops.part;

import io.millrace.connectors.local.LocalExecutorMain;
import io.millrace.ops.ServerMain;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schedulers.engine.EngineApartMain;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.server.accounting.AccountingMain;
import io.millrace.server.gateway.GatewayMain;
import io.millrace.server.web.WebMain;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** The parts that can be a program of their own. */
enum LonePart {
  SERVER(KafkaPrincipal.SERVER, ServerMain::main),
  GATEWAY(KafkaPrincipal.GATEWAY, GatewayMain::main),
  WEB(KafkaPrincipal.GATEWAY, WebMain::main),
  ACCOUNTING(KafkaPrincipal.MONITOR, AccountingMain::main),
  ENGINE(KafkaPrincipal.ENGINE, EngineApartMain::main),
  EXECUTOR(KafkaPrincipal.EXECUTOR, LocalExecutorMain::main);

  /** The entry of a part: it comes back at the part's end, or while its threads go on. */
  @FunctionalInterface
  interface PartEntry {
    void main(String... arguments)
        throws IOException,
            InterruptedException,
            RegistryException,
            ExecutionException,
            TimeoutException;
  }

  private final KafkaPrincipal principal;
  private final PartEntry entry;

  LonePart(KafkaPrincipal principal, PartEntry entry) {
    this.principal = principal;
    this.entry = entry;
  }

  static Optional<LonePart> of(String name) {
    return Arrays.stream(values()).filter(part -> part.text().equals(name)).findFirst();
  }

  static String names() {
    return Arrays.stream(values()).map(LonePart::text).collect(Collectors.joining(", "));
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As whom it comes to the brokers. */
  KafkaPrincipal principal() {
    return principal;
  }

  void begin(List<String> arguments)
      throws IOException,
          InterruptedException,
          RegistryException,
          ExecutionException,
          TimeoutException {
    entry.main(arguments.toArray(new String[0]));
  }
}
