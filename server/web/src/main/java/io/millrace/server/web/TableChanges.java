package io.millrace.server.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.print.Json;
import io.millrace.server.gateway.status.Views;
import io.millrace.server.web.event.ChangeText;
import io.millrace.server.web.event.FactText;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is told of a record: of a table the object in short, as {@code qstat -f} words it; of facts
 * what those say who know them.
 */
final class TableChanges implements ChangeText {

  private static final Logger LOG = LoggerFactory.getLogger(TableChanges.class);

  private final ObjectMapper mapper = new ObjectMapper();
  private final RecordCodec codec;
  private final Views views;

  /** By the names of facts. */
  private final Map<String, FactText> facts = new HashMap<>();

  TableChanges(RecordCodec codec, Views views) {
    this.codec = codec;
    this.views = views;
    for (FactText text : ServiceLoader.load(FactText.class)) {
      text.facts().forEach(name -> facts.put(name, text));
    }
  }

  @Override
  public Optional<ToldChange> of(ChangedObjectKind kind, String key, byte[] value) {
    if (kind == ChangedObjectKind.CAMPAIGN) {
      return ofFact(value);
    }
    if (value == null) {
      ObjectNode gone = mapper.createObjectNode().put("id", id(kind, key)).put("gone", true);
      return Optional.of(
          kind == ChangedObjectKind.JOB
              ? ToldChange.ofOne(gone.toString(), Optional.empty())
              : ToldChange.ofAll(gone.toString()));
    }
    try {
      Object record = codec.decode(value);
      return entry(record)
          .map(
              entry ->
                  record instanceof Job job
                      ? ToldChange.ofOne(line(kind, entry), Optional.of(job.getSpec().getOwner()))
                      : ToldChange.ofAll(line(kind, entry)));
    } catch (UndecodableRecord e) {
      LOG.warn("a {} with key {} cannot be decoded: {}", kind.word(), key, e.getMessage());
      return Optional.empty();
    }
  }

  /** Of most facts nothing is told: their names are enough. */
  private Optional<ToldChange> ofFact(byte[] value) {
    try {
      FactText text = facts.get(codec.nameOf(value));
      return text == null ? Optional.empty() : text.of(codec.decode(value));
    } catch (UndecodableRecord e) {
      LOG.warn("a fact cannot be decoded: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<Views.ShownObject> entry(Object record) {
    if (record instanceof Job job) {
      return Optional.of(views.brief(job));
    }
    if (record instanceof Node node) {
      return Optional.of(views.brief(node));
    }
    if (record instanceof Reservation reservation) {
      return Optional.of(views.brief(reservation));
    }
    return record instanceof Queue queue ? Optional.of(views.brief(queue)) : Optional.empty();
  }

  private String line(ChangedObjectKind kind, Views.ShownObject entry) {
    StringBuilder text = new StringBuilder();
    new Json(text)
        .open(null)
        .text("id", entry.name())
        .object(kind.word(), entry.attributes())
        .close();
    try {
      return mapper.readTree(text.toString()).toString();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what was written as JSON is JSON", e);
    }
  }

  /** Keys of jobs are numbers with leading zeros, of a subjob with its index in a bracket. */
  private String id(ChangedObjectKind kind, String key) {
    if (kind == ChangedObjectKind.RESERVATION) {
      return "R" + plain(key) + "." + views.server();
    }
    if (kind != ChangedObjectKind.JOB) {
      return key;
    }
    int bracket = key.indexOf('[');
    String job = plain(bracket < 0 ? key : key.substring(0, bracket));
    String index = bracket < 0 ? "" : "[" + plain(key.substring(bracket + 1)) + "]";
    return job + index + "." + views.server();
  }

  private static String plain(String digits) {
    return digits.replaceFirst("^0+(?=.)", "");
  }
}
