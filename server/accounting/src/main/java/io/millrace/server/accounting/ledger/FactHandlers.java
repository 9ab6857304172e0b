package io.millrace.server.accounting.ledger;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/** What is done with facts of each kind. */
public final class FactHandlers implements FactReader {

  public interface FactHandler<F> {
    void take(int shard, FactMeta meta, F fact);
  }

  private final Map<String, FactHandler<SpecificRecord>> byFact = new HashMap<>();

  public <F extends SpecificRecord> void on(Class<F> type, FactHandler<F> handler) {
    byFact.put(
        type.getSimpleName(), (shard, meta, fact) -> handler.take(shard, meta, type.cast(fact)));
  }

  @Override
  public boolean tells(String fact) {
    return byFact.containsKey(fact);
  }

  @Override
  public void follow(int shard, SpecificRecord fact) {
    FactHandler<SpecificRecord> handler = byFact.get(fact.getSchema().getName());
    if (handler != null) {
      handler.take(shard, Envelope.ofFact(fact), fact);
    }
  }

  public static long number(String jobId) {
    long number = JobNumbers.of(jobId);
    if (number < 0) {
      throw new IllegalArgumentException("not an id of a job: " + jobId);
    }
    return number;
  }
}
