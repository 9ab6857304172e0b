package io.millrace.server.streams;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** The object that a fact is about: the key of its ledger record. */
final class FactKeys {
  private static final String[] FIELDS = {
    "job_id", "job", "object", "node", "name", "reservation", "scheduler", "number"
  };
  private static final Map<Schema, Integer> POSITIONS = new ConcurrentHashMap<>();

  private FactKeys() {}

  static String of(SpecificRecord fact) {
    int position = POSITIONS.computeIfAbsent(fact.getSchema(), FactKeys::position);
    if (position < 0) {
      return fact.getSchema().getName();
    }
    Object value = fact.get(position);
    if (value instanceof Job job) {
      return job.getId();
    }
    if (value instanceof ClusterObject object) {
      return object.getName();
    }
    if (value instanceof Reservation reservation) {
      return reservation.getId();
    }
    return value instanceof Node node ? node.getName() : String.valueOf(value);
  }

  private static int position(Schema schema) {
    for (String field : FIELDS) {
      if (schema.getField(field) != null) {
        return schema.getField(field).pos();
      }
    }
    return -1;
  }
}
