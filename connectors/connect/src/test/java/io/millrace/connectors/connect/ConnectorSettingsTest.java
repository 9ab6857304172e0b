package io.millrace.connectors.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.forward.ServedTerms;
import io.millrace.schemas.hostkey.HostKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.connector.Connector;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the connectors say of their settings. */
class ConnectorSettingsTest {

  private static final String RAW = "org.apache.kafka.connect.converters.ByteArrayConverter";

  @TempDir Path folder;

  private static Connector connector(ConnectSide side) {
    return side == ConnectSide.SOURCE ? new OutsideSourceConnector() : new OrderSinkConnector();
  }

  static Map<String, String> source() {
    return new TreeMap<>(
        Map.of(
            "name", "c1-jobs",
            "tasks.max", "1",
            "key.converter", RAW,
            "value.converter", RAW,
            "header.converter", RAW,
            "millrace.properties", "/etc/c1.properties",
            "cluster.name", "c1",
            "cluster.system", "slurm",
            "cluster.cluster_name", "sim"));
  }

  static Map<String, String> sink() {
    Map<String, String> settings = source();
    settings.putAll(
        Map.of(
            "topics", "dispatch",
            "millrace.spool", "/srv/spool",
            "cluster.spool", "/shared/mr",
            "cluster.user.alice", "alice"));
    return settings;
  }

  private static Map<String, String> good(ConnectSide side) {
    return side == ConnectSide.SOURCE ? source() : sink();
  }

  /** All that is wrong, with the settings that it is said of. */
  private static Map<String, List<String>> wrong(ConnectSide side, Map<String, String> settings) {
    return connector(side).validate(settings).configValues().stream()
        .filter(it -> !it.errorMessages().isEmpty())
        .collect(Collectors.toMap(ConfigValue::name, ConfigValue::errorMessages));
  }

  /** Connect itself fails where one has none, and says nothing of what is wrong. */
  @ParameterizedTest
  @EnumSource
  void eachSettingHasAValueAlsoWhereOneIsWrong(ConnectSide side) {
    Map<String, String> settings = good(side);
    settings.put("cluster.nosuch", "1");
    Connector connector = connector(side);
    Set<String> all =
        connector.validate(settings).configValues().stream()
            .map(ConfigValue::name)
            .collect(Collectors.toSet());
    Set<String> without = new TreeSet<>(connector.config().names());
    without.removeAll(all);
    assertEquals(Set.of(), without);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsRightIsTaken(ConnectSide side) {
    assertEquals(Map.of(), wrong(side, good(side)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SOURCE | cluster.name = C1 | cluster.name is a small letter and up to 14 small letters,"
            + " digits and hyphens, not 'C1'",
        "SOURCE | cluster.system = pbs | cluster.system is one of gridengine, openpbs, slurm,"
            + " torque, not 'pbs'",
        "SOURCE | cluster.system = | cluster.system is one of gridengine, openpbs, slurm, torque,"
            + " not ''",
        "SOURCE | cluster.command_limit_s = 0 | cluster.command_limit_s takes a number from 1 to"
            + " 600, not '0'",
        "SOURCE | cluster.command_limit_s = soon | Invalid value soon for configuration"
            + " cluster.command_limit_s: Not a number of type LONG",
        "SOURCE | cluster.accounting = jobcomp | cluster.accounting is an absolute path of letters,"
            + " digits, dots, hyphens and underscores, not 'jobcomp'",
        "SOURCE | cluster.sge_root = /x | there is no setting cluster.sge_root for slurm",
        "SOURCE | cluster.comands = /x | there is no setting cluster.comands for slurm",
        "SOURCE | millrace.file = /x | there is no setting millrace.file for slurm",
        "SOURCE | millrace.properties = c1.properties | millrace.properties is an absolute path of"
            + " letters, digits, dots, hyphens and underscores, not 'c1.properties'",
        "SOURCE | cluster.mode = observe | cluster.mode: this connector observes, and has no mode",
        "SOURCE | cluster.spool = /x | cluster.spool is about runs, and this connector only"
            + " observes",
        "SOURCE | cluster.user.bob = bob | cluster.user.bob is about runs, and this connector only"
            + " observes",
        "SOURCE | value.converter = org.apache.kafka.connect.json.JsonConverter | value.converter"
            + " has to be given here as org.apache.kafka.connect.converters.ByteArrayConverter",
        "SINK | cluster.mode = watch | cluster.mode is one of forward, place, reserve, observe, not"
            + " 'watch'",
        "SINK | cluster.mode = observe | cluster.mode = observe is what the source connector does",
        "SINK | cluster.mode = place | cluster: mode = place needs 'queue', the queue there that"
            + " has jobs from here only",
        "SINK | cluster.mode = reserve | cluster: mode = reserve is not possible with slurm",
        "SINK | cluster.user.bob = -root | cluster.user.bob is the name of an account, not '-root'",
        "SINK | cluster.user. = bob | there is no setting cluster.user. for slurm",
        "SINK | cluster.waiting_most = 0 | cluster.waiting_most takes a number from 1 to 100000,"
            + " not '0'",
        "SINK | cluster.spool = /a/$(id) | cluster.spool is an absolute path of letters, digits,"
            + " dots, hyphens and underscores, not '/a/$(id)'",
        "SINK | topics = commands | topics has to be given here as dispatch",
      })
  void eachWrongValueIsRefusedWithOneLine(ConnectSide side, String setting, String said) {
    Map<String, String> settings = good(side);
    String[] pair = setting.split("=", 2);
    settings.put(pair[0].strip(), pair[1].strip());
    Map<String, List<String>> wrong = wrong(side, settings);
    assertEquals(List.of(said), wrong.values().stream().flatMap(List::stream).toList());
  }

  @Test
  void aValueOfSeveralLinesIsToldInOne() {
    Map<String, String> settings = source();
    settings.put("cluster.commands", "/a\n/b");
    String said = wrong(ConnectSide.SOURCE, settings).get("cluster.commands").get(0);
    assertEquals(1, said.lines().count(), said);
  }

  /** Each setting without which nothing can be done, and what is said when it is not there. */
  @ParameterizedTest
  @EnumSource
  void whatIsMissingIsNamed(ConnectSide side) {
    List<String> required = new ArrayList<>(good(side).keySet());
    required.removeAll(List.of("name", "tasks.max"));
    for (String name : required) {
      Map<String, String> settings = good(side);
      settings.remove(name);
      Map<String, List<String>> wrong = wrong(side, settings);
      boolean user = SettingsTable.isUser(name);
      String at = user ? "cluster.system" : name;
      assertTrue(wrong.containsKey(at), name + ": " + wrong);
      String said = wrong.get(at).get(0);
      assertTrue(said.contains(user ? "cluster.user.NAME is missing" : name), said);
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachSettingHasTypeDefaultValidatorAndSentence(ConnectSide side) {
    List<ConfigDef> definitions = new ArrayList<>(List.of(connector(side).config()));
    for (OutsideKind kind : SettingsTable.kinds()) {
      definitions.add(SettingsTable.of(side, kind, List.of("cluster.user.alice")));
    }
    for (ConfigDef definition : definitions) {
      assertTrue(definition.names().contains("cluster.name"));
      definition
          .configKeys()
          .values()
          .forEach(
              it -> {
                assertNotNull(it.type(), it.name);
                assertNotNull(it.validator, it.name);
                assertTrue(it.documentation.endsWith("."), it.name);
                assertTrue(!it.validator.toString().isBlank(), it.name);
              });
    }
    boolean runs = definitions.get(0).names().contains("cluster.waiting_most");
    assertEquals(side == ConnectSide.SINK, runs);
  }

  @Test
  void aSourceIsOneTaskAndExactlyOnce() {
    OutsideSourceConnector connector = new OutsideSourceConnector();
    connector.start(source());
    assertEquals(List.of(source()), connector.taskConfigs(7));
    assertEquals(OutsideSourceTask.class, connector.taskClass());
    assertEquals(ExactlyOnceSupport.SUPPORTED, connector.exactlyOnceSupport(source()));
    assertEquals(
        ConnectorTransactionBoundaries.SUPPORTED,
        connector.canDefineTransactionBoundaries(source()));
    assertTrue(connector.version().matches("[0-9].*"), connector.version());
  }

  @Test
  void offsetsThatAnAdministratorSetsAreLookedAt() {
    OutsideSourceConnector connector = new OutsideSourceConnector();
    Map<String, ?> good = Map.of("cursor", "1@2#3", "snapshot", 4L);
    Map<String, String> of = Map.of("cluster", "c1");
    assertTrue(connector.alterOffsets(source(), Map.of(of, good)));
    Map<Map<String, ?>, Map<String, ?>> gone = new HashMap<>();
    gone.put(of, null);
    assertTrue(connector.alterOffsets(source(), gone));
    assertThrows(
        ConnectException.class,
        () -> connector.alterOffsets(source(), Map.of(Map.of("cluster", "c2"), good)));
    assertThrows(
        ConnectException.class,
        () -> connector.alterOffsets(source(), Map.of(of, Map.of("cursor", "1@2#3"))));
  }

  @Test
  void aTaskNeedsTheFileOfItsKey() throws IOException {
    Path file = folder.resolve("c1.properties");
    Map<String, String> settings = source();
    settings.put("millrace.properties", file.toString());
    assertEquals(
        "millrace.properties: there is no file " + file,
        assertThrows(ConnectException.class, () -> terms(settings)).getMessage());
    Files.writeString(file, "bootstrap.servers=here:1\n");
    assertEquals(
        file + ": cluster c1 has no key",
        assertThrows(ConnectException.class, () -> terms(settings)).getMessage());
    Files.writeString(file, HostKey.PROPERTY + "=" + "0a".repeat(32) + "\n");
    ServedTerms terms = terms(settings);
    assertEquals("@c1", terms.key().host());
    assertTrue(terms.file().observes());
    settings.put("cluster.output_most_mib", "0");
    assertThrows(KafkaException.class, () -> terms(settings));
  }

  private static ServedTerms terms(Map<String, String> settings) {
    return new ConnectorSettings(ConnectSide.SOURCE, settings).terms();
  }
}
