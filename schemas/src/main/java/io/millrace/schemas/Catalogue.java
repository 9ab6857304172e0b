package io.millrace.schemas;

import io.millrace.schemas.campaign.Campaigns;
import io.millrace.schemas.command.Commands;
import io.millrace.schemas.common.Common;
import io.millrace.schemas.fact.Facts;
import io.millrace.schemas.output.Outputs;
import io.millrace.schemas.state.States;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Protocol;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * Every record of the language, by full name. Built from the protocols that the Avro compiler
 * generates, so that a record is announced in its {@code .avdl} file and nowhere else.
 */
public final class Catalogue {

  /** The kind of a record, which the protocol that declares it determines. */
  public enum RecordKind {
    COMMAND,
    FACT,
    STATE,
    OUTPUT,
    /** Commands, facts and states of the campaign server. */
    CAMPAIGN,
    /** Part of other records, or the value of a table that several parts share. */
    COMMON
  }

  /**
   * One record of the catalogue.
   *
   * @param fullName for example {@code io.millrace.schemas.fact.JobQueued}; also its subject in a
   *     registry (Confluent's RecordNameStrategy)
   * @param schema as the generated class has it
   * @param family who may write a command: user, engine, executor or shard; empty for others
   * @param subject package below {@code io.millrace.server.core} that decides or applies it; empty
   *     where the schema names none
   * @param table table of a shard's state whose records these are; empty for others
   * @param topic topic on which the record travels by itself; empty for states and parts
   */
  public record CatalogueEntry(
      String fullName,
      Schema schema,
      RecordKind kind,
      String family,
      String subject,
      String table,
      String topic) {

    /** The generated class. */
    public Class<? extends SpecificRecord> type() {
      Class<?> generated = SpecificData.get().getClass(schema);
      return generated.asSubclass(SpecificRecord.class);
    }

    public String simpleName() {
      return schema.getName();
    }
  }

  private static final Catalogue BUILT_IN = new Catalogue(read());

  private final SortedMap<String, CatalogueEntry> byName;

  private Catalogue(SortedMap<String, CatalogueEntry> byName) {
    this.byName = byName;
  }

  /** The records of this build. */
  public static Catalogue get() {
    return BUILT_IN;
  }

  /** All records in the order of their full names. */
  public Collection<CatalogueEntry> entries() {
    return Collections.unmodifiableCollection(byName.values());
  }

  public Optional<CatalogueEntry> find(String fullName) {
    return Optional.ofNullable(byName.get(fullName));
  }

  /** Commands that have a decider, which are those with a family. */
  public List<CatalogueEntry> commands() {
    return of(RecordKind.COMMAND).stream().filter(e -> !e.family().isEmpty()).toList();
  }

  /** Facts that have an applier. */
  public List<CatalogueEntry> facts() {
    return of(RecordKind.FACT).stream().filter(e -> !e.subject().isEmpty()).toList();
  }

  /** Records that are stored in a table of a shard's state, by full name. */
  public List<CatalogueEntry> tables() {
    return byName.values().stream().filter(e -> !e.table().isEmpty()).toList();
  }

  /** All records of one protocol in the order of their full names. */
  public List<CatalogueEntry> of(RecordKind kind) {
    return byName.values().stream().filter(e -> e.kind() == kind).toList();
  }

  private static SortedMap<String, CatalogueEntry> read() {
    return Stream.of(
            records(RecordKind.COMMON, Common.PROTOCOL),
            records(RecordKind.COMMAND, Commands.PROTOCOL),
            records(RecordKind.FACT, Facts.PROTOCOL),
            records(RecordKind.STATE, States.PROTOCOL),
            records(RecordKind.OUTPUT, Outputs.PROTOCOL),
            records(RecordKind.CAMPAIGN, Campaigns.PROTOCOL))
        .flatMap(List::stream)
        .collect(
            Collectors.toMap(
                CatalogueEntry::fullName,
                e -> e,
                (a, b) -> {
                  throw new IllegalStateException("two records are named " + a.fullName());
                },
                TreeMap::new));
  }

  /**
   * The records of a protocol. A protocol also lists imported records, so only its own namespace
   * counts.
   */
  private static List<CatalogueEntry> records(RecordKind kind, Protocol protocol) {
    return protocol.getTypes().stream()
        .filter(s -> s.getType() == Schema.Type.RECORD)
        .filter(s -> s.getNamespace().equals(protocol.getNamespace()))
        .map(s -> entry(kind, s))
        .toList();
  }

  private static CatalogueEntry entry(RecordKind kind, Schema schema) {
    String family = property(schema, "family");
    String subject = property(schema, "subject");
    String topic =
        switch (kind) {
          case COMMAND -> family.isEmpty() ? "" : CommandFamily.of(family).topic();
          case FACT -> subject.isEmpty() ? "" : Topics.LEDGER;
          case OUTPUT -> property(schema, "topic");
          case STATE, COMMON, CAMPAIGN -> "";
        };
    return new CatalogueEntry(
        schema.getFullName(), schema, kind, family, subject, property(schema, "table"), topic);
  }

  private static String property(Schema schema, String name) {
    String value = schema.getProp(name);
    return value == null ? "" : value;
  }
}
