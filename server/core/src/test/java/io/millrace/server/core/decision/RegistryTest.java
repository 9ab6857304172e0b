package io.millrace.server.core.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.command.AskConsent;
import io.millrace.schemas.command.Commands;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.Facts;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.state.RecordFollowers;
import io.millrace.server.core.state.SubjectMethods;
import io.millrace.server.core.state.Tables;
import io.millrace.server.core.state.Timers;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Protocol;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;

/** Each command has a decider, each fact an applier, and nobody keeps a list of them. */
class RegistryTest {
  private static final Set<String> FAMILIES = Set.of("user", "engine", "executor", "site", "shard");

  /** Records of a protocol that stand for themselves: they begin with an envelope. */
  private static List<Schema> enveloped(Protocol protocol, Schema envelope) {
    return protocol.getTypes().stream()
        .filter(s -> s.getType() == Schema.Type.RECORD)
        .filter(s -> s.getNamespace().equals(protocol.getNamespace()))
        .filter(
            s -> {
              Schema.Field meta = s.getField("meta");
              return meta != null && meta.schema().equals(envelope);
            })
        .toList();
  }

  @Test
  void everyCommandHasADeciderAFamilyAndASubject() {
    Registry deciders = Registry.ofDeciders(Commands.PROTOCOL);
    List<Schema> commands = enveloped(Commands.PROTOCOL, CommandMeta.SCHEMA$);
    assertFalse(commands.isEmpty());
    for (Schema command : commands) {
      assertTrue(FAMILIES.contains(command.getProp("family")), command.getName());
      assertEquals(0, command.getField("meta").pos(), command.getName());
      assertTrue(deciders.knows(type(command)), command.getName());
    }
    assertEquals(names(commands), names(Catalogue.get().commands().stream()));
  }

  @Test
  void whatAShardSentAndWaitsInVainIsRefusedByItsSubject() {
    Registry refusals = Registry.ofRefusals(Commands.PROTOCOL);
    for (Catalogue.CatalogueEntry command : Catalogue.get().commands()) {
      boolean waits = command.schema().getObjectProp("waits") != null;
      boolean unanswered = waits && command.family().equals("shard");
      assertEquals(unanswered, refusals.knows(command.type()), command.simpleName());
    }
    assertTrue(refusals.knows(AskConsent.class));
  }

  @Test
  void eachTableHasRecordsOfItsOwn() {
    assertEquals(Tables.NAMES.size(), Set.copyOf(Tables.NAMES).size());
    Tables tables = Tables.inMemory(0, 1);
    assertThrows(IllegalArgumentException.class, () -> tables.table(AskConsent.class));
  }

  @Test
  void everyFactHasAnApplierAndASubject() {
    Registry appliers = Registry.ofAppliers(Facts.PROTOCOL);
    List<Schema> facts = enveloped(Facts.PROTOCOL, FactMeta.SCHEMA$);
    assertFalse(facts.isEmpty());
    for (Schema fact : facts) {
      assertEquals(0, fact.getField("meta").pos(), fact.getName());
      assertTrue(appliers.knows(type(fact)), fact.getName());
    }
    assertEquals(names(facts), names(Catalogue.get().facts().stream()));
  }

  @Test
  void aRecordWithoutItsMethodFailsTheStart() {
    Protocol protocol = new Protocol("P", "io.millrace.schemas.command");
    Schema stray = Schema.createRecord("Tick", "", "io.millrace.schemas.command", false, List.of());
    stray.addProp("subject", "job.hold");
    protocol.setTypes(List.of(stray));
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> Registry.ofDeciders(protocol));
    assertTrue(thrown.getMessage().contains("job.hold.Deciders has no public Decision decide"));
  }

  @Test
  void everyTimerAndEveryWorkHasADecider() {
    for (Schema record : List.of(Timer.SCHEMA$, Continue.SCHEMA$)) {
      assertFalse(KindDeciders.subjects(record).isEmpty());
      assertEquals(KindDeciders.subjects(record).keySet(), KindDeciders.of(record).kinds());
    }
  }

  @Test
  void aKindWithoutItsMethodFailsTheStart() {
    Schema stray = new Schema.Parser().parse(Timer.SCHEMA$.toString().replace("purge", "pudge"));
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> KindDeciders.of(stray));
    assertTrue(
        thrown.getMessage().contains("job.pudge.Deciders has no public Decision pudge(Context, "),
        thrown.getMessage());
  }

  @Test
  void aFollowerWithoutItsMethodFailsTheMakingOfTheState() {
    String schema = Job.SCHEMA$.toString().replace("\"job.depend\"", "\"job.purge\"");
    Schema stray = new Schema.Parser().parse(schema);
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> RecordFollowers.of(stray));
    assertTrue(thrown.getMessage().startsWith("io.millrace.server.core.job.purge.Appliers has no"));
  }

  @Test
  void noTimerIsSetThatTheSchemaDoesNotName() {
    Tables tables = Tables.inMemory(0, 1);
    assertThrows(
        IllegalArgumentException.class, () -> Timers.set(tables, 1000, "former_queue", "workq"));
  }

  @Test
  void everyMethodOfADeciderHasItsRecord() {
    List<Class<?>> classes = classes("Deciders");
    assertTrue(classes.size() > 20);
    for (Class<?> type : classes) {
      for (Method method : ofSubject(type)) {
        String name = type.getName() + "." + method.getName();
        assertEquals(2, method.getParameterCount(), name);
        Schema record = SpecificData.get().getSchema(method.getParameterTypes()[1]);
        if (KindDeciders.has(record)) {
          assertTrue(
              KindDeciders.subjects(record).entrySet().stream()
                  .filter(it -> KindDeciders.methodName(it.getKey()).equals(method.getName()))
                  .anyMatch(it -> it.getValue().equals(subject(type))),
              name);
        } else {
          boolean refuses = Registry.ofRefusals(Commands.PROTOCOL).knows(type(record));
          assertTrue(Set.of("decide", refuses ? "refuse" : "").contains(method.getName()), name);
          assertEquals(subject(type), record.getProp("subject"), name);
        }
      }
    }
  }

  @Test
  void everyMethodOfAnApplierHasItsRecord() {
    for (Class<?> type : classes("Appliers")) {
      for (Method method : ofSubject(type)) {
        String name = type.getName() + "." + method.getName();
        Schema record = SpecificData.get().getSchema(method.getParameterTypes()[1]);
        if (method.getParameterCount() == 3) {
          assertEquals("follow", method.getName(), name);
          assertTrue(RecordFollowers.subjects(record).contains(subject(type)), name);
        } else {
          assertEquals("apply", method.getName(), name);
          assertEquals(subject(type), record.getProp("subject"), name);
        }
      }
    }
  }

  /** Methods that stand for records: what a class offers besides is static. */
  private static List<Method> ofSubject(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(it -> Modifier.isPublic(it.getModifiers()) && !Modifier.isStatic(it.getModifiers()))
        .toList();
  }

  private static String subject(Class<?> type) {
    return type.getPackageName().substring(SubjectMethods.ROOT.length());
  }

  /** All classes of this name below the package of subjects. */
  private static List<Class<?>> classes(String name) {
    Path root =
        Path.of(Registry.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    try (Stream<Path> files = Files.walk(root)) {
      List<Class<?>> found = new ArrayList<>();
      for (Path file : files.filter(it -> it.endsWith(name + ".class")).toList()) {
        String path = root.relativize(file).toString().replace(".class", "");
        found.add(Class.forName(path.replace(File.separatorChar, '.')));
      }
      return found;
    } catch (IOException | ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static Class<?> type(Schema schema) {
    return Catalogue.get().find(schema.getFullName()).orElseThrow().type();
  }

  private static Set<String> names(List<Schema> schemas) {
    return schemas.stream().map(Schema::getFullName).collect(Collectors.toSet());
  }

  private static Set<String> names(Stream<Catalogue.CatalogueEntry> entries) {
    return entries.map(Catalogue.CatalogueEntry::fullName).collect(Collectors.toSet());
  }
}
